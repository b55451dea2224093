// SPDX-License-Identifier: GPL-2.0-only
#ifndef SWEEP_NOTES_H
#define SWEEP_NOTES_H

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace ns3::rails
{

/// Merges the notes of a sweep's points; notes that differ only in numbers count as one.
class SweepNotes
{
  public:
    /// \param notes of a point's result: a list of text, or null
    void Add(const nlohmann::json& notes);

    /// \param points of the sweep
    /// \return a line for each kind of note, with its number of points; empty without notes
    std::string Format(std::size_t points) const;

  private:
    struct Kind
    {
        std::string form; //!< a note without its numbers
        std::string text; //!< note of the first point
        std::size_t points;
        bool hasOthers; //!< there are points with other numbers
    };

    void AddNote(const std::string& form, const std::string& text);

    std::vector<Kind> m_kinds; //!< in order of addition
};

} // namespace ns3::rails

#endif // SWEEP_NOTES_H
