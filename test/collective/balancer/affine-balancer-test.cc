// SPDX-License-Identifier: GPL-2.0-only
#include "../collective-fixtures.h"

#include "ns3/row-balancer.h"
#include "ns3/server-layout.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

namespace
{

/// \return bytes by source GPU and rail
std::map<std::pair<uint32_t, uint16_t>, uint64_t>
AddUp(const ServerView& view, const std::vector<Piece>& pieces)
{
    std::map<std::pair<uint32_t, uint16_t>, uint64_t> sent;
    for (const Piece& piece : pieces)
    {
        sent[{view.demands[piece.demand].source, piece.txRail}] += piece.bytes;
    }
    return sent;
}

TEST(AffineBalancer, AGpuSharesWhatItSendsOverTheNicsNearIt)
{
    const ServerView view{ClusterShape{2, 2, 4}, 0, {{0, 2, 1001}, {0, 3, 999}, {1, 2, 500}}};
    const std::vector<Piece> pieces = Make<RowBalancer>("AffineBalancer")->Plan(view);
    EXPECT_EQ(AddUp(view, pieces),
              (std::map<std::pair<uint32_t, uint16_t>, uint64_t>{{{0, 0}, 1001 / 2 + 1 + 499},
                                                                 {{0, 1}, 500 + 500},
                                                                 {{1, 2}, 250},
                                                                 {{1, 3}, 250}}));
    for (const Piece& piece : pieces)
    {
        EXPECT_EQ(piece.txRail, piece.rxRail);
    }
}

TEST(AffineBalancer, AFasterNicGetsMore)
{
    auto layout = std::make_shared<ServerLayout>(1, 2);
    layout->SetNicRates({400, 200});
    const ServerView view{ClusterShape{2, 1, 2}, 0, {{0, 1, 3000}}, {}, layout};
    EXPECT_EQ(AddUp(view, Make<RowBalancer>("AffineBalancer")->Plan(view)),
              (std::map<std::pair<uint32_t, uint16_t>, uint64_t>{{{0, 0}, 2000}, {{0, 1}, 1000}}));
}

TEST(AffineBalancer, ArrivesNearTheDestinationOnRequest)
{
    // GPU 0 sends by NICs 0 and 1; NICs 2 and 3 are near GPU 1 of the other server.
    const ServerView view{ClusterShape{2, 2, 4}, 0, {{0, 3, 1000}}};
    Ptr<RowBalancer> balancer = Make<RowBalancer>("AffineBalancer");
    EXPECT_FALSE(balancer->CrossesRails());
    balancer->SetAttribute("Arrival", StringValue("near"));
    EXPECT_TRUE(balancer->CrossesRails());
    const std::vector<Piece> pieces = balancer->Plan(view);
    ASSERT_EQ(pieces.size(), 2U);
    EXPECT_EQ(pieces[0].txRail, 0);
    EXPECT_EQ(pieces[0].rxRail, 2);
    EXPECT_EQ(pieces[1].txRail, 1);
    EXPECT_EQ(pieces[1].rxRail, 3);
}

TEST(AffineBalancer, CutsPartsIntoChunks)
{
    const ServerView view{ClusterShape{2, 1, 2}, 0, {{0, 1, 2500}}};
    Ptr<RowBalancer> balancer = Make<RowBalancer>("AffineBalancer");
    balancer->SetAttribute("Chunk", ByteSizeValue(ByteSize(1000)));
    std::vector<uint64_t> sizes;
    for (const Piece& piece : balancer->Plan(view))
    {
        sizes.push_back(piece.bytes);
    }
    EXPECT_EQ(sizes, (std::vector<uint64_t>{1000, 1000, 250, 250}));
}

} // namespace
