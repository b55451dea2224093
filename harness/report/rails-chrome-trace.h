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
 * chrome://tracing open. Viewers show processes, and the tracks in them, in the order of their
 * addition. An event takes 32 bytes, and equal texts are stored once.
 *
 * Slices are duration events, which viewers require to nest, so slices of a track must follow each
 * other. Overlapping slices need several tracks. (Asynchronous events may overlap, but cannot
 * select a track of their process.)
 */
class ChromeTrace
{
  public:
    /// Number from an Add function, valid for its kind (process, track, counter or label) only.
    using Id = uint32_t;

    /// \return a process, which groups tracks and counters
    Id AddProcess(const std::string& name);

    /// \return a track for slices and instants
    Id AddTrack(Id process, const std::string& name);

    /// \return a counter, which is 0 until its first value
    Id AddCounter(Id process, const std::string& name, const std::string& unit);

    /**
     * \param name text on a slice or an instant
     * \param category for filters
     * \param arguments an object that the viewer shows on selection; may be empty
     * \return a label for any number of slices and instants
     */
    Id AddLabel(const std::string& name,
                const std::string& category,
                const nlohmann::ordered_json& arguments);
    /// Adds a label without arguments.
    Id AddLabel(const std::string& name, const std::string& category);

    /// Adds a slice, which begins no earlier than the end of the previous slice on its track.
    void AddSlice(Id track, TimePs begin, TimePs end, Id label);
    /// Adds an instant.
    void AddInstant(Id track, TimePs at, Id label);
    /// Adds a value of a counter.
    void AddValue(Id counter, TimePs at, uint64_t value);

    /// Sorts the events by time; equal times keep the order of addition.
    void SortByTime();

    /// Writes the trace as a stream. Times are in us and exact to the picosecond.
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
