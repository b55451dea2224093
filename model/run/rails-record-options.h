// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RECORD_OPTIONS_H
#define RAILS_RECORD_OPTIONS_H

#include "ns3/automatic-switch.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace ns3::rails
{

/// Output of a run besides its summary: the section `record`.
class RecordOptions : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * \param hasQueues true when the engine has queues; with false, the result is true only if the
     * descriptor demands queues.csv
     * \return true when queues.csv is wanted
     */
    bool WantsQueues(bool hasQueues) const
    {
        return m_queues.Get(hasQueues);
    }

    /// \return true when links.csv is to have the mean queues
    bool WantsQueueMeans() const
    {
        return m_queueMeans;
    }

    /// \return the largest number of messages of a run for which messages.csv is written
    uint64_t GetMostMessages() const
    {
        return WantsMessages(kMostMessages + 1) ? std::numeric_limits<uint64_t>::max()
               : WantsMessages(0)               ? kMostMessages
                                                : 0;
    }

    /**
     * \param messages number of messages of the run
     * \return true when messages.csv is wanted
     */
    bool WantsMessages(uint64_t messages) const
    {
        return m_messages.Get(messages <= kMostMessages);
    }

    /**
     * \param messages number of messages of the run
     * \return why messages.csv is omitted by default; empty if it is written, or turned off
     */
    std::string ExplainMissingMessages(uint64_t messages) const;

    /**
     * \param lines number of lines of the file
     * \return true when circuits.csv is wanted
     */
    bool WantsCircuits(std::size_t lines) const
    {
        return m_circuits.Get(lines <= kMostCircuits);
    }

    /// \return true when placement.csv is wanted
    bool WantsPlacement() const
    {
        return m_placement;
    }

    /// \return true when links.csv is wanted
    bool WantsLinks() const
    {
        return m_links;
    }

    /// \return true when states of ports are recorded for an Explanation
    bool WantsExplanation() const
    {
        return m_explain;
    }

    /// \return true when no node may lag behind the simulator's time
    bool IsPunctual() const
    {
        return m_punctual;
    }

    /// \return true when the frames of every NIC are captured
    bool WantsPcap() const
    {
        return m_pcap;
    }

    /// \return true when timeline.json is wanted
    bool WantsTimeline() const
    {
        return m_timeline;
    }

    /// \return resolution of the queues in timeline.json; Time::Max(): automatic
    Time GetTimelineResolution() const
    {
        return m_timelineResolution;
    }

  private:
    static constexpr uint64_t kMostMessages = 1'000'000;  // a table of about 60 MB
    static constexpr std::size_t kMostCircuits = 100'000; // a table of about 5 MB

    AutomaticSwitch m_queues;
    bool m_queueMeans{false};
    AutomaticSwitch m_messages;
    AutomaticSwitch m_circuits;
    bool m_placement{false};
    bool m_links{true};
    bool m_explain{false};
    bool m_punctual{false};
    bool m_pcap{false};
    bool m_timeline{false};
    Time m_timelineResolution{Time::Max()};
};

} // namespace ns3::rails

#endif // RAILS_RECORD_OPTIONS_H
