// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_LIMITS_H
#define FLOW_LIMITS_H

#include "ns3/fabric-traits.h"
#include "ns3/flow-engine.h"
#include "ns3/frame-settings.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * Estimates where a flow-level run differs from a packet-level one.
 *
 * Pauses: flows wait at their sources, but packets leave a NIC until it is paused, and wait in
 * front of the bottleneck. Without pauses all data of a phase would have left within the wire time
 * of the busiest NIC. Data that a link cannot have carried by then would wait in the buffer of its
 * switch. Steps of a phase that follow each other count as one.
 *
 * Idle links: while packets wait in front of one receiver, their NIC sends to others; flows limit
 * the NIC to the rate of each receiver. Then no link is busy all the time, and packet-level
 * simulation would be faster.
 */
class BacklogWatch
{
  public:
    /// \param engine whose links are watched from now on
    explicit BacklogWatch(Ptr<const FlowEngine> engine);

    /// \return true when only PFC limits senders, and every queue pair has one path
    static bool IsNeeded(const FrameSettings& parts);

    /// A phase with traffic starts now.
    void StartPhase();

    /// The phase ends now.
    void EndPhase();

    /// \return largest estimated backlog of a link between two switches in a phase, in bytes on the
    /// wire
    uint64_t GetLargest() const
    {
        return m_largest;
    }

    /// \return part of the phases' time in which the busiest link of each phase carried data; 1
    /// without phases
    double GetBusyPart() const
    {
        return m_duration > 0 ? m_busy / m_duration : 1;
    }

  private:
    Ptr<const FlowEngine> m_engine;
    std::vector<FlowNetwork::Carried> m_before;
    TimePs m_start{0};
    uint64_t m_largest{0};
    double m_busy{0};     // s, sum over phases of the busiest link's time
    double m_duration{0}; // s, of all phases
};

/**
 * \param parts with PFC
 * \return bytes that may wait for one port before its switch pauses a port, if they came in by two
 * ports: one port alone cannot overload a port of its own rate
 */
uint64_t GetPausingBacklog(const FrameSettings& parts);

/**
 * \param parts of servers and switches
 * \param traits of the cluster
 * \param engine of a run that is over
 * \return bytes that a NIC sends until the first ACK is back, on the longest path
 */
uint64_t GetBandwidthDelayProduct(const FrameSettings& parts,
                                  const FabricTraits& traits,
                                  const FlowEngine& engine);

/**
 * \param engine of a run that is over
 * \param bytes payload
 * \return part of the payload between NICs of queue pairs whose mean backlog was below `bytes`
 */
double GetShareOfShortBacklogs(const FlowEngine& engine, uint64_t bytes);

/**
 * \param parts of servers and switches
 * \param traits of the cluster
 * \param engine of a run that is over
 * \param backlogs of the run; null unless BacklogWatch::IsNeeded()
 * \return a sentence for each reason why packet-level simulation may differ much
 */
std::vector<std::string> FindFlowLimits(const FrameSettings& parts,
                                        const FabricTraits& traits,
                                        const FlowEngine& engine,
                                        const BacklogWatch* backlogs);

} // namespace ns3::rails

#endif // FLOW_LIMITS_H
