// SPDX-License-Identifier: GPL-2.0-only
#include "demand-pieces.h"
#include "nic-turns.h"
#include "row-balancer.h"

#include "ns3/component-documentation.h"
#include "ns3/enum.h"
#include "ns3/rails-units.h"
#include "ns3/word-accessor.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

namespace ns3::rails
{

/// Every GPU sends by the NICs near it, all of them: what one GPU has for another is cut into a
/// part for each.
class AffineBalancer : public RowBalancer
{
  public:
    /// Which NIC of the destination's server a part arrives at.
    enum Arrival
    {
        SAME_RAIL,
        NEAR_DESTINATION
    };

    static TypeId GetTypeId();

    std::vector<Piece> Plan(const ServerView& view) override;
    uint32_t GetPeriod(uint32_t nics) const override;
    bool PlansApart(const ServerLayout& layout) const override;
    bool CrossesRails() const override;

  private:
    ByteSize m_chunk;
    Arrival m_arrival{SAME_RAIL};
};

NS_OBJECT_ENSURE_REGISTERED(AffineBalancer);

TypeId
AffineBalancer::GetTypeId()
{
    // EnumValue is a class in older versions of ns-3 and a template in newer ones.
    static TypeId tid =
        AddChunk(
            SetDocumentation(
                TypeId("ns3::rails::AffineBalancer").SetParent<RowBalancer>(),
                "A GPU sends by the NICs near it, and cuts what it has for another into a part for "
                "each of them. (what NCCL does with two NICs per GPU)")
                .SetGroupName("Rails")
                .AddConstructor<AffineBalancer>(),
            &AffineBalancer::m_chunk,
            ByteSize::Special(),
            "Largest piece of such a part.")
            .AddAttribute("Arrival",
                          "Which NIC of the destination's server a part arrives at: that of the "
                          "same rail, or one near the destination GPU, for which the fabric "
                          "changes the rail.",
                          EnumValue(SAME_RAIL),
                          MakeWordAccessor(&AffineBalancer::m_arrival),
                          MakeEnumChecker(SAME_RAIL, "same-rail", NEAR_DESTINATION, "near"));
    return tid;
}

std::vector<Piece>
AffineBalancer::Plan(const ServerView& view)
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
AffineBalancer::CrossesRails() const
{
    return m_arrival == NEAR_DESTINATION;
}

uint32_t
AffineBalancer::GetPeriod(uint32_t /* nics */) const
{
    return 1;
}

bool
AffineBalancer::PlansApart(const ServerLayout& layout) const
{
    return m_arrival == SAME_RAIL || layout.GetNics() <= layout.GetGpus();
}

} // namespace ns3::rails
