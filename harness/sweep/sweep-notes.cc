// SPDX-License-Identifier: GPL-2.0-only
#include "sweep-notes.h"

#include "ns3/printable-text.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

namespace ns3::rails
{

void
SweepNotes::Add(const nlohmann::json& notes)
{
    static const std::regex number("[0-9][0-9.,]*");
    std::map<std::string, std::string> said; // a point counts once for each kind of note
    std::string parts;
    for (const std::string note : notes)
    {
        const std::string mark = "shortened: "; // after the name of one of several jobs
        if (const std::size_t at = note.find(mark); at != std::string::npos)
        {
            parts +=
                (parts.empty() ? "" : ", ") + note.substr(0, at) + note.substr(at + mark.size());
        }
        else
        {
            said.emplace(std::regex_replace(note, number, "#"), note);
        }
    }
    if (!parts.empty())
    {
        // Runs of different parts are not comparable, so each part is its own kind.
        AddNote(parts, "shortened, not a whole iteration: " + parts);
    }
    for (const auto& [form, text] : said)
    {
        AddNote(form, text);
    }
}

void
SweepNotes::AddNote(const std::string& form, const std::string& text)
{
    const auto known = std::find_if(m_kinds.begin(), m_kinds.end(), [&](const Kind& kind) {
        return kind.form == form;
    });
    if (known == m_kinds.end())
    {
        m_kinds.push_back({form, text, 1, false});
        return;
    }
    ++known->points;
    known->hasOthers |= known->text != text;
}

std::string
SweepNotes::Format(std::size_t points) const
{
    constexpr std::size_t most = 12;
    std::ostringstream out;
    for (std::size_t at = 0; at < std::min(most, m_kinds.size()); ++at)
    {
        const Kind& kind = m_kinds[at];
        out << kind.points << " of " << points << (points == 1 ? " point" : " points")
            << (kind.hasOthers ? ", each with its own numbers" : "") << ": "
            << MakeOneLine(kind.text) << '\n';
    }
    if (m_kinds.size() > most)
    {
        out << "and " << m_kinds.size() - most << " more kinds of notes, in the results\n";
    }
    return out.str();
}

} // namespace ns3::rails
