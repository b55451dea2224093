// SPDX-License-Identifier: GPL-2.0-only
#ifndef COPY_COUNTER_H
#define COPY_COUNTER_H

#include "expert-dealer.h"
#include "gpu-groups.h"
#include "group-servers.h"
#include "matrix-sum.h"
#include "traffic-matrix.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Counts how often the tokens of a group are sent when one copy serves all experts of a server on
 * its way there, and all experts of a GPU from there (as DeepEP does it). Which of several GPUs
 * with the same expert gets a token is dealt in turn, from the first one on for each source.
 */
class CopyCounter
{
  public:
    /**
     * \param shape the cluster
     * \param group of its GPUs
     * \param placement of experts on the members of the group
     * \param experts how many there are
     */
    CopyCounter(const ClusterShape& shape,
                const GpuGroup& group,
                const ExpertDealer& placement,
                uint32_t experts);

    /// \param experts of the source's next token, in ascending order
    void Count(const std::vector<uint32_t>& experts);

    /**
     * Ends a source, and begins with the next one.
     * \param source a member of the group
     * \param tokenBytes bytes of a copy
     * \param toServers gets what the source has for relays on other servers
     * \param inServers gets what these, and the source on its own server, have for GPUs beside them
     */
    void Finish(uint32_t source,
                uint64_t tokenBytes,
                TrafficMatrix& toServers,
                MatrixSum& inServers);

  private:
    GpuGroup m_group;
    ExpertDealer m_placement;
    GroupServers m_servers;
    std::vector<uint64_t> m_turns;     //!< tokens of the source so far, by expert
    std::vector<uint64_t> m_toGpus;    //!< copies of the source's tokens, by member
    std::vector<uint64_t> m_toServers; //!< copies of the source's tokens, by server
};

} // namespace ns3::rails

#endif // COPY_COUNTER_H
