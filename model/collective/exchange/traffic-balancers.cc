// SPDX-License-Identifier: GPL-2.0-only
#include "traffic-balancers.h"

#include "ns3/pinned-balancer.h"

#include <algorithm>
#include <cstddef>

namespace ns3::rails
{

TrafficBalancers::Side::Side(const ClusterShape& shape, Ptr<Balancer> balancer)
    : reachability(shape, balancer->CrossesRails(), balancer->GetTraits().takesDetours),
      maker(balancer, reachability)
{
}

TrafficBalancers::TrafficBalancers(const ClusterShape& shape, Ptr<Balancer> balancer)
    : m_main(std::make_unique<Side>(shape, balancer)),
      m_other(balancer->GetOtherBalancer()
                  ? std::make_unique<Side>(shape, balancer->GetOtherBalancer())
                  : nullptr),
      m_pinned(std::make_unique<Side>(shape, CreateObject<PinnedBalancer>()))
{
}

template <typename Function>
void
TrafficBalancers::ForSides(const Function& function)
{
    for (Side* side : {m_main.get(), m_other.get(), m_pinned.get()})
    {
        if (side)
        {
            function(*side);
        }
    }
}

void
TrafficBalancers::SetSubflows(uint32_t subflows)
{
    ForSides([subflows](Side& side) { side.maker.SetSubflows(subflows); });
}

void
TrafficBalancers::SetRouter(std::shared_ptr<const Router> router)
{
    ForSides([&router](Side& side) { side.reachability.SetRouter(router); });
}

void
TrafficBalancers::SetFrames(const FrameFormat& frames)
{
    ForSides([&frames](Side& side) { side.reachability.SetFrames(frames); });
}

const FrameFormat&
TrafficBalancers::GetFrames() const
{
    return m_main->reachability.GetFrames();
}

bool
TrafficBalancers::Pace() const
{
    return m_main->maker.GetBalancer().GetTraits().paces ||
           (m_other && m_other->maker.GetBalancer().GetTraits().paces);
}

uint64_t
TrafficBalancers::GetKnownRate(uint32_t nic) const
{
    return m_main->reachability.GetKnownRate(nic);
}

void
TrafficBalancers::SetExchange(uint16_t kind, bool isExchange)
{
    m_isOther.resize(std::max<std::size_t>(m_isOther.size(), kind + 1), false);
    m_isOther[kind] = !isExchange;
}

TrafficBalancers::Side&
TrafficBalancers::Choose(uint16_t kind, bool isPinned) const
{
    if (isPinned)
    {
        return *m_pinned;
    }
    return m_other && kind < m_isOther.size() && m_isOther[kind] ? *m_other : *m_main;
}

PlanMaker&
TrafficBalancers::GetMaker(uint16_t kind, bool isPinned) const
{
    return Choose(kind, isPinned).maker;
}

const ReachabilityView&
TrafficBalancers::GetReachability(uint16_t kind, bool isPinned) const
{
    return Choose(kind, isPinned).reachability;
}

const CircuitTally&
TrafficBalancers::GetTally() const
{
    return m_main->maker.GetTally();
}

bool
TrafficBalancers::MayPin(const ServerView& view) const
{
    return m_pinned->reachability.LeadsToAll(view);
}

} // namespace ns3::rails
