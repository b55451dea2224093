// SPDX-License-Identifier: GPL-2.0-only
#include "demand-pieces.h"
#include "row-balancer.h"

#include "ns3/component-documentation.h"

namespace ns3::rails
{

/**
 * One part in N of every GPU pair on each of the N rails: `balance: {type: even-split}`. Both ends
 * of every transfer are loaded evenly, which no other placement beats. (arXiv 2510.19262, the
 * theorem that uniform sending gives uniform receiving)
 *
 * Bytes that do not divide by N go to the rails in turn, one each; the turn runs on from GPU pair
 * to GPU pair of the same destination server, so no NIC gets more than a byte too much from a
 * server.
 */
class EvenSplitBalancer : public RowBalancer
{
  public:
    static TypeId GetTypeId();

    std::vector<Piece> Plan(const ServerView& view) override;
    uint32_t GetPeriod(uint32_t nics) const override;
    double EstimatePieces(double bytes, const ClusterShape& shape, bool areEqual) const override;
};

NS_OBJECT_ENSURE_REGISTERED(EvenSplitBalancer);

TypeId
EvenSplitBalancer::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::EvenSplitBalancer").SetParent<RowBalancer>(),
                         "Cuts what every GPU has for another into equal parts, one for each "
                         "NIC; into parts as the rates where NICs have several. Both ends of every "
                         "transfer are loaded evenly, which nothing "
                         "betters. (arXiv 2510.19262, the theorem that uniform sending gives "
                         "uniform receiving)")
            .SetGroupName("Rails")
            .AddConstructor<EvenSplitBalancer>();
    return tid;
}

std::vector<Piece>
EvenSplitBalancer::Plan(const ServerView& view)
{
    return SplitOverWays(view, [&](uint32_t to) {
        NicWays ways;
        for (const uint16_t rail : view.GetRails(to))
        {
            ways.push_back({rail, rail});
        }
        return ways;
    });
}

uint32_t
EvenSplitBalancer::GetPeriod(uint32_t nics) const
{
    return nics;
}

double
EvenSplitBalancer::EstimatePieces(double, const ClusterShape& shape, bool) const
{
    return shape.nicsPerServer;
}

} // namespace ns3::rails
