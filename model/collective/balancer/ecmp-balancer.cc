// SPDX-License-Identifier: GPL-2.0-only
#include "demand-pieces.h"
#include "nic-turns.h"
#include "row-balancer.h"

#include "ns3/component-documentation.h"
#include "ns3/rails-units.h"

#include <tuple>

namespace ns3::rails
{

/**
 * The conventional way: from the source GPU's own NIC to the destination GPU's own NIC. Between
 * rails the fabric decides: `balance: {type: ecmp}`.
 */
class EcmpBalancer : public RowBalancer
{
  public:
    static TypeId GetTypeId();

    std::vector<Piece> Plan(const ServerView& view) override;
    bool CrossesRails() const override;

  private:
    ByteSize m_chunk;
};

NS_OBJECT_ENSURE_REGISTERED(EcmpBalancer);

TypeId
EcmpBalancer::GetTypeId()
{
    static TypeId tid = AddChunk(
        SetDocumentation(TypeId("ns3::rails::EcmpBalancer").SetParent<RowBalancer>(),
                         "The conventional way, from the source GPU's own NIC to the destination "
                         "GPU's own NIC; the fabric changes the rail.")
            .SetGroupName("Rails")
            .AddConstructor<EcmpBalancer>(),
        &EcmpBalancer::m_chunk,
        ByteSize::Special());
    return tid;
}

std::vector<Piece>
EcmpBalancer::Plan(const ServerView& view)
{
    std::vector<Piece> pieces = CutDemands(view, m_chunk);
    const std::vector<NicTurn> turns = FindNicTurns(view, pieces);
    for (std::size_t i = 0; i < pieces.size(); ++i)
    {
        const LocalDemand& demand = view.demands[pieces[i].demand];
        std::tie(pieces[i].txRail, pieces[i].rxRail) =
            view.MoveRails(view.shape.GetServer(demand.destination),
                           view.GetNearNic(demand.source, turns[i].source),
                           view.GetNearNic(demand.destination, turns[i].destination));
    }
    return pieces;
}

bool
EcmpBalancer::CrossesRails() const
{
    return true;
}

} // namespace ns3::rails
