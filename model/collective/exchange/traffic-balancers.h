// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAFFIC_BALANCERS_H
#define TRAFFIC_BALANCERS_H

#include "plan-maker.h"
#include "reachability-view.h"

#include "ns3/balancer.h"
#include "ns3/rails-router.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// Selects the balancer of each kind of traffic: the balancer of the run; the one that it names for
/// all traffic except all-to-all exchanges; or PinnedBalancer for traffic with fixed rails.
class TrafficBalancers
{
  public:
    /**
     * \param shape the cluster
     * \param balancer of the run, see Balancer::GetOtherBalancer()
     */
    TrafficBalancers(const ClusterShape& shape, Ptr<Balancer> balancer);

    /// \param subflows number of messages, each on its own queue pair, that a chunk is split into
    void SetSubflows(uint32_t subflows);

    /// \param router source of known failures; without it none are known
    void SetRouter(std::shared_ptr<const Router> router);

    /// \param frames sizes of frames and headers
    void SetFrames(const FrameFormat& frames);
    const FrameFormat& GetFrames() const;

    /// \return whether one of the balancers paces, see Balancer::Traits
    bool Pace() const;

    /// \return ReachabilityView::GetKnownRate()
    uint64_t GetKnownRate(uint32_t nic) const;

    /**
     * Sets the class of a kind of traffic; by default a kind is an exchange.
     * \param kind Message::kind
     * \param isExchange whether it is an all-to-all exchange of a group
     */
    void SetExchange(uint16_t kind, bool isExchange);

    /// \param isPinned whether the traffic has fixed rails, see LocalDemand::on
    PlanMaker& GetMaker(uint16_t kind, bool isPinned) const;
    const ReachabilityView& GetReachability(uint16_t kind, bool isPinned) const;

    /// \return traffic that the run's balancer has assigned to circuits
    const CircuitTally& GetTally() const;

    /// \return whether direct paths lead to all destinations; otherwise the balancer must find a
    ///     path, for instance a detour
    bool MayPin(const ServerView& view) const;

  private:
    /// A balancer and its reachability.
    struct Side
    {
        Side(const ClusterShape& shape, Ptr<Balancer> balancer);

        ReachabilityView reachability;
        PlanMaker maker;
    };

    template <typename Function>
    void ForSides(const Function& function);
    Side& Choose(uint16_t kind, bool isPinned) const;

    std::unique_ptr<Side> m_main;
    std::unique_ptr<Side> m_other; //!< null: none
    std::unique_ptr<Side> m_pinned;
    std::vector<bool> m_isOther; //!< by kind
};

} // namespace ns3::rails

#endif // TRAFFIC_BALANCERS_H
