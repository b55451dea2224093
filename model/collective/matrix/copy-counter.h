// SPDX-License-Identifier: GPL-2.0-only
#ifndef COPY_COUNTER_H
#define COPY_COUNTER_H

#include "expert-dealer.h"
#include "gpu-partition.h"
#include "matrix-sum.h"
#include "traffic-matrix.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Counts token copies of a group with deduplication as in DeepEP: one copy to a server for all its
 * experts, and from there one to a GPU for all its experts. If several GPUs hold an expert, each
 * source assigns its tokens to them in turn, from the first on.
 */
class CopyCounter
{
  public:
    /**
     * \param groups the GPUs of the cluster; must outlive this object
     * \param group number of one of these groups
     * \param placement of experts on the members of the group
     * \param experts number of experts
     */
    CopyCounter(const GpuPartition& groups,
                uint32_t group,
                const ExpertDealer& placement,
                uint32_t experts);

    /// \param experts of the source's next token, ascending
    void Count(const std::vector<uint32_t>& experts);

    /**
     * Ends the current source and starts the next one.
     * \param source a member of the group
     * \param tokenBytes bytes of a copy
     * \param toServers receives the source's traffic to relays on other servers
     * \param inServers receives traffic from these relays, and from the source on its server, to
     *     other GPUs of the server
     */
    void Finish(uint32_t source,
                uint64_t tokenBytes,
                TrafficMatrix& toServers,
                MatrixSum& inServers);

  private:
    const GpuPartition& m_groups;
    const std::vector<uint32_t>& m_gpus; //!< GPUs of the group
    ExpertDealer m_placement;
    std::vector<uint64_t> m_turns;     //!< tokens of the source so far, by expert
    std::vector<uint64_t> m_toGpus;    //!< copies of the source's tokens, by member
    std::vector<uint64_t> m_toServers; //!< copies of the source's tokens, by server
};

} // namespace ns3::rails

#endif // COPY_COUNTER_H
