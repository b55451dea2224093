// SPDX-License-Identifier: GPL-2.0-only
#include "../harness/run/experiment-fixtures.h"

#include "ns3/rails-fingerprint.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

struct Happened
{
    std::deque<Message> messages;
    std::vector<PortRecord> ports;
};

Happened
MakeHappened()
{
    Happened happened;
    for (uint32_t id = 0; id < 3; ++id)
    {
        Message message;
        message.id = id;
        message.bytes = 1000;
        message.start = 10 * id;
        message.end = 100 + id;
        happened.messages.push_back(message);
    }
    for (uint32_t node = 0; node < 2; ++node)
    {
        for (uint32_t index = 0; index < 2; ++index)
        {
            PortRecord port;
            port.node = node;
            port.port = index;
            port.bytes = 1000 * node + index;
            port.frames.emplace();
            happened.ports.push_back(port);
        }
    }
    return happened;
}

std::string
Compute(const Happened& happened)
{
    return ComputeFrameFingerprint(happened.messages, happened.ports);
}

} // namespace

TEST(FrameFingerprint, OfNothingIsTheHashOfTwoZeros)
{
    // printf '\0%.0s' {1..16} | sha256sum
    EXPECT_EQ(ComputeFrameFingerprint({}, {}),
              "374708fff7719dd5979ec875d56cd2286f6d3cf7ec317a3b25632aab28ec37bb");
}

TEST(FrameFingerprint, FollowsTheDocumentedLayout)
{
    Message message;
    message.start = 1;
    message.end = 0x0102030405060708;
    PortRecord port;
    port.bytes = 2;
    port.frames.emplace();
    port.frames->marks = 3;
    port.frames->pauses = 4;
    port.frames->pausedPs = 5;
    port.frames->drops = 6;
    // python3: hashlib.sha256(struct.pack("<9Q", 1, 1, 0x0102030405060708, 1, 2, 3, 4, 5, 6))
    EXPECT_EQ(ComputeFrameFingerprint({message}, {port}),
              "2ee8076d5aac077e9776cb253b6756a7532b17922b8b56f949aa7f4e3cf8c210");
}

TEST(FrameFingerprint, DoesNotDependOnTheOrderOfTheRecords)
{
    const Happened happened = MakeHappened();
    Happened reversed = happened;
    std::reverse(reversed.messages.begin(), reversed.messages.end());
    std::reverse(reversed.ports.begin(), reversed.ports.end());
    EXPECT_EQ(Compute(happened), Compute(reversed));
}

TEST(FrameFingerprint, ChangesWithEverythingThatItIsAbout)
{
    const std::string original = Compute(MakeHappened());
    const std::vector<std::function<void(Happened&)>> changes{
        [](Happened& happened) { ++happened.messages[1].start; },
        [](Happened& happened) { ++happened.messages[1].end; },
        [](Happened& happened) { std::swap(happened.messages[0].id, happened.messages[1].id); },
        [](Happened& happened) { happened.messages.pop_back(); },
        [](Happened& happened) { ++happened.ports[2].bytes; },
        [](Happened& happened) { ++happened.ports[2].frames->marks; },
        [](Happened& happened) { ++happened.ports[2].frames->pauses; },
        [](Happened& happened) { ++happened.ports[2].frames->pausedPs; },
        [](Happened& happened) { ++happened.ports[2].frames->drops; },
        [](Happened& happened) { std::swap(happened.ports[0].port, happened.ports[1].port); },
        [](Happened& happened) { happened.ports.pop_back(); },
    };
    for (std::size_t i = 0; i < changes.size(); ++i)
    {
        Happened happened = MakeHappened();
        changes[i](happened);
        EXPECT_NE(Compute(happened), original) << "change " << i;
    }
}

TEST(FrameFingerprint, DoesNotChangeWithWhatSchedulersMayDecide)
{
    Happened happened = MakeHappened();
    const std::string original = Compute(happened);
    happened.ports[0].frames->queueMaxBytes = 77;
    happened.ports[0].portClass = "renamed";
    EXPECT_EQ(Compute(happened), original);
}

TEST(FlowFingerprint, OfNothingIsTheHashOfTwoZeros)
{
    EXPECT_EQ(ComputeFlowFingerprint({}, {}), ComputeFrameFingerprint({}, {}));
}

TEST(FlowFingerprint, FollowsTheDocumentedLayout)
{
    PortRecord port;
    port.bytes = 7;
    // python3: hashlib.sha256(struct.pack("<6Q", 1, 1000, 10, 0x0102030405060708, 1, 7))
    EXPECT_EQ(ComputeFlowFingerprint({{3, 4, 5, 1000, 10, 0x0102030405060708}}, {port}),
              "11f8010f0ad7cc1c2d221999472b592fe91d325bd15df86cb0c8775f835e7acd");
}

TEST(FlowFingerprint, DoesNotDependOnTheOrderOfTheRecords)
{
    const std::vector<FlowRecord> flows{{0, 1, 0, 10, 1, 2},
                                        {0, 1, 1, 20, 3, 4},
                                        {1, 0, 0, 30, 5, 6}};
    const std::vector<PortRecord> ports = MakeHappened().ports;
    EXPECT_EQ(
        ComputeFlowFingerprint(flows, ports),
        ComputeFlowFingerprint({flows.rbegin(), flows.rend()}, {ports.rbegin(), ports.rend()}));
}

TEST(FlowFingerprint, ChangesWithEverythingThatItIsAbout)
{
    struct Changed
    {
        std::vector<FlowRecord> flows{{0, 1, 0, 10, 1, 2}, {0, 1, 1, 20, 3, 4}};
        std::vector<PortRecord> ports = MakeHappened().ports;
    };

    const std::string original = ComputeFlowFingerprint(Changed().flows, Changed().ports);
    const std::vector<std::function<void(Changed&)>> changes{
        [](Changed& changed) { ++changed.flows[1].bytes; },
        [](Changed& changed) { ++changed.flows[1].start; },
        [](Changed& changed) { ++changed.flows[1].end; },
        [](Changed& changed) { std::swap(changed.flows[0].number, changed.flows[1].number); },
        [](Changed& changed) { changed.flows[0].source = 1; },
        [](Changed& changed) { changed.flows[0].destination = 2; },
        [](Changed& changed) { changed.flows.pop_back(); },
        [](Changed& changed) { ++changed.ports[2].bytes; },
        [](Changed& changed) { changed.ports.pop_back(); },
    };
    for (std::size_t i = 0; i < changes.size(); ++i)
    {
        Changed changed;
        changes[i](changed);
        EXPECT_NE(ComputeFlowFingerprint(changed.flows, changed.ports), original) << "change " << i;
    }
}

} // namespace ns3::rails
