// SPDX-License-Identifier: GPL-2.0-only
#include "demand-pieces.h"
#include "nic-turns.h"
#include "row-balancer.h"

#include "ns3/component-documentation.h"
#include "ns3/rails-units.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Everything on the rail of one end, by a NIC near it; NVLink carries it at the other end.
class RailEndBalancer : public RowBalancer
{
  public:
    std::vector<Piece> Plan(const ServerView& view) final
    {
        std::vector<Piece> pieces = CutDemands(view, m_chunk);
        const std::vector<NicTurn> turns = FindNicTurns(view, pieces);
        for (std::size_t i = 0; i < pieces.size(); ++i)
        {
            const LocalDemand& demand = view.demands[pieces[i].demand];
            pieces[i].txRail = view.MoveRail(view.shape.GetServer(demand.destination),
                                             ChooseNic(view, demand, turns[i]));
            pieces[i].rxRail = pieces[i].txRail;
        }
        return pieces;
    }

    uint32_t GetPeriod(uint32_t /* nics */) const final
    {
        return 1;
    }

    bool PlansApart(const ServerLayout& layout) const final
    {
        return layout.GetNics() <= layout.GetGpus();
    }

  protected:
    ByteSize m_chunk;

  private:
    virtual uint16_t ChooseNic(const ServerView& view,
                               const LocalDemand& demand,
                               const NicTurn& turn) const = 0;
};

/// `balance: {type: rail-source}`.
class RailSourceBalancer : public RailEndBalancer
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            AddChunk(SetDocumentation(
                         TypeId("ns3::rails::RailSourceBalancer").SetParent<RowBalancer>(),
                         "Everything on the rail of the source GPU, or of several NICs near it, "
                         "which take its messages in turn; the destination's server forwards "
                         "over NVLink.")
                         .SetGroupName("Rails")
                         .AddConstructor<RailSourceBalancer>(),
                     &RailSourceBalancer::m_chunk,
                     ByteSize::Special());
        return tid;
    }

  private:
    uint16_t ChooseNic(const ServerView& view,
                       const LocalDemand& demand,
                       const NicTurn& turn) const override
    {
        return view.GetNearNic(demand.source, turn.source);
    }
};

/// `balance: {type: rail-destination}`.
class RailDestinationBalancer : public RailEndBalancer
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            AddChunk(SetDocumentation(
                         TypeId("ns3::rails::RailDestinationBalancer").SetParent<RowBalancer>(),
                         "Everything on the rail of the destination GPU, or of several NICs near "
                         "it, which take its messages in turn; the source's server forwards over "
                         "NVLink. (the way of PXN in NCCL 2.12)")
                         .SetGroupName("Rails")
                         .AddConstructor<RailDestinationBalancer>(),
                     &RailDestinationBalancer::m_chunk,
                     ByteSize::Special());
        return tid;
    }

  private:
    uint16_t ChooseNic(const ServerView& view,
                       const LocalDemand& demand,
                       const NicTurn& turn) const override
    {
        return view.GetNearNic(demand.destination, turn.destination);
    }
};

NS_OBJECT_ENSURE_REGISTERED(RailSourceBalancer);
NS_OBJECT_ENSURE_REGISTERED(RailDestinationBalancer);

} // namespace ns3::rails
