// SPDX-License-Identifier: GPL-2.0-only
#include "traffic-planners.h"

#include <algorithm>
#include <cstddef>

namespace ns3::rails
{

TrafficPlanners::Side::Side(const ClusterShape& shape, Ptr<Planner> planner)
    : knowledge(shape, planner->CrossesRails(), planner->TakesRelays()),
      maker(planner, knowledge)
{
}

TrafficPlanners::TrafficPlanners(const ClusterShape& shape, Ptr<Planner> planner)
    : m_main(std::make_unique<Side>(shape, planner)),
      m_other(planner->GetOther() ? std::make_unique<Side>(shape, planner->GetOther()) : nullptr)
{
}

void
TrafficPlanners::SetSubflows(uint32_t subflows)
{
    m_main->maker.SetSubflows(subflows);
    if (m_other)
    {
        m_other->maker.SetSubflows(subflows);
    }
}

void
TrafficPlanners::SetRouter(std::shared_ptr<const Router> router)
{
    m_main->knowledge.SetRouter(router);
    if (m_other)
    {
        m_other->knowledge.SetRouter(router);
    }
}

void
TrafficPlanners::SetExchange(uint16_t kind, bool isExchange)
{
    m_isOther.resize(std::max<std::size_t>(m_isOther.size(), kind + 1), false);
    m_isOther[kind] = !isExchange;
}

const TrafficPlanners::Side&
TrafficPlanners::Choose(uint16_t kind) const
{
    return m_other && kind < m_isOther.size() && m_isOther[kind] ? *m_other : *m_main;
}

const PlanMaker&
TrafficPlanners::GetMaker(uint16_t kind) const
{
    return Choose(kind).maker;
}

const ServerKnowledge&
TrafficPlanners::GetKnowledge(uint16_t kind) const
{
    return Choose(kind).knowledge;
}

} // namespace ns3::rails
