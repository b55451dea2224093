// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOWER_BOUND_H
#define LOWER_BOUND_H

#include "bound-speeds.h"

#include "ns3/rails-units.h"
#include "ns3/workload-schedule.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::rails
{

/// A term of the lower bound of a phase.
struct BoundTerm
{
    TimePs time{0};       //!< until the last byte is delivered; 0 without traffic
    uint32_t where{0};    //!< server or GPU with the largest value
    TimePs senderTime{0}; //!< until the last ACK is at its sender; 0 if not bounded
};

/// Lower bound of one phase.
struct PhaseBound
{
    TimePs time{0};            //!< until the last byte is delivered, or the length of a wait
    std::string binding;       //!< largest term, or "compute" or "gap"
    TimePs timeWithAcks{0};    //!< the same, with ACKs on the NICs of a server
    TimePs senderTime{0};      //!< until the last ACK is at its sender; 0 in compute and gap
    std::string senderBinding; //!< largest term of senderTime
    /// server_send, server_receive, nvlink_send, nvlink_receive, gpu_send, gpu_receive; pcie where
    /// servers have it, chain where there is one
    std::map<std::string, BoundTerm> terms;
};

/**
 * Lower bound of the completion time for any scheme (contract of `lower_bound_s`), in whole
 * picoseconds, rounded down. Every term holds for any placement, splitting and order:
 *
 * - server_send, server_receive: wire bytes of a server's GPU-pair messages, unsplit, over all its
 *   NICs together, at the best rate of each. Splitting adds frames and never removes one.
 * - nvlink_send, nvlink_receive: traffic of a GPU with GPUs of its server that it reaches by
 *   NVLink, over its NVLink port.
 * - pcie: traffic of GPUs inside a server by PCIe, over their ports, PCIe switches and sockets.
 *   Traffic of a server, or of its GPUs that share a PCIe link, with all others, over all links and
 *   NICs that lead out of there (ServerCuts).
 * - gpu_send, gpu_receive: the same for a single GPU, over NVLink, PCIe and the NICs attached
 *   without a link between. NVLink and PCIe carry payload only, a NIC at best full frames.
 * - chain: in a phase of dependent steps, the longest path through the steps. Each message takes
 *   its time by the terms above.
 *
 * If steps start at given times, the steps from a time on end no earlier than this time plus their
 * terms. A term begins or ends with the shortest path to the other end: the propagation of all
 * links and, store and forward, the smallest possible frame on each link except the link of the
 * term (one byte of payload, since a scheme may end with such a frame). If one crossing of NVLink
 * can be shorter, it counts instead.
 */
class LowerBound
{
  public:
    /**
     * \param schedule phases of the run
     * \param speeds of the cluster
     */
    LowerBound(const WorkloadSchedule& schedule, const ClusterSpeeds& speeds);

    /**
     * \return bound from the first post to the last byte delivered, summed over phases. Compute and
     *     gap before the first and after the last phase with traffic do not count.
     */
    TimePs GetTime() const
    {
        return m_time;
    }

    /**
     * \return the same bound, where server_send and server_receive also include ACKs in their
     *     direction, one per frame of unsplit messages. It holds for schemes that acknowledge at
     *     least once per frame.
     */
    TimePs GetTimeWithAcks() const
    {
        return m_timeWithAcks;
    }

    /// \return bound from the first post to the last ACK at its sender
    TimePs GetSenderTime() const
    {
        return m_senderTime;
    }

    /// \return largest term of the phase with the largest bound; empty without traffic
    const std::string& GetBinding() const
    {
        return m_binding;
    }

    /**
     * \return each term, summed over the phases that count (the bound if only this term existed);
     *     compute and gap times together as "wait"
     */
    const std::map<std::string, TimePs>& GetParts() const
    {
        return m_parts;
    }

    /// \return the bound of every phase of the schedule
    const std::vector<PhaseBound>& GetPhases() const
    {
        return m_phases;
    }

  private:
    void AddUp(const WorkloadSchedule& schedule);

    std::vector<PhaseBound> m_phases;
    TimePs m_time{0};
    TimePs m_timeWithAcks{0};
    TimePs m_senderTime{0};
    std::string m_binding;
    std::map<std::string, TimePs> m_parts;
};

} // namespace ns3::rails

#endif // LOWER_BOUND_H
