// SPDX-License-Identifier: GPL-2.0-only
#include "dealing-balancer.h"

#include "ns3/component-documentation.h"

namespace ns3::rails
{

/**
 * Pieces over the rails in turn, whatever their size: `balance: {type: round-robin}`. A server's
 * turn starts at the rail of its own number, so that servers do not all favour the lowest rails.
 */
class RoundRobinBalancer : public DealingBalancer
{
  public:
    static TypeId GetTypeId();

    RoundRobinBalancer()
    {
        m_traits.dealsInTurn = true;
    }

    std::vector<Piece> Plan(const ServerView& view) override;
};

NS_OBJECT_ENSURE_REGISTERED(RoundRobinBalancer);

TypeId
RoundRobinBalancer::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::RoundRobinBalancer").SetParent<DealingBalancer>(),
                         "Gives pieces to the NICs of the server in turn, whatever their size.")
            .SetGroupName("Rails")
            .AddConstructor<RoundRobinBalancer>();
    return tid;
}

std::vector<Piece>
RoundRobinBalancer::Plan(const ServerView& view)
{
    std::vector<Piece> pieces = Cut(view);
    uint32_t turn = view.GetFirstRail();
    for (Piece& piece : pieces)
    {
        const uint32_t to = view.shape.GetServer(view.demands[piece.demand].destination);
        piece.txRail = view.MoveRail(to, turn % view.shape.nicsPerServer);
        turn = piece.txRail + 1U;
        piece.rxRail = piece.txRail;
    }
    return pieces;
}

} // namespace ns3::rails
