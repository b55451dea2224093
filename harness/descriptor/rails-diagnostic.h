// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_DIAGNOSTIC_H
#define RAILS_DIAGNOSTIC_H

#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::rails
{

/// Where something was written: a position in a file, or an option of the command line.
struct Place
{
    std::string source; //!< file as the user named it, or "--set KEY"
    uint32_t line{0};   //!< from 1; 0 when the source has no lines
    uint32_t column{0}; //!< in bytes, from 1

    /// \return "FILE:LINE:COLUMN", or the source alone
    std::string ToString() const;
};

/// One thing that is wrong with a descriptor, or hardly meant.
struct Diagnostic
{
    Place place;
    std::string message; //!< what is wrong, what was expected, the nearest valid name

    /// \param kind "error" or "warning" \return "PLACE: KIND: MESSAGE"
    std::string ToString(const std::string& kind = "error") const;
};

/// A descriptor that cannot be used, with everything that is wrong with it.
class DescriptorError : public std::runtime_error
{
  public:
    /// \param diagnostics at least one
    explicit DescriptorError(std::vector<Diagnostic> diagnostics);
    DescriptorError(const Place& place, const std::string& message);

    const std::vector<Diagnostic>& GetDiagnostics() const;

  private:
    std::vector<Diagnostic> m_diagnostics;
};

/// Gathers what is wrong, so that a user sees all of it at once.
class DiagnosticList
{
  public:
    /// Adds a diagnostic; one that is already known is passed over.
    void Add(const Place& place, const std::string& message);
    void Add(const DescriptorError& error);

    bool IsEmpty() const;

    /// \return what was added, in the order of places
    std::vector<Diagnostic> GetSorted() const;

    /// \throws DescriptorError when there is anything
    void ThrowIfAny() const;

  private:
    std::vector<Diagnostic> m_diagnostics;
    /// Source, line, column and message of each.
    std::set<std::tuple<std::string, uint32_t, uint32_t, std::string>> m_known;
};

} // namespace ns3::rails

#endif // RAILS_DIAGNOSTIC_H
