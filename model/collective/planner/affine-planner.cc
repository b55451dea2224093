// SPDX-License-Identifier: GPL-2.0-only
#include "affine-planner.h"

#include "demand-pieces.h"
#include "nic-turns.h"

#include "ns3/enum.h"
#include "ns3/rails-about.h"

#include <algorithm>
#include <tuple>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(AffinePlanner);

TypeId
AffinePlanner::GetTypeId()
{
    // EnumValue is a class in older versions of ns-3 and a template in newer ones.
    using ArrivalValue = decltype(EnumValue(SAME_RAIL));
    static TypeId tid =
        AddChunk(
            AddAbout(
                TypeId("ns3::rails::AffinePlanner").SetParent<RowPlanner>(),
                "A GPU sends by the NICs near it, and cuts what it has for another into a part for "
                "each of them. (what NCCL does with two NICs per GPU)")
                .SetGroupName("Rails")
                .AddConstructor<AffinePlanner>(),
            &AffinePlanner::m_chunk,
            ByteSize::Special(),
            "Largest piece of such a part.")
            .AddAttribute("Arrival",
                          "Which NIC of the destination's server a part arrives at: that of the "
                          "same rail, or one near the destination GPU, for which the fabric "
                          "changes the rail.",
                          ArrivalValue(SAME_RAIL),
                          MakeAccessorHelper<ArrivalValue>(&AffinePlanner::m_arrival),
                          MakeEnumChecker(SAME_RAIL, "same-rail", NEAR_DESTINATION, "near"));
    return tid;
}

std::vector<Piece>
AffinePlanner::Plan(const ServerView& view)
{
    std::vector<Piece> pieces;
    std::vector<uint32_t> turns(view.shape.gpusPerServer); // of bytes left over, by GPU
    for (uint32_t demand = 0; demand < view.demands.size(); ++demand)
    {
        const LocalDemand& wanted = view.demands[demand];
        const uint32_t to = view.shape.GetServer(wanted.destination);
        const uint32_t source = view.shape.GetLocal(wanted.source);
        const std::vector<uint16_t>& near = view.GetLayout().GetNearNics(source);
        std::vector<uint64_t> parts =
            SplitOverRails(wanted.bytes, near, view.GetLayout(), turns[source]);
        for (uint64_t left = wanted.bytes; left > 0;)
        {
            for (uint32_t part = 0; part < parts.size(); ++part)
            {
                if (const uint64_t bytes = std::min(parts[part], m_chunk.Get()); bytes > 0)
                {
                    const uint16_t rail =
                        m_arrival == SAME_RAIL ? view.MoveRail(to, near[part]) : near[part];
                    pieces.push_back({demand, bytes, rail, rail});
                    parts[part] -= bytes;
                    left -= bytes;
                }
            }
        }
    }
    const std::vector<NicTurn> nicTurns =
        m_arrival == SAME_RAIL ? std::vector<NicTurn>() : FindNicTurns(view, pieces);
    for (std::size_t i = 0; i < nicTurns.size(); ++i)
    {
        const LocalDemand& wanted = view.demands[pieces[i].demand];
        std::tie(pieces[i].txRail, pieces[i].rxRail) =
            view.MoveRails(view.shape.GetServer(wanted.destination),
                           pieces[i].txRail,
                           view.GetNearNic(wanted.destination, nicTurns[i].destination));
    }
    return pieces;
}

bool
AffinePlanner::CrossesRails() const
{
    return m_arrival == NEAR_DESTINATION;
}

uint32_t
AffinePlanner::GetPeriod(uint32_t /* nics */) const
{
    return 1;
}

bool
AffinePlanner::PlansApart(const ServerLayout& layout) const
{
    return m_arrival == SAME_RAIL || layout.GetNics() <= layout.GetGpus();
}

} // namespace ns3::rails
