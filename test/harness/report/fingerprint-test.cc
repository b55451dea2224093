// SPDX-License-Identifier: GPL-2.0-only
#include "../run/experiment-fixtures.h"

#include "ns3/rails-fingerprint.h"

#include <algorithm>
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
    std::vector<MessageRecord> messages;
    std::vector<PortRecord> ports;
};

Happened
MakeHappened()
{
    Happened happened;
    for (uint32_t id = 0; id < 3; ++id)
    {
        MessageRecord message;
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
            happened.ports.push_back(port);
        }
    }
    return happened;
}

std::string
Compute(const Happened& happened)
{
    return ComputeFingerprint(happened.messages, happened.ports);
}

} // namespace

TEST(Fingerprint, OfNothingIsTheHashOfTwoZeros)
{
    // printf '\0%.0s' {1..16} | sha256sum
    EXPECT_EQ(ComputeFingerprint({}, {}),
              "374708fff7719dd5979ec875d56cd2286f6d3cf7ec317a3b25632aab28ec37bb");
}

TEST(Fingerprint, FollowsTheDocumentedLayout)
{
    MessageRecord message;
    message.start = 1;
    message.end = 0x0102030405060708;
    PortRecord port;
    port.bytes = 2;
    port.marks = 3;
    port.pauses = 4;
    port.pausedPs = 5;
    port.drops = 6;
    // python3: hashlib.sha256(struct.pack("<9Q", 1, 1, 0x0102030405060708, 1, 2, 3, 4, 5, 6))
    EXPECT_EQ(ComputeFingerprint({message}, {port}),
              "2ee8076d5aac077e9776cb253b6756a7532b17922b8b56f949aa7f4e3cf8c210");
}

TEST(Fingerprint, DoesNotDependOnTheOrderOfTheRecords)
{
    const Happened happened = MakeHappened();
    Happened reversed = happened;
    std::reverse(reversed.messages.begin(), reversed.messages.end());
    std::reverse(reversed.ports.begin(), reversed.ports.end());
    EXPECT_EQ(Compute(happened), Compute(reversed));
}

TEST(Fingerprint, ChangesWithEverythingThatItIsAbout)
{
    const std::string original = Compute(MakeHappened());
    const std::vector<std::function<void(Happened&)>> changes{
        [](Happened& happened) { ++happened.messages[1].start; },
        [](Happened& happened) { ++happened.messages[1].end; },
        [](Happened& happened) { std::swap(happened.messages[0].id, happened.messages[1].id); },
        [](Happened& happened) { happened.messages.pop_back(); },
        [](Happened& happened) { ++happened.ports[2].bytes; },
        [](Happened& happened) { ++happened.ports[2].marks; },
        [](Happened& happened) { ++happened.ports[2].pauses; },
        [](Happened& happened) { ++happened.ports[2].pausedPs; },
        [](Happened& happened) { ++happened.ports[2].drops; },
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

TEST(Fingerprint, DoesNotChangeWithWhatSchedulersMayDecide)
{
    Happened happened = MakeHappened();
    const std::string original = Compute(happened);
    happened.ports[0].queueMaxBytes = 77;
    happened.ports[0].portClass = "renamed";
    EXPECT_EQ(Compute(happened), original);
}

} // namespace ns3::rails
