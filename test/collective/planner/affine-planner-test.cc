// SPDX-License-Identifier: GPL-2.0-only
#include "../collective-fixtures.h"

#include "ns3/affine-planner.h"
#include "ns3/row-planner.h"
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

TEST(AffinePlanner, AGpuSharesWhatItSendsOverTheNicsNearIt)
{
    const ServerView view{ClusterShape{2, 2, 4}, 0, {{0, 2, 1001}, {0, 3, 999}, {1, 2, 500}}};
    const std::vector<Piece> pieces = CreateObject<AffinePlanner>()->Plan(view);
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

TEST(AffinePlanner, AFasterNicGetsMore)
{
    auto layout = std::make_shared<ServerLayout>(1, 2);
    layout->SetNicRates({400, 200});
    const ServerView view{ClusterShape{2, 1, 2}, 0, {{0, 1, 3000}}, {}, layout};
    EXPECT_EQ(AddUp(view, CreateObject<AffinePlanner>()->Plan(view)),
              (std::map<std::pair<uint32_t, uint16_t>, uint64_t>{{{0, 0}, 2000}, {{0, 1}, 1000}}));
}

TEST(AffinePlanner, ArrivesNearTheDestinationOnRequest)
{
    // GPU 0 sends by NICs 0 and 1; NICs 2 and 3 are near GPU 1 of the other server.
    const ServerView view{ClusterShape{2, 2, 4}, 0, {{0, 3, 1000}}};
    Ptr<AffinePlanner> planner = CreateObject<AffinePlanner>();
    EXPECT_FALSE(planner->CrossesRails());
    planner->SetAttribute("Arrival", StringValue("near"));
    EXPECT_TRUE(planner->CrossesRails());
    const std::vector<Piece> pieces = planner->Plan(view);
    ASSERT_EQ(pieces.size(), 2U);
    EXPECT_EQ(pieces[0].txRail, 0);
    EXPECT_EQ(pieces[0].rxRail, 2);
    EXPECT_EQ(pieces[1].txRail, 1);
    EXPECT_EQ(pieces[1].rxRail, 3);
}

TEST(AffinePlanner, CutsPartsIntoChunks)
{
    const ServerView view{ClusterShape{2, 1, 2}, 0, {{0, 1, 2500}}};
    Ptr<AffinePlanner> planner = CreateObject<AffinePlanner>();
    planner->SetAttribute("Chunk", ByteSizeValue(ByteSize(1000)));
    std::vector<uint64_t> sizes;
    for (const Piece& piece : planner->Plan(view))
    {
        sizes.push_back(piece.bytes);
    }
    EXPECT_EQ(sizes, (std::vector<uint64_t>{1000, 1000, 250, 250}));
}

} // namespace
