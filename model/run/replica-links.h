// SPDX-License-Identifier: GPL-2.0-only
#ifndef REPLICA_LINKS_H
#define REPLICA_LINKS_H

#include "ns3/rails-wiring.h"
#include "ns3/replica-fold.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/**
 * Links with equal loads where replicas behave alike and all traffic spreads over all paths in
 * fixed shares. Below a switch are NICs of one replica, which then has the switch's uplinks to
 * itself, or NICs of all replicas, whose shares of the uplinks are equal.
 */
class ReplicaLinks
{
  public:
    /// \return nothing when replicas are not wired alike
    static std::optional<ReplicaLinks> Find(const Wiring& wiring, const ReplicaFold& fold);

    /// \return the link of the first replica with the load of a link
    uint32_t GetCounterpart(uint32_t cable) const
    {
        return m_counterparts[cable];
    }

    /// \return true when a link carries traffic of all replicas
    bool IsShared(uint32_t cable) const
    {
        return m_isShared[cable];
    }

    /// Reduces the rates of shared links to the share of the replicas that run.
    void Narrow(Wiring& wiring, const ReplicaFold& fold) const;

  private:
    std::vector<uint32_t> m_counterparts; //!< by link
    std::vector<bool> m_isShared;         //!< by link
};

} // namespace ns3::rails

#endif // REPLICA_LINKS_H
