// SPDX-License-Identifier: GPL-2.0-only
#ifndef REPLICA_FINDER_H
#define REPLICA_FINDER_H

#include "rails-run-settings.h"

#include "ns3/graph-program.h"
#include "ns3/path-spread.h"
#include "ns3/rails-wiring.h"
#include "ns3/replica-fold.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

/// Finds replicas of a program (GraphProgram::GetReplicas()) that behave alike on a cluster: with
/// equal work, at equal places of the fabric, and without common links except those of NICs that
/// send to other replicas. With SYMMETRY_CLOSE, sizes may differ slightly, and replicas may share
/// links between switches in equal parts (ReplicaLinks).
class ReplicaFinder
{
  public:
    /**
     * \param wiring must outlive this
     * \param settings of the run; must outlive this
     * \param spread of a queue pair's bytes over the paths of the fabric
     */
    ReplicaFinder(const Wiring& wiring,
                  const RunSettings& settings,
                  const std::optional<PathSpread>& spread);

    /// \param isBrief true to compare only some of the nodes: for estimates
    /// \return the replicas, of which two represent all; null: no such replicas, or fewer than
    /// three
    std::shared_ptr<const ReplicaFold> Find(const GraphProgram& program, bool isBrief = false);

    /// \return why Find() found none; empty for fewer than three replicas
    const std::string& GetReason() const
    {
        return m_reason;
    }

  private:
    std::optional<std::string> FindObstacle() const;
    bool IsClose() const;
    bool AllMeetInOneSwitch() const;
    bool AreAlike(uint32_t server, uint32_t other) const;
    bool HaveAlikeServers(const ReplicaFold& fold) const;

    const Wiring& m_wiring;
    const RunSettings& m_settings;
    bool m_isSpread;   //!< all traffic takes all paths, in fixed shares
    uint32_t m_period; //!< of the balancer's choices, in servers; 0: not periodic
    std::string m_reason;
};

} // namespace ns3::rails

#endif // REPLICA_FINDER_H
