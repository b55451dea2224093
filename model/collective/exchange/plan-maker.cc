// SPDX-License-Identifier: GPL-2.0-only
#include "plan-maker.h"

#include "ns3/log.h"
#include "ns3/rails-quantity.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3::rails
{

NS_LOG_COMPONENT_DEFINE("RailsPlanMaker");

namespace
{

/// \return the chunks, each split evenly over several queue pairs
std::vector<Piece>
SplitPieces(std::vector<Piece> pieces, uint32_t subflows)
{
    std::vector<Piece> parts;
    for (const Piece& piece : pieces)
    {
        for (uint32_t subflow = 0; subflow < subflows; ++subflow)
        {
            Piece part = piece;
            // A queue pair of the plan stands for `subflows` queue pairs.
            part.subflow =
                static_cast<uint16_t>((piece.subflow * subflows + subflow) % kMostSubflows);
            part.bytes = piece.bytes / subflows + (subflow < piece.bytes % subflows ? 1 : 0);
            if (part.bytes > 0)
            {
                parts.push_back(part);
            }
        }
    }
    return parts;
}

} // namespace

PlanMaker::PlanMaker(Ptr<Balancer> balancer, const ReachabilityView& failures)
    : m_balancer(balancer),
      m_reachability(failures)
{
}

void
PlanMaker::SetSubflows(uint32_t subflows)
{
    m_subflows = subflows;
}

uint16_t
PlanMaker::GetQueue(uint16_t subflow) const
{
    return static_cast<uint16_t>(subflow / m_subflows);
}

const Balancer&
PlanMaker::GetBalancer() const
{
    return *m_balancer;
}

ServerPlan
PlanMaker::MakePlan(ServerView view, const ExchangeCounts* counts)
{
    m_reachability.ShowTo(view);
    ServerPlan plan{std::move(view), {}};
    plan.pieces = m_balancer->MakePieces(plan.view, counts);
    CheckPlan(plan);
    Count(plan);
    plan.pieces = SplitPieces(std::move(plan.pieces), m_subflows);
    NS_LOG_LOGIC(FormatTime(NowPs())
                 << ": server " << plan.view.server << " plans " << plan.view.demands.size()
                 << " demands as " << plan.pieces.size() << " messages"
                 << (plan.view.reach.empty() ? "" : ", and knows of failures"));
    return plan;
}

void
PlanMaker::Count(const ServerPlan& plan)
{
    if (plan.view.circuits.empty())
    {
        return;
    }
    std::set<uint16_t> rails; // rails of NICs with circuits
    for (const auto& [other, ways] : plan.view.circuits)
    {
        for (const NicWay& way : ways)
        {
            rails.insert(way.tx);
        }
    }
    for (const Piece& piece : plan.pieces)
    {
        m_tally.bytes += piece.bytes;
        m_tally.byCircuits += rails.count(piece.txRail) > 0 ? piece.bytes : 0;
    }
}

void
PlanMaker::CheckPlan(const ServerPlan& plan) const
{
    const ServerView& view = plan.view;
    const auto require = [&](bool met, const char* what) {
        if (!met)
        {
            throw std::logic_error(m_balancer->GetInstanceTypeId().GetName() +
                                   ": the plan of server " + std::to_string(view.server) + " " +
                                   what);
        }
    };
    std::vector<uint64_t> left;
    for (const LocalDemand& demand : view.demands)
    {
        left.push_back(demand.bytes);
    }
    for (const Piece& piece : plan.pieces)
    {
        require(piece.demand < left.size(), "has a piece of nothing");
        require(piece.bytes > 0, "has an empty piece");
        require(piece.bytes <= left[piece.demand], "sends some bytes twice");
        require(piece.txRail < view.shape.nicsPerServer && piece.rxRail < view.shape.nicsPerServer,
                "uses a rail that does not exist");
        left[piece.demand] -= piece.bytes;
    }
    require(std::all_of(left.begin(), left.end(), [](uint64_t bytes) { return bytes == 0; }),
            "leaves out some bytes");
}

} // namespace ns3::rails
