// SPDX-License-Identifier: GPL-2.0-only
#ifndef SWEEP_NOTES_H
#define SWEEP_NOTES_H

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace ns3::rails
{

/// What points of a sweep have to say, each thing once: notes that differ in numbers alone are one.
class SweepNotes
{
  public:
    /// \param notes of a point's result: a list of text, or null
    void Add(const nlohmann::json& notes);

    /// \return a line for each kind of note with how many points say it; empty without notes
    std::string Format(std::size_t points) const;

  private:
    struct Kind
    {
        std::string form; //!< a note without its numbers
        std::string text; //!< of the first point
        std::size_t points;
        bool hasOthers; //!< points with other numbers
    };

    void AddNote(const std::string& form, const std::string& text);

    std::vector<Kind> m_kinds; //!< as they came
};

} // namespace ns3::rails

#endif // SWEEP_NOTES_H
