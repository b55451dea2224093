// SPDX-License-Identifier: GPL-2.0-only
#include "../collective/collective-fixtures.h"

#include "ns3/server-placement.h"
#include "ns3/uinteger.h"
#include "ns3/value-list.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

namespace
{

using Servers = std::vector<uint32_t>;

TEST(ServerPlacement, ContiguousTakesTheLowestServersThatFollowEachOther)
{
    const std::vector<bool> taken{true, false, false, true, false, false, false, true};
    EXPECT_EQ(Make<ServerPlacement>("ContiguousServerPlacement", "Servers", UintegerValue(2))
                  ->Place(taken),
              (Servers{1, 2}));
    EXPECT_EQ(Make<ServerPlacement>("ContiguousServerPlacement", "Servers", UintegerValue(3))
                  ->Place(taken),
              (Servers{4, 5, 6}));
    EXPECT_EQ(Make<ServerPlacement>("ContiguousServerPlacement")->Place(taken), (Servers{1, 2}));
    EXPECT_EQ(
        Make<ServerPlacement>("ContiguousServerPlacement", "First", UintegerValue(5))->Place(taken),
        (Servers{5, 6}));
    EXPECT_EQ(Make<ServerPlacement>("ContiguousServerPlacement",
                                    "First",
                                    UintegerValue(5),
                                    "Servers",
                                    UintegerValue(1))
                  ->Place(taken),
              (Servers{5}));
    ExpectConfigurationError(
        [&] {
            Make<ServerPlacement>("ContiguousServerPlacement", "Servers", UintegerValue(4))
                ->Place(taken);
        },
        "servers",
        "other jobs leave no 4 servers");
    ExpectConfigurationError(
        [&] {
            Make<ServerPlacement>("ContiguousServerPlacement",
                                  "First",
                                  UintegerValue(5),
                                  "Servers",
                                  UintegerValue(3))
                ->Place(taken);
        },
        "",
        "another job has server 7 already");
    ExpectConfigurationError(
        [] {
            Make<ServerPlacement>("ContiguousServerPlacement")->Place({true, true});
        },
        "servers",
        "other jobs leave no 1 servers");
}

TEST(ServerPlacement, StridedTakesServersAtEqualDistances)
{
    const std::vector<bool> taken{true, false, false, false, true, false, false};
    EXPECT_EQ(
        Make<ServerPlacement>("StridedServerPlacement", "First", UintegerValue(1))->Place(taken),
        (Servers{1, 3, 5}));
    EXPECT_EQ(Make<ServerPlacement>("StridedServerPlacement",
                                    "First",
                                    UintegerValue(2),
                                    "Stride",
                                    UintegerValue(3),
                                    "Servers",
                                    UintegerValue(2))
                  ->Place(taken),
              (Servers{2, 5}));
    ExpectConfigurationError([&] { Make<ServerPlacement>("StridedServerPlacement")->Place(taken); },
                             "",
                             "another job has server 0 already");
    ExpectConfigurationError(
        [&] {
            Make<ServerPlacement>("StridedServerPlacement",
                                  "First",
                                  UintegerValue(1),
                                  "Servers",
                                  UintegerValue(4))
                ->Place(taken);
        },
        "",
        "there is no server 7: the topology has 7 servers");
    ExpectConfigurationError(
        [&] {
            Make<ServerPlacement>("StridedServerPlacement", "First", UintegerValue(9))
                ->Place(taken);
        },
        "",
        "expected at least one");
}

TEST(ServerPlacement, GivenKeepsTheOrder)
{
    const std::vector<bool> taken(8, false);
    EXPECT_EQ(Make<ServerPlacement>("GivenServerPlacement",
                                    "Servers",
                                    CountListValue(CountList({6, 1, 2})))
                  ->Place(taken),
              (Servers{6, 1, 2}));
    ExpectConfigurationError(
        [&] {
            Make<ServerPlacement>("GivenServerPlacement",
                                  "Servers",
                                  CountListValue(CountList({6, 1, 6})))
                ->Place(taken);
        },
        "",
        "server 6 is given twice");
    ExpectConfigurationError([&] { Make<ServerPlacement>("GivenServerPlacement")->Place(taken); },
                             "",
                             "expected at least one server of the");
}

} // namespace
