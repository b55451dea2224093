// SPDX-License-Identifier: GPL-2.0-only
#include "traffic-planners.h"

#include "ns3/pinned-planner.h"

#include <algorithm>
#include <cstddef>

namespace ns3::rails
{

TrafficPlanners::Side::Side(const ClusterShape& shape, Ptr<Planner> planner)
    : knowledge(shape, planner->CrossesRails(), planner->TakesDetours()),
      maker(planner, knowledge)
{
}

TrafficPlanners::TrafficPlanners(const ClusterShape& shape, Ptr<Planner> planner)
    : m_main(std::make_unique<Side>(shape, planner)),
      m_other(planner->GetOtherPlanner() ? std::make_unique<Side>(shape, planner->GetOtherPlanner())
                                         : nullptr),
      m_pinned(std::make_unique<Side>(shape, CreateObject<PinnedPlanner>()))
{
}

template <typename Function>
void
TrafficPlanners::ForSides(const Function& function)
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
TrafficPlanners::SetSubflows(uint32_t subflows)
{
    ForSides([subflows](Side& side) { side.maker.SetSubflows(subflows); });
}

void
TrafficPlanners::SetRouter(std::shared_ptr<const Router> router)
{
    ForSides([&router](Side& side) { side.knowledge.SetRouter(router); });
}

void
TrafficPlanners::SetFrames(const FrameFormat& frames)
{
    ForSides([&frames](Side& side) { side.knowledge.SetFrames(frames); });
}

const FrameFormat&
TrafficPlanners::GetFrames() const
{
    return m_main->knowledge.GetFrames();
}

bool
TrafficPlanners::Pace() const
{
    return m_main->maker.GetPlanner().Paces() || (m_other && m_other->maker.GetPlanner().Paces());
}

uint64_t
TrafficPlanners::GetKnownRate(uint32_t nic) const
{
    return m_main->knowledge.GetKnownRate(nic);
}

void
TrafficPlanners::SetExchange(uint16_t kind, bool isExchange)
{
    m_isOther.resize(std::max<std::size_t>(m_isOther.size(), kind + 1), false);
    m_isOther[kind] = !isExchange;
}

TrafficPlanners::Side&
TrafficPlanners::Choose(uint16_t kind, bool isPinned) const
{
    if (isPinned)
    {
        return *m_pinned;
    }
    return m_other && kind < m_isOther.size() && m_isOther[kind] ? *m_other : *m_main;
}

PlanMaker&
TrafficPlanners::GetMaker(uint16_t kind, bool isPinned) const
{
    return Choose(kind, isPinned).maker;
}

const ServerKnowledge&
TrafficPlanners::GetKnowledge(uint16_t kind, bool isPinned) const
{
    return Choose(kind, isPinned).knowledge;
}

const CircuitTally&
TrafficPlanners::GetTally() const
{
    return m_main->maker.GetTally();
}

bool
TrafficPlanners::MayPin(const ServerView& view) const
{
    return m_pinned->knowledge.LeadsToAll(view);
}

} // namespace ns3::rails
