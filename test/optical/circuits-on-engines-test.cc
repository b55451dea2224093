// SPDX-License-Identifier: GPL-2.0-only

// Circuits as both engines see them: what goes over a circuit, what waits while it is dark, and
// what becomes of what is under way when it moves.

#include "circuit-cluster.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

namespace
{

/// Tests that both engines pass: with true frames move messages, with false flows.
class CircuitsOnEnginesTest : public testing::TestWithParam<bool>
{
};

INSTANTIATE_TEST_SUITE_P(Engines, CircuitsOnEnginesTest, testing::Bool(), [](const auto& info) {
    return info.param ? "Frames" : "Flows";
});

} // namespace

TEST_P(CircuitsOnEnginesTest, ALoneMessageIsSentOnceAndCrossesBothHalves)
{
    for (const uint64_t bytes : {1, 100, 4096, 4200, 1'000'000, 2'000'001})
    {
        SCOPED_TRACE(bytes);
        CircuitCluster cluster(GetParam(), MakeOptical(4, 2));
        cluster.Join(1, 6);
        const Message& message = cluster.Post(1, 6, bytes);
        cluster.Run();
        cluster.ExpectAllDeliveredOnce();
        const TimePs slack = GetParam() ? 0 : kRounding;
        EXPECT_NEAR(message.end, GetSending(bytes) + 2 * kHalf, slack);
        EXPECT_NEAR(message.acknowledged, message.end + kAck + 2 * kHalf, slack);
    }
}

TEST_P(CircuitsOnEnginesTest, APacedMessageEndsWhenItsPaceSaysToAFrame)
{
    const uint64_t bytes = 200 * kMtu;
    for (const uint64_t part : {2, 3, 10})
    {
        SCOPED_TRACE(part);
        CircuitCluster cluster(GetParam(), MakeOptical(4, 2));
        cluster.Join(1, 6);
        const Message& message = cluster.Post(1, 6, bytes, kRate / part);
        const Message& next = cluster.Post(1, 6, bytes, kRate / part);
        const Message& last = cluster.Post(1, 6, bytes);
        cluster.Run();
        cluster.ExpectAllDeliveredOnce();
        const auto sending = static_cast<TimePs>(part) * GetSending(bytes);
        const TimePs frame = static_cast<TimePs>(part) * kFrame;
        EXPECT_NEAR(message.end, sending + 2 * kHalf, frame);
        EXPECT_NEAR(next.end, 2 * sending + 2 * kHalf, frame);
        EXPECT_NEAR(last.end, 2 * sending + GetSending(bytes) + 2 * kHalf, 2 * frame);
    }
}

TEST_P(CircuitsOnEnginesTest, ACircuitHasTheRateOfItsSlowerEndBothWays)
{
    const uint64_t bytes = 100 * kMtu;
    for (const bool isSlowFirst : {false, true})
    {
        for (const auto& [from, to] : {std::pair(1U, 6U), std::pair(6U, 1U)})
        {
            SCOPED_TRACE(std::to_string(from) + (isSlowFirst ? ", slow before" : ""));
            CircuitCluster cluster(GetParam(), MakeOptical(4, 2));
            if (isSlowFirst)
            {
                cluster.wiring->SetRate(6, kRate / 4);
            }
            cluster.Join(1, 6);
            if (!isSlowFirst)
            {
                cluster.wiring->SetRate(6, kRate / 4);
            }
            const Message& message = cluster.Post(from, to, bytes);
            cluster.Run();
            cluster.ExpectAllDeliveredOnce();
            EXPECT_NEAR(message.end, 4 * GetSending(bytes) + 2 * kHalf, 4 * kFrame);
        }
    }
}

TEST_P(CircuitsOnEnginesTest, ANicThatLosesItsSlowCircuitSendsAtItsOwnRateAgain)
{
    const uint64_t bytes = 100 * kMtu;
    CircuitCluster cluster(GetParam(), MakeOptical(4, 2));
    cluster.wiring->SetRate(6, kRate / 4);
    cluster.Join(1, 6);
    cluster.End(1, {});
    cluster.Join(1, 4);
    const Message& message = cluster.Post(1, 4, bytes);
    cluster.Run();
    EXPECT_NEAR(message.end, GetSending(bytes) + 2 * kHalf, 4 * kFrame);
}

TEST_P(CircuitsOnEnginesTest, NothingMovesOverACircuitThatIsDark)
{
    // It goes dark amid the 31st of 100 frames, and comes back.
    constexpr TimePs kDark = 30 * kFrame + kFrame / 3;
    constexpr TimePs kLive = 50'000'000;
    for (const bool losesFlying : {false, true})
    {
        for (const bool holdsQueued : {false, true})
        {
            SCOPED_TRACE(std::string(losesFlying ? "loses flying" : "keeps flying") +
                         (holdsQueued ? ", holds queued" : ", loses queued"));
            CircuitCluster cluster(GetParam(), MakeOptical(4, 2));
            cluster.Join(0, 2);
            const Message& message = cluster.Post(0, 2, 100 * kMtu);
            const CutRules rules{losesFlying, holdsQueued};
            uint64_t received = 0;
            double carried = 0;
            cluster.At(kDark, [&] { cluster.End(2, rules); });
            cluster.At(kDark + kFrame + 2 * kHalf, [&] {
                received = cluster.GetReceived(2);
                carried = cluster.GetCarried(0);
                EXPECT_LE(received, 31 * kMtu);
            });
            cluster.At(kLive, [&] {
                EXPECT_EQ(cluster.GetReceived(2), received);
                if (holdsQueued)
                {
                    EXPECT_EQ(cluster.GetCarried(0), carried);
                }
                cluster.Join(0, 2);
            });
            cluster.Run();
            cluster.ExpectAllDeliveredOnce();
            EXPECT_GT(message.end, kLive + 69 * kFrame);
            if (!GetParam())
            {
                // Whatever the rules: fluid waits.
                EXPECT_NEAR(message.end, kLive - kDark + 100 * kFrame + 2 * kHalf, kRounding);
            }
            else if (holdsQueued && !losesFlying)
            {
                // The frame that was being sent is finished.
                EXPECT_EQ(message.end, kLive + 69 * kFrame + 2 * kHalf);
                EXPECT_EQ(cluster.GetLost(), 0U);
            }
            else
            {
                EXPECT_GT(cluster.GetLost(), 0U);
            }
        }
    }
}

TEST_P(CircuitsOnEnginesTest, WhatIsPostedWhileACircuitIsDarkWaitsForIt)
{
    constexpr TimePs kLive = 50'000'000;
    CircuitCluster cluster(GetParam(), MakeOptical(4, 2));
    cluster.Join(0, 2);
    cluster.End(0, {false, true});
    const Message& message = cluster.Post(0, 2, 100 * kMtu);
    const Message& back = cluster.Post(2, 0, 1);
    cluster.At(kLive, [&] { cluster.Join(0, 2); });
    cluster.Run();
    cluster.ExpectAllDeliveredOnce();
    EXPECT_EQ(cluster.GetLost(), 0U);
    EXPECT_NEAR(message.end, kLive + 100 * kFrame + 2 * kHalf, kAck);
    EXPECT_NEAR(back.end, kLive + GetSending(1) + 2 * kHalf, kAck);
}

TEST_P(CircuitsOnEnginesTest, WhatIsUnderWayIsLostToNobodyElseWhenACircuitMoves)
{
    // NICs 0 and 2 are joined, then at once 0 and 4, and 2 and 6, of other servers; and again 0 and
    // 2.
    constexpr TimePs kAway = 40 * kFrame + 1000;
    constexpr TimePs kBack = 200'000'000;
    for (const std::string recovery : {"SelectiveRepeatLossRecovery", "GoBackNLossRecovery"})
    {
        for (const bool losesFlying : {false, true})
        {
            for (const bool holdsQueued : {false, true})
            {
                SCOPED_TRACE(recovery);
                CircuitCluster cluster(GetParam(), MakeOptical(4, 2), recovery);
                cluster.Join(0, 2);
                const Message& first = cluster.Post(0, 2, 100 * kMtu);
                const Message& back = cluster.Post(2, 0, 100 * kMtu);
                const CutRules rules{losesFlying, holdsQueued};
                Message* second = nullptr;
                cluster.At(kAway, [&] {
                    cluster.End(0, rules);
                    cluster.Join(0, 4);
                    cluster.Join(2, 6);
                    second = &cluster.Post(0, 4, 50 * kMtu);
                });
                cluster.At(kBack, [&] {
                    EXPECT_EQ(cluster.GetReceived(4), second->end < kNever ? 50 * kMtu : 0);
                    EXPECT_LT(cluster.GetReceived(2), 100 * kMtu);
                    EXPECT_LT(cluster.GetReceived(0), 100 * kMtu);
                    cluster.End(0, rules);
                    cluster.End(2, rules);
                    cluster.Join(0, 2);
                });
                cluster.Run();
                cluster.ExpectAllDeliveredOnce();
                EXPECT_LT(second->end, kBack);
                EXPECT_GT(first.end, kBack);
                EXPECT_GT(back.end, kBack);
            }
        }
    }
}

namespace
{

/// Circuits that are there for some time, and what is sent over them.
struct Round
{
    struct Sent
    {
        uint32_t from; // NIC
        uint32_t to;
        uint64_t bytes;
    };

    std::vector<std::pair<uint32_t, uint32_t>> circuits; // of NICs
    std::vector<Sent> sent;
};

constexpr uint32_t kRegions = 2;
constexpr uint32_t kEngineServers = 8;
constexpr uint32_t kEngineNics = 3;

/// \return rounds of random circuits within regions, and of random messages over them
std::vector<Round>
DrawRounds(uint32_t count)
{
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(1);
    const Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    random->SetStream(7);
    constexpr uint32_t kOfRegion = kEngineServers * kEngineNics / kRegions;
    std::vector<Round> rounds(count);
    for (Round& round : rounds)
    {
        for (uint32_t region = 0; region < kRegions; ++region)
        {
            std::vector<uint32_t> nics(kOfRegion);
            std::iota(nics.begin(), nics.end(), region * kOfRegion);
            for (uint32_t left = kOfRegion; left > 1; --left)
            {
                std::swap(nics[left - 1], nics[random->GetInteger(0, left - 1)]);
            }
            for (uint32_t pair = 0; pair < kOfRegion / 2; ++pair)
            {
                const uint32_t one = nics[2 * pair];
                const uint32_t other = nics[2 * pair + 1];
                if (one / kEngineNics == other / kEngineNics || random->GetValue() < 0.2)
                {
                    continue; // of one server, or left alone
                }
                round.circuits.emplace_back(one, other);
                for (const auto& [from, to] : {std::pair{one, other}, std::pair{other, one}})
                {
                    const uint32_t messages = random->GetInteger(0, 2);
                    for (uint32_t i = 0; i < messages; ++i)
                    {
                        round.sent.push_back({from, to, random->GetInteger(1, 60'000)});
                    }
                }
            }
        }
    }
    return rounds;
}

/// Makes rounds follow each other: the next circuits come when all messages are acknowledged.
class RoundsRun
{
  public:
    // As long as servers may lag behind each other.
    static constexpr TimePs kControl = 2 * kHalf;
    static constexpr TimePs kMoving = 1'000'000;

    RoundsRun(bool movesFrames, const std::vector<Round>& rounds)
        : cluster(movesFrames, MakeOptical(kEngineServers, kEngineNics, kRegions)),
          m_rounds(rounds)
    {
        cluster.onAcknowledged = [this] {
            if (cluster.acknowledged == cluster.messages.size())
            {
                EndRound();
            }
        };
        GoLive();
        cluster.Run();
    }

    CircuitCluster cluster;
    uint32_t done{0};
    std::vector<TimePs> busy; //!< by round, from the first byte to the last acknowledgement

  private:
    void GoLive()
    {
        const Round& round = m_rounds[done];
        m_began = NowPs();
        for (const auto& [one, other] : round.circuits)
        {
            cluster.Join(one, other);
        }
        for (const Round::Sent& sent : round.sent)
        {
            cluster.Post(sent.from, sent.to, sent.bytes);
        }
        ASSERT_FALSE(round.sent.empty());
    }

    void EndRound()
    {
        TimePs last = 0;
        for (; m_seen < cluster.messages.size(); ++m_seen)
        {
            last = std::max(last, cluster.messages[m_seen].acknowledged);
        }
        busy.push_back(last - m_began);
        // What of this round is still under way is delivered, but for the knowledge of it.
        cluster.At(last + kControl, [this] { Move(); });
    }

    void Move()
    {
        cluster.wiring->PrepareChange();
        for (uint32_t nic = 0; nic < kEngineServers * kEngineNics; ++nic)
        {
            cluster.wiring->GetCircuits().End(nic, {});
        }
        if (++done < m_rounds.size())
        {
            cluster.At(NowPs() + kMoving, [this] { GoLive(); });
        }
    }

    const std::vector<Round>& m_rounds;
    TimePs m_began{0};
    std::size_t m_seen{0}; // messages of rounds that have ended
};

} // namespace

TEST(CircuitsOnEngines, RandomCircuitsOneAfterTheOtherLoseNothingAndTakeAsLongOnBoth)
{
    const std::vector<Round> rounds = DrawRounds(1000);
    std::vector<std::vector<TimePs>> busy;
    for (const bool movesFrames : {true, false})
    {
        SCOPED_TRACE(movesFrames ? "frames" : "flows");
        const RoundsRun run(movesFrames, rounds);
        EXPECT_EQ(run.done, rounds.size());
        EXPECT_GT(run.cluster.messages.size(), 10 * rounds.size());
        run.cluster.ExpectAllDeliveredOnce();
        EXPECT_EQ(run.cluster.GetLost(), 0U);
        busy.push_back(run.busy);
    }
    ASSERT_EQ(busy[0].size(), rounds.size());
    ASSERT_EQ(busy[1].size(), rounds.size());
    for (std::size_t round = 0; round < rounds.size(); ++round)
    {
        EXPECT_NEAR(busy[1][round], busy[0][round], kFrame) << "round " << round;
    }
    const auto sum = [](const std::vector<TimePs>& times) {
        return static_cast<double>(std::accumulate(times.begin(), times.end(), TimePs{0}));
    };
    EXPECT_NEAR(sum(busy[1]) / sum(busy[0]), 1, 0.03);
}

namespace
{

constexpr uint32_t kMeshServers = 4; // so alpha is 3

/// \return the NIC of a server that leads to another in a full mesh
uint32_t
GetMeshNic(uint32_t server, uint32_t other)
{
    return server * (kMeshServers - 1) + (other < server ? other : other - 1);
}

/**
 * \return servers each pair of which is joined by a cable of its own: a switch of two ports with
 * half a cable to each of the two NICs. Other than light, it stores a frame before it sends it on.
 */
std::shared_ptr<Wiring>
MakeMesh()
{
    const std::shared_ptr<Wiring> wiring = MakeServers(kMeshServers, kMeshServers - 1);
    for (uint32_t one = 0; one < kMeshServers; ++one)
    {
        for (uint32_t other = one + 1; other < kMeshServers; ++other)
        {
            const uint32_t at =
                wiring->AddSwitch("pair" + std::to_string(one) + "-" + std::to_string(other));
            wiring->Attach(GetMeshNic(one, other), at, at, MakeHalfCable());
            wiring->Attach(GetMeshNic(other, one), at, at, MakeHalfCable());
        }
    }
    return wiring;
}

/// \return the same with a circuit for each pair, up from the start
std::shared_ptr<Wiring>
MakeCircuitsOfAllPairs()
{
    std::shared_ptr<Wiring> wiring = MakeOptical(kMeshServers, kMeshServers - 1);
    for (uint32_t one = 0; one < kMeshServers; ++one)
    {
        for (uint32_t other = one + 1; other < kMeshServers; ++other)
        {
            wiring->GetCircuits().Join(GetMeshNic(one, other), GetMeshNic(other, one));
        }
    }
    return wiring;
}

/// A message between two servers by their NICs for each other.
struct MeshMessage
{
    uint32_t from;
    uint32_t to;
    uint64_t bytes;
    TimePs at{0};
};

struct MeshTimes
{
    TimePs end;
    TimePs acknowledged;
};

std::vector<MeshTimes>
RunMesh(bool movesFrames,
        const std::shared_ptr<Wiring>& wiring,
        const std::vector<MeshMessage>& messages)
{
    CircuitCluster cluster(movesFrames, wiring);
    for (const MeshMessage& message : messages)
    {
        cluster.At(message.at, [&cluster, &message] {
            cluster.Post(GetMeshNic(message.from, message.to),
                         GetMeshNic(message.to, message.from),
                         message.bytes);
        });
    }
    cluster.Run();
    cluster.ExpectAllDeliveredOnce();
    EXPECT_EQ(cluster.GetLost(), 0U);
    std::vector<MeshTimes> times;
    for (const Message& message : cluster.messages)
    {
        times.push_back({message.end, message.acknowledged});
    }
    return times;
}

/**
 * Expects that messages take as long over circuits as over a mesh, but for the frame that a switch
 * of the mesh stores and for its ACK, which it stores as well.
 */
void
ExpectAsOverAMesh(bool movesFrames,
                  const std::vector<MeshMessage>& messages,
                  TimePs stored,
                  TimePs slack,
                  TimePs ackSlack)
{
    const std::vector<MeshTimes> light = RunMesh(movesFrames, MakeCircuitsOfAllPairs(), messages);
    const std::vector<MeshTimes> mesh = RunMesh(movesFrames, MakeMesh(), messages);
    for (std::size_t i = 0; i < messages.size(); ++i)
    {
        EXPECT_NEAR(mesh[i].end, light[i].end + stored, slack) << "message " << i;
        EXPECT_NEAR(mesh[i].acknowledged, light[i].acknowledged + stored + kAck, ackSlack)
            << "message " << i;
    }
}

} // namespace

TEST_P(CircuitsOnEnginesTest, WithCircuitsForAllPairsALoneMessageTakesAsLongAsOverAMesh)
{
    for (const uint64_t bytes : {1, 500, 4096, 8192, 1'000'000})
    {
        SCOPED_TRACE(bytes);
        ExpectAsOverAMesh(GetParam(),
                          {{1, 3, bytes}},
                          GetSending(std::min(bytes, kMtu)),
                          GetParam() ? 0 : kRounding,
                          GetParam() ? 0 : kRounding);
    }
}

TEST_P(CircuitsOnEnginesTest, WithCircuitsForAllPairsMessagesAtOnceTakeAsLongAsOverAMesh)
{
    // All pairs one way, and several messages one behind the other, some later.
    std::vector<MeshMessage> messages;
    for (uint32_t from = 0; from < kMeshServers; ++from)
    {
        for (uint32_t to = from + 1; to < kMeshServers; ++to)
        {
            messages.push_back({from, to, 100'000 + 70'000 * from + 10'000 * to});
            messages.push_back({from, to, 50'000});
        }
    }
    messages.push_back({0, 3, 100'000, 2'000'000});
    messages.push_back({2, 3, 4096, 3'000'000});
    ExpectAsOverAMesh(GetParam(),
                      messages,
                      kFrame,
                      GetParam() ? 0 : kRounding,
                      GetParam() ? 0 : kRounding);
}

TEST_P(CircuitsOnEnginesTest, WithCircuitsForAllPairsMessagesBothWaysTakeAsLongAsOverAMesh)
{
    // The last ACK of a message may find a frame being sent at the switch of the mesh too, and wait
    // until it has left.
    std::vector<MeshMessage> messages;
    for (uint32_t from = 0; from < kMeshServers; ++from)
    {
        for (uint32_t to = 0; to < kMeshServers; ++to)
        {
            if (from != to)
            {
                messages.push_back({from, to, 1'000'000 + 300'000 * from + 10'000 * to});
            }
        }
    }
    ExpectAsOverAMesh(GetParam(),
                      messages,
                      kFrame,
                      GetParam() ? 0 : kRounding,
                      GetParam() ? kFrame : kRounding);
}

} // namespace ns3::rails::test
