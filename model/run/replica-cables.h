// SPDX-License-Identifier: GPL-2.0-only
#ifndef REPLICA_CABLES_H
#define REPLICA_CABLES_H

#include "ns3/rails-wiring.h"
#include "ns3/replica-fold.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/**
 * Which cables carry the same where replicas do the same, and everything spreads over all ways in
 * fixed shares. A switch has NICs of one replica below it, whose cables upwards are its own, or of
 * all: then its cables carry of each replica the same.
 */
class ReplicaCables
{
  public:
    /// \return nothing where replicas are not wired alike
    static std::optional<ReplicaCables> Find(const Wiring& wiring, const ReplicaFold& fold);

    /// \return the cable of the first replica that carries what one carries
    uint32_t GetCounterpart(uint32_t cable) const
    {
        return m_counterparts[cable];
    }

    /// \return true when it carries something of all replicas
    bool IsShared(uint32_t cable) const
    {
        return m_isShared[cable];
    }

    /// Leaves those that are run their share of what all replicas have in common.
    void Narrow(Wiring& wiring, const ReplicaFold& fold) const;

  private:
    std::vector<uint32_t> m_counterparts; //!< by cable
    std::vector<bool> m_isShared;         //!< by cable
};

} // namespace ns3::rails

#endif // REPLICA_CABLES_H
