// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAFFIC_PLANNERS_H
#define TRAFFIC_PLANNERS_H

#include "plan-maker.h"
#include "server-knowledge.h"

#include "ns3/planner.h"
#include "ns3/rails-router.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// Who plans which traffic: the planner of a run, or the one that it names for all but exchanges;
/// what has rails of its own stays on these (PinnedPlanner).
class TrafficPlanners
{
  public:
    /**
     * \param shape the cluster
     * \param planner of the run, see Planner::GetOtherPlanner()
     */
    TrafficPlanners(const ClusterShape& shape, Ptr<Planner> planner);

    /// \param subflows into how many messages, each on a queue pair of its own, a piece is split
    void SetSubflows(uint32_t subflows);

    /// \param router what servers know of failures; without it they know of none
    void SetRouter(std::shared_ptr<const Router> router);

    /// \param frames how bytes become frames
    void SetFrames(const FrameFormat& frames);
    const FrameFormat& GetFrames() const;

    /// \return whether one of the planners paces, see Planner::Paces()
    bool Pace() const;

    /// \return ServerKnowledge::GetKnownRate()
    uint64_t GetKnownRate(uint32_t nic) const;

    /**
     * Says what a kind of traffic is; one that nobody has spoken of is an exchange.
     * \param kind Message::kind
     * \param isExchange whether it is the exchange of a group: all-to-all
     */
    void SetExchange(uint16_t kind, bool isExchange);

    /// \param isPinned whether the traffic has rails of its own, see LocalDemand::on
    PlanMaker& GetMaker(uint16_t kind, bool isPinned) const;
    const ServerKnowledge& GetKnowledge(uint16_t kind, bool isPinned) const;

    /// \return what the planner of the run has given to circuits
    const CircuitTally& GetTally() const;

    /// \return whether rails lead to all that a server has something for; otherwise a planner has
    /// to find a way, by detours for one
    bool MayPin(const ServerView& view) const;

  private:
    /// A planner, and what it is shown.
    struct Side
    {
        Side(const ClusterShape& shape, Ptr<Planner> planner);

        ServerKnowledge knowledge;
        PlanMaker maker;
    };

    template <typename Function>
    void ForSides(const Function& function);
    Side& Choose(uint16_t kind, bool isPinned) const;

    std::unique_ptr<Side> m_main;
    std::unique_ptr<Side> m_other; //!< null: there is no other
    std::unique_ptr<Side> m_pinned;
    std::vector<bool> m_isOther; //!< by kind
};

} // namespace ns3::rails

#endif // TRAFFIC_PLANNERS_H
