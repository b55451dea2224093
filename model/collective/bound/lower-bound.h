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

/// One thing that a phase cannot be faster than.
struct BoundTerm
{
    TimePs time{0};       //!< to the last byte delivered; 0 when it has nothing to move
    uint32_t where{0};    //!< the server or GPU that needs it
    TimePs senderTime{0}; //!< to the last ACK at its sender; 0 when it says nothing about that
};

/// Lower bound of one phase.
struct PhaseBound
{
    TimePs time{0};            //!< to the last byte delivered, or the length of a wait
    std::string binding;       //!< the term that makes it, or "compute" or "gap"
    TimePs timeWithAcks{0};    //!< the same, where a server's NICs carry its ACKs as well
    TimePs senderTime{0};      //!< to the last ACK at its sender; 0 in compute and gap
    std::string senderBinding; //!< the term that makes it
    /// server_send, server_receive, nvlink_send, nvlink_receive, gpu_send, gpu_receive; pcie where
    /// servers have it, chain where there is one
    std::map<std::string, BoundTerm> terms;
};

/**
 * The time that no scheme can beat (contract of `lower_bound_s`), in whole picoseconds, rounded
 * down. Every term is a true bound for any placement, any splitting and any order:
 *
 * - server_send, server_receive: the wire bytes of a server's GPU-pair messages, left whole, over
 * all its NICs together, at the best rate that each had. Splitting adds frames and never removes
 * one.
 * - nvlink_send, nvlink_receive: what a GPU has for, or gets from, GPUs of its own server that it
 *   reaches by NVLink crosses its NVLink port.
 * - pcie: what GPUs have for those of their own server that they reach by PCIe crosses their ports,
 *   and what their PCIe switches and sockets share. What a server, or those of its GPUs that share
 * a PCIe link, have for all others goes by all links and NICs together that lead out of there
 *   (ServerCuts).
 * - gpu_send, gpu_receive: the same of a single GPU: NVLink, PCIe, and the NICs near it where
 * nothing lies between. NVLink and PCIe carry payload alone, a NIC at best full frames.
 * - chain: in a phase of steps that wait for each other, the longest way through them, every
 * message taking what the terms above give for it alone.
 *
 * Of steps that start at times of their own, those from a time on cannot be over before that time
 * and what the terms say of them. A term begins or ends with the shortest way to the other end: the
 * propagation of all links and, store and forward, the smallest possible frame on each link but the
 * one that the term is about (one byte of payload: a scheme may end with such a frame); or one
 * crossing of NVLink where that can be shorter.
 */
class LowerBound
{
  public:
    /**
     * \param schedule what is to be done
     * \param speeds on which cluster
     */
    LowerBound(const WorkloadSchedule& schedule, const ClusterSpeeds& speeds);

    /**
     * \return from the first post to the last byte delivered: the sum over the phases. Compute and
     * gap before the first and behind the last phase with traffic do not count.
     */
    TimePs GetTime() const;

    /**
     * \return the same with server_send and server_receive of data and of the ACKs that go the same
     * way, one for each frame of messages that are left whole. It bounds what acknowledges each
     * frame, by as many frames or more.
     */
    TimePs GetTimeWithAcks() const;

    /// \return from the first post to the last ACK
    TimePs GetSenderTime() const;

    /// \return the term that binds the phase with the largest bound; empty without traffic
    const std::string& GetBinding() const;

    /**
     * \return each term, added up over the phases that count (what the bound would be with this
     * term alone), and their compute and gap times together as "wait"
     */
    const std::map<std::string, TimePs>& GetParts() const;

    /// \return the bound of every phase of the schedule
    const std::vector<PhaseBound>& GetPhases() const;

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
