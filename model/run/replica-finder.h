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

/// Finds replicas in a program (GraphProgram::GetReplicas()) that do the same at the same time on a
/// cluster: with as much to do, at equal places of the fabric, and nothing there in common but the
/// NICs that send from one to another. Where it need be close only (Symmetry), they may send nearly
/// as much, and share cables between switches in equal parts (ReplicaCables).
class ReplicaFinder
{
  public:
    /**
     * \param wiring and settings of the run; both have to live as long
     * \param spread how what a queue pair sends spreads over the ways of the fabric
     */
    ReplicaFinder(const Wiring& wiring,
                  const RunSettings& settings,
                  const std::optional<PathSpread>& spread);

    /// \param isBrief whether a look at some of the nodes is enough: for estimates
    /// \return the replicas, of which two answer for all; null: none, or not worth while
    std::shared_ptr<const ReplicaFold> Find(const GraphProgram& program, bool isBrief = false);

    /// \return why Find() has found none; empty where there are not three
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
    bool m_isSpread;   //!< all that is sent takes all ways, in fixed shares
    uint32_t m_period; //!< of planners; 0: none
    std::string m_reason;
};

} // namespace ns3::rails

#endif // REPLICA_FINDER_H
