// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_CHROME_TRACE_H
#define RAILS_CHROME_TRACE_H

#include "ns3/rails-units.h"

#include <cstdint>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * Events in the Chrome trace format (a JSON object with traceEvents), which Perfetto and
 * chrome://tracing open. Processes and the tracks in them are shown in the order in which they are
 * added. An event takes 32 bytes; equal texts are kept once.
 *
 * Slices are duration events, which viewers want to nest: those of a track must follow each other.
 * What may overlap belongs on several tracks. (Asynchronous events may overlap, but have no way to
 * say on which track of their process they are to be drawn.)
 */
class ChromeTrace
{
  public:
    /// Numbers that Add functions give out; each for its kind of thing only.
    using Id = uint32_t;

    /// \return a process, which groups tracks and counters
    Id AddProcess(const std::string& name);

    /// \return a track for slices and instants
    Id AddTrack(Id process, const std::string& name);

    /// \return a counter, which is 0 until its first value
    Id AddCounter(Id process, const std::string& name, const std::string& unit);

    /**
     * \param name what is written on a slice or an instant
     * \param category what to select it by
     * \param arguments an object: what is shown when it is selected; may be empty
     * \return a label for any number of slices and instants
     */
    Id AddLabel(const std::string& name,
                const std::string& category,
                const nlohmann::ordered_json& arguments);
    /// Adds a label without anything to show.
    Id AddLabel(const std::string& name, const std::string& category);

    /// Adds a slice; it begins no earlier than the end of the one before on its track.
    void AddSlice(Id track, TimePs begin, TimePs end, Id label);
    /// Adds an instant.
    void AddInstant(Id track, TimePs at, Id label);
    /// Adds a value of a counter.
    void AddValue(Id counter, TimePs at, uint64_t value);

    /// Puts the events in the order of time; those of one instant stay as they were added.
    void SortByTime();

    /// Writes it all, piece by piece. Times are in us and exact to the picosecond.
    void Write(std::ostream& os) const;

  private:
    struct Track
    {
        Id process;
        std::string name;
    };

    struct Counter
    {
        Id process;
        std::string name; // the members of its events that stay the same, as JSON
    };

    enum class Kind : uint8_t
    {
        Begin,
        End,
        Instant,
        Value
    };

    struct Event
    {
        TimePs at;
        uint64_t value; // of a counter
        Id owner;       // track or counter
        Id label;
        Kind kind;
    };

    uint32_t GetPid(Id process) const;
    uint32_t GetTid(Id track) const;
    void WriteNames(std::ostream& os) const;
    void WriteEvent(std::ostream& os, const Event& event) const;

    std::vector<std::string> m_processes;
    std::vector<Track> m_tracks;
    std::vector<Counter> m_counters;
    std::vector<std::string> m_labels; // members of an object, as JSON
    std::vector<Event> m_events;
};

} // namespace ns3::rails

#endif // RAILS_CHROME_TRACE_H
