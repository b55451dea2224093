// SPDX-License-Identifier: GPL-2.0-only
#include "../collective-fixtures.h"

#include "ns3/enum.h"
#include "ns3/gpu-grouping.h"
#include "ns3/gpu-partition.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

namespace
{

using Gpus = std::vector<uint32_t>;
using Groups = GpuPartition::Groups;

TEST(GpuPartition, DealsInRowsOrInStrides)
{
    const ClusterShape shape{4, 3};
    EXPECT_EQ(GpuPartition(shape, 4, GpuPartition::CONTIGUOUS).GetGroups(),
              (Groups{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}}));
    EXPECT_EQ(GpuPartition(shape, 4, GpuPartition::STRIDED).GetGroups(),
              (Groups{{0, 3, 6, 9}, {1, 4, 7, 10}, {2, 5, 8, 11}}));
}

TEST(GpuPartition, IsOneGroupOfAClusterAlone)
{
    const GpuPartition groups = ClusterShape{2, 3};
    EXPECT_EQ(groups.GetGroups(), (Groups{{0, 1, 2, 3, 4, 5}}));
    EXPECT_STREQ(groups.GetOwner(), "the topology");
    EXPECT_STREQ(GpuPartition({2, 3}, 3, GpuPartition::STRIDED).GetOwner(), "a group");
    EXPECT_EQ(GpuPartition(ClusterShape()).GetCount(), 0U);
    EXPECT_EQ(GpuPartition(ClusterShape()).GetSize(), 0U);
    EXPECT_THROW(GpuPartition({2, 3}, 4, GpuPartition::CONTIGUOUS), std::logic_error);
    EXPECT_THROW(GpuPartition({2, 3}, 0, GpuPartition::CONTIGUOUS), std::logic_error);
}

/// Expects that what a partition says of GPUs and servers follows from its groups.
void
ExpectConsistent(const GpuPartition& groups)
{
    const ClusterShape& shape = groups.GetShape();
    std::set<uint32_t> gpus;
    for (uint32_t number = 0; number < groups.GetCount(); ++number)
    {
        const Gpus& members = groups.GetGroups()[number];
        EXPECT_EQ(members.size(), groups.GetSize());
        gpus.insert(members.begin(), members.end());
        std::vector<uint32_t> servers; // in the order of the members
        uint64_t apart = 0;
        for (uint32_t place = 0; place < members.size(); ++place)
        {
            const uint32_t gpu = members[place];
            EXPECT_EQ(groups.GetNumber(gpu), number);
            EXPECT_EQ(groups.GetPlace(gpu), place);
            EXPECT_EQ(groups.GetMembers(gpu), members);
            const uint32_t own = shape.GetServer(gpu);
            if (std::find(servers.begin(), servers.end(), own) == servers.end())
            {
                servers.push_back(own);
            }
            EXPECT_EQ(servers.at(groups.GetServer(gpu)), own);
            const Gpus& here = groups.GetServers(number).at(groups.GetServer(gpu));
            EXPECT_EQ(std::count(here.begin(), here.end(), place), 1);
            EXPECT_TRUE(std::is_sorted(here.begin(), here.end()));
            for (const uint32_t other : members)
            {
                apart += own != shape.GetServer(other);
            }
        }
        EXPECT_EQ(groups.CountServers(number), servers.size());
        EXPECT_EQ(groups.CountPairsApart(number), apart);
    }
    EXPECT_EQ(gpus.size(), groups.GetCount() * groups.GetSize());
}

TEST(GpuPartition, KnowsWhereEveryGpuIs)
{
    const ClusterShape shape{6, 4};
    for (const GpuPartition::Layout layout : {GpuPartition::CONTIGUOUS, GpuPartition::STRIDED})
    {
        for (const uint32_t size : {1, 2, 3, 6, 8, 12, 24})
        {
            const GpuPartition groups(shape, size, layout);
            EXPECT_EQ(groups.GetCount() * size, 24U);
            ExpectConsistent(groups);
            for (const Gpus& members : groups.GetGroups())
            {
                EXPECT_TRUE(std::is_sorted(members.begin(), members.end()));
            }
        }
    }
    // In any order, and not of all GPUs.
    ExpectConsistent({shape, {{5, 0, 9, 4}, {1, 20, 2, 23}}});
}

TEST(GpuPartition, ARelayHasTheSamePlaceOnItsServer)
{
    // Three members on server 0, two on server 1, one on server 2.
    const GpuPartition groups({3, 4}, {{0, 1, 3, 4, 6, 9}});
    EXPECT_EQ(groups.GetServers(0), (MembersByServer{{0, 1, 2}, {3, 4}, {5}}));
    EXPECT_EQ(groups.GetRelay(0, 1), 4U);
    EXPECT_EQ(groups.GetRelay(1, 1), 6U);
    EXPECT_EQ(groups.GetRelay(3, 1), 4U); // in turn, as there are fewer
    EXPECT_EQ(groups.GetRelay(6, 0), 1U);
    EXPECT_EQ(groups.GetRelay(6, 2), 9U);
    EXPECT_EQ(groups.GetServed(4), (Gpus{0, 3, 9}));
    EXPECT_EQ(groups.GetServed(9), (Gpus{0, 1, 3, 4, 6}));
    EXPECT_EQ(groups.GetServed(3), Gpus());
}

TEST(GpuPartition, SaysWhetherServersHaveAsManyMembers)
{
    const ClusterShape shape{2, 4};
    EXPECT_EQ(GpuPartition(shape).CountPerServer(), 4U);
    EXPECT_EQ(GpuPartition(shape, 2, GpuPartition::STRIDED).CountPerServer(), 1U);
    EXPECT_EQ(GpuPartition({3, 4}, 6, GpuPartition::CONTIGUOUS).CountPerServer(), 0U);
    EXPECT_EQ(GpuPartition({3, 4}, 4, GpuPartition::STRIDED).CountPerServer(), 0U);
    // One group inside a server, the next one over two.
    EXPECT_EQ(GpuPartition({2, 3}, 2, GpuPartition::CONTIGUOUS).CountPerServer(), 0U);
    EXPECT_TRUE(GpuPartition(shape, 4, GpuPartition::STRIDED).AreEven());
    EXPECT_FALSE(GpuPartition({3, 4}, 6, GpuPartition::CONTIGUOUS).AreEven());
    // As many on both servers, but not one behind the other.
    const GpuPartition mixed(shape, {{0, 4, 1, 5}, {2, 6, 3, 7}});
    EXPECT_EQ(mixed.CountPerServer(), 2U);
    EXPECT_FALSE(mixed.AreEven());
}

TEST(GpuGrouping, SaysWhatCannotBe)
{
    const auto check = [](uint32_t size, const char* layout) {
        return [=] {
            Make<GpuGrouping>("GpuGrouping",
                              "Size",
                              UintegerValue(size),
                              "Layout",
                              StringValue(layout))
                ->Check({4, 8});
        };
    };
    EXPECT_NO_THROW(check(0, "contiguous")());
    EXPECT_NO_THROW(check(8, "contiguous")());
    EXPECT_NO_THROW(check(32, "strided")());
    ExpectConfigurationError(check(12, "strided"), "size", "the 32 GPUs of the topology");
    ExpectConfigurationError(check(64, "contiguous"), "size", "groups of 64");
    ExpectConfigurationError(check(1, "contiguous"), "size", "nobody");
    ExpectConfigurationError(check(0, "strided"), "layout", "groups.size");
}

} // namespace
