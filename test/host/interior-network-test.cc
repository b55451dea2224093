// SPDX-License-Identifier: GPL-2.0-only
#include "../support/interiors.h"

#include "ns3/interior-network.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

namespace
{

// At 800 Gbps a byte takes 10 ps: a segment of 1000 B takes 10 ns.
constexpr uint64_t kInteriorNetworkRate = 800'000'000'000;
constexpr TimePs kLatency = 3'000;
constexpr TimePs kSegmentTime = 10'000;

class NvlinkTest : public testing::Test, public InteriorClient
{
  protected:
    ~NvlinkTest() override
    {
        Simulator::Destroy();
    }

    void OnCrossed(MessageState& transfer, uint32_t, uint64_t bytes) override
    {
        m_crossed[transfer.id].emplace_back(m_agenda.Now(), bytes);
    }

    void Send(uint32_t id, uint32_t from, uint32_t to, uint64_t bytes)
    {
        m_transfers[id].id = id;
        m_server.Send(from, to, m_transfers[id], bytes);
    }

    /// \return when the last byte of a message was across
    TimePs GetEnd(uint32_t id)
    {
        return m_crossed[id].back().first;
    }

    Agenda m_agenda;
    InteriorNetwork m_server{test::MakeNvswitch(4, kInteriorNetworkRate, kLatency, 1000),
                             *this,
                             m_agenda,
                             0};
    std::map<uint32_t, MessageState> m_transfers;
    std::map<uint32_t, std::vector<std::pair<TimePs, uint64_t>>> m_crossed;
};

TEST_F(NvlinkTest, CutsATransferIntoSegments)
{
    Send(0, 0, 1, 2500);
    Simulator::Run();
    EXPECT_EQ(m_crossed[0],
              (std::vector<std::pair<TimePs, uint64_t>>{{kSegmentTime + kLatency, 1000},
                                                        {2 * kSegmentTime + kLatency, 1000},
                                                        {25'000 + kLatency, 500}}));
    EXPECT_EQ(m_server.GetBytes(0), 2500U);
    EXPECT_EQ(m_server.GetBytes(2), 0U);
}

TEST_F(NvlinkTest, DisjointPairsDoNotDisturbEachOther)
{
    Send(0, 0, 1, 100'000);
    Send(1, 1, 0, 100'000);
    Send(2, 2, 3, 100'000);
    Send(3, 3, 2, 100'000);
    Simulator::Run();
    for (uint32_t id = 0; id < 4; ++id)
    {
        EXPECT_EQ(GetEnd(id), 100 * kSegmentTime + kLatency);
    }
}

TEST_F(NvlinkTest, TheWayOutIsSharedInTurn)
{
    Send(0, 0, 1, 10'000);
    Send(1, 0, 2, 10'000);
    Send(2, 0, 3, 2000);
    Simulator::Run();
    // Three in turn for two rounds, then two in turn.
    EXPECT_EQ(GetEnd(2), 6 * kSegmentTime + kLatency);
    EXPECT_EQ(GetEnd(0), 21 * kSegmentTime + kLatency);
    EXPECT_EQ(GetEnd(1), 22 * kSegmentTime + kLatency);
}

TEST_F(NvlinkTest, TheWayInIsABottleneckToo)
{
    Send(0, 0, 3, 10'000);
    Send(1, 1, 3, 10'000);
    Send(2, 2, 3, 10'000);
    Simulator::Run();
    EXPECT_EQ(std::max({GetEnd(0), GetEnd(1), GetEnd(2)}), 30 * kSegmentTime + kLatency);
}

TEST_F(NvlinkTest, MessagesToOneGpuGoInOrder)
{
    Send(0, 0, 1, 5000);
    Send(1, 0, 1, 100);
    Simulator::Run();
    EXPECT_EQ(GetEnd(0), 5 * kSegmentTime + kLatency);
    EXPECT_EQ(GetEnd(1), 5 * kSegmentTime + 1000 + kLatency);
}

TEST_F(NvlinkTest, ServersBeyondANicTakeTurns)
{
    // All to NIC 1, which sends two of them on to server 1 and one to server 2.
    m_transfers[0].lane = 0;
    m_transfers[1].lane = 0;
    m_transfers[2].lane = 1;
    Send(0, 0, 1, 3000);
    Send(1, 0, 1, 1000);
    Send(2, 0, 1, 2000);
    Simulator::Run();
    EXPECT_EQ(GetEnd(2), 4 * kSegmentTime + kLatency);
    EXPECT_EQ(GetEnd(0), 5 * kSegmentTime + kLatency);
    EXPECT_EQ(GetEnd(1), 6 * kSegmentTime + kLatency);
}

TEST_F(NvlinkTest, ASegmentThatWaitsForTheWayInFollowsTheOneBefore)
{
    // The short one is sent later and waits behind the long one.
    Send(0, 0, 3, 1000);
    Send(1, 1, 3, 10);
    Simulator::Run();
    EXPECT_EQ(GetEnd(0), kSegmentTime + kLatency);
    EXPECT_EQ(GetEnd(1), kSegmentTime + 100 + kLatency);
}

} // namespace
