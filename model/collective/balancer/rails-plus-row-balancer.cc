// SPDX-License-Identifier: GPL-2.0-only
#include "demand-pieces.h"
#include "paced-pieces.h"
#include "row-balancer.h"

#include "ns3/component-documentation.h"
#include "ns3/rails-units.h"

namespace ns3::rails
{

/**
 * RailsPlusBalancer without counts (ours): `balance: {type: rails-plus-row}`. A server that knows
 * its row alone can pace what it sends, so that all servers that it has something for get it at the
 * same time, and begins with another one than its neighbours. It knows neither what a receiver gets
 * from others nor which ACKs will come between.
 */
class RailsPlusRowBalancer : public RowBalancer
{
  public:
    static TypeId GetTypeId();

    RailsPlusRowBalancer()
    {
        m_traits.paces = true;
    }

    std::vector<Piece> Plan(const ServerView& view) override;

  private:
    ByteSize m_chunk;
};

NS_OBJECT_ENSURE_REGISTERED(RailsPlusRowBalancer);

TypeId
RailsPlusRowBalancer::GetTypeId()
{
    static TypeId tid = AddChunk(
        SetDocumentation(TypeId("ns3::rails::RailsPlusRowBalancer").SetParent<RowBalancer>(),
                         "rails-plus for a server that knows its own row alone (ours): an even "
                         "split over its NICs, paced so that all that it sends ends together, "
                         "from the server behind its own on.")
            .SetGroupName("Rails")
            .AddConstructor<RailsPlusRowBalancer>(),
        &RailsPlusRowBalancer::m_chunk,
        ByteSize(1'000'000),
        "Largest piece, cut at borders of frames. (ours: what a NIC that dies loses)");
    return tid;
}

std::vector<Piece>
RailsPlusRowBalancer::Plan(const ServerView& view)
{
    uint64_t wire = 0;
    for (const LocalDemand& demand : view.demands)
    {
        wire += view.frames.GetMessageWire(demand.bytes);
    }
    const double rate = GetServerRate(view, view.server);
    const double seconds = rate > 0 ? 8 * static_cast<double>(wire) / rate : 0;
    return MakePacedPieces(view, m_chunk, [&](uint32_t to) {
        return MakeEvenSchedule(view.GetRailRates(to), seconds);
    });
}

} // namespace ns3::rails
