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

/// Source position of a value: in a file, or an option of the command line.
struct Place
{
    std::string source; //!< path of the file as given, or "--set KEY"
    uint32_t line{0};   //!< from 1; 0 when the source has no lines
    uint32_t column{0}; //!< in bytes, from 1

    /// \return "FILE:LINE:COLUMN", or only the source
    std::string ToString() const;
};

/// One error or warning about a descriptor.
struct Diagnostic
{
    Place place;
    std::string message; //!< the error, the expected value, the nearest valid name

    /// \param kind "error" or "warning" \return "PLACE: KIND: MESSAGE"
    std::string ToString(const std::string& kind = "error") const;
};

/// A descriptor is invalid; has all its errors.
class DescriptorError : public std::runtime_error
{
  public:
    /// \param diagnostics at least one
    explicit DescriptorError(std::vector<Diagnostic> diagnostics);
    DescriptorError(const Place& place, const std::string& message);

    const std::vector<Diagnostic>& GetDiagnostics() const
    {
        return m_diagnostics;
    }

  private:
    std::vector<Diagnostic> m_diagnostics;
};

/// Collects errors, so that a user sees all of them at once.
class DiagnosticList
{
  public:
    /// Adds a diagnostic, unless the list has an equal one.
    void Add(const Place& place, const std::string& message);
    void Add(const DescriptorError& error);

    bool IsEmpty() const;

    /// \return the diagnostics, sorted by place
    std::vector<Diagnostic> GetSorted() const;

    /// \throws DescriptorError unless the list is empty
    void ThrowIfAny() const;

  private:
    std::vector<Diagnostic> m_diagnostics;
    /// Source, line, column and message of each.
    std::set<std::tuple<std::string, uint32_t, uint32_t, std::string>> m_known;
};

} // namespace ns3::rails

#endif // RAILS_DIAGNOSTIC_H
