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
 * Finds out whether frames would have been paused in a run of flows. Flows wait at their source;
 * frames leave their NIC as long as nobody holds it back, and wait in front of the cable that is
 * too slow for all of them. Had no NIC been paused, all data of a phase would have left by the time
 * that the busiest NIC needs for its own, and what a cable cannot have carried by then would lie
 * in the buffer of its switch. Steps of a phase that follow each other count as one.
 *
 * And whether frames would have been faster: while they wait in front of one receiver, their NIC
 * goes on with what it has for others, and flows hold it to what each receiver lets through. Then
 * no cable is busy all the time.
 */
class BacklogWatch
{
  public:
    /// \param engine whose cables are watched from now on
    explicit BacklogWatch(Ptr<const FlowEngine> engine);

    /// \return true where nothing but pauses holds frames back, and every queue pair has one path
    static bool IsNeeded(const FrameSettings& parts);

    /// A phase with traffic starts now.
    void StartPhase();

    /// The phase ends now.
    void EndPhase();

    /// \return the bytes on the wire that would have waited for one cable between two switches, at
    /// most in a phase
    uint64_t GetLargest() const
    {
        return m_largest;
    }

    /// \return for which part of all phases the busiest cable of each carried data; 1 without one
    double GetBusyPart() const
    {
        return m_duration > 0 ? m_busy / m_duration : 1;
    }

  private:
    Ptr<const FlowEngine> m_engine;
    std::vector<FlowNetwork::Carried> m_before;
    TimePs m_start{0};
    uint64_t m_largest{0};
    double m_busy{0};     // s, the busiest cables
    double m_duration{0}; // s, all phases
};

/**
 * \param parts with a switch that pauses
 * \return bytes that may wait for one port before its switch pauses someone, when they came in by
 * two ports: fewer do not overload a port of their own rate
 */
uint64_t GetPausingBacklog(const FrameSettings& parts);

/**
 * \param parts of servers and switches
 * \param traits of the cluster
 * \param engine of the run, which is over
 * \return bytes that a NIC sends until the first ACK is back, on the longest way
 */
uint64_t GetBandwidthDelayProduct(const FrameSettings& parts,
                                  const FabricTraits& traits,
                                  const FlowEngine& engine);

/**
 * \param engine of a run that is over
 * \param bytes of payload
 * \return part of the payload between NICs that was sent by queue pairs which, on average, had less
 * than these bytes whenever they had something to send
 */
double GetShareOfShortBacklogs(const FlowEngine& engine, uint64_t bytes);

/**
 * \param parts of servers and switches
 * \param traits of the cluster
 * \param engine of the run, which is over
 * \param backlogs of the run; nullptr where it is not needed
 * \return why the run may be far from what frames would do, a sentence each
 */
std::vector<std::string> FindFlowLimits(const FrameSettings& parts,
                                        const FabricTraits& traits,
                                        const FlowEngine& engine,
                                        const BacklogWatch* backlogs);

} // namespace ns3::rails

#endif // FLOW_LIMITS_H
