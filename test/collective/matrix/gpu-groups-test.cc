// SPDX-License-Identifier: GPL-2.0-only
#include "../collective-fixtures.h"

#include "ns3/enum.h"
#include "ns3/gpu-grouping.h"
#include "ns3/gpu-groups.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <set>
#include <stdexcept>

using namespace ns3;
using namespace ns3::rails;

namespace
{

std::vector<uint32_t>
ListGpus(const GpuGroup& group)
{
    std::vector<uint32_t> gpus;
    for (uint32_t member = 0; member < group.GetSize(); ++member)
    {
        gpus.push_back(group.GetGpu(member));
    }
    return gpus;
}

TEST(GpuGroups, AreDealtInRowsOrInStrides)
{
    const ClusterShape shape{4, 3};
    const GpuGroups rows(shape, 4, GpuGroups::CONTIGUOUS);
    ASSERT_EQ(rows.GetCount(), 3u);
    EXPECT_EQ(ListGpus(rows.Get(0)), (std::vector<uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(ListGpus(rows.Get(2)), (std::vector<uint32_t>{8, 9, 10, 11}));
    const GpuGroups strides(shape, 4, GpuGroups::STRIDED);
    ASSERT_EQ(strides.GetCount(), 3u);
    EXPECT_EQ(ListGpus(strides.Get(0)), (std::vector<uint32_t>{0, 3, 6, 9}));
    EXPECT_EQ(ListGpus(strides.Get(2)), (std::vector<uint32_t>{2, 5, 8, 11}));
}

TEST(GpuGroups, HaveEveryGpuOnce)
{
    const ClusterShape shape{6, 4};
    for (const GpuGroups::Layout layout : {GpuGroups::CONTIGUOUS, GpuGroups::STRIDED})
    {
        for (const uint32_t size : {1, 2, 3, 8, 12, 24})
        {
            const GpuGroups groups(shape, size, layout);
            std::set<uint32_t> gpus;
            for (uint32_t number = 0; number < groups.GetCount(); ++number)
            {
                const std::vector<uint32_t> own = ListGpus(groups.Get(number));
                EXPECT_EQ(own.size(), size);
                EXPECT_TRUE(std::is_sorted(own.begin(), own.end()));
                gpus.insert(own.begin(), own.end());
            }
            EXPECT_EQ(gpus.size(), 24u);
            EXPECT_EQ(*gpus.rbegin(), 23u);
        }
    }
}

TEST(GpuGroups, AreOneOfAClusterAlone)
{
    const GpuGroups groups = ClusterShape{2, 3};
    ASSERT_EQ(groups.GetCount(), 1u);
    EXPECT_EQ(ListGpus(groups.Get(0)), (std::vector<uint32_t>{0, 1, 2, 3, 4, 5}));
    EXPECT_STREQ(groups.GetOwner(), "the topology");
    EXPECT_STREQ(GpuGroups({2, 3}, 3, GpuGroups::STRIDED).GetOwner(), "a group");
    EXPECT_THROW(GpuGroups({2, 3}, 4, GpuGroups::CONTIGUOUS), std::logic_error);
    EXPECT_THROW(GpuGroups({2, 3}, 0, GpuGroups::CONTIGUOUS), std::logic_error);
}

TEST(GpuGroups, CountThePairsInDifferentServers)
{
    const ClusterShape shape{6, 4};
    for (const GpuGroups::Layout layout : {GpuGroups::CONTIGUOUS, GpuGroups::STRIDED})
    {
        for (const uint32_t size : {1, 2, 3, 6, 8, 12, 24})
        {
            const GpuGroups groups(shape, size, layout);
            for (uint32_t number = 0; number < groups.GetCount(); ++number)
            {
                const std::vector<uint32_t> gpus = ListGpus(groups.Get(number));
                uint64_t apart = 0;
                for (const uint32_t one : gpus)
                {
                    for (const uint32_t other : gpus)
                    {
                        apart += shape.GetServer(one) != shape.GetServer(other);
                    }
                }
                EXPECT_EQ(groups.Get(number).CountPairsApart(), apart)
                    << "group " << number << " of " << size;
            }
        }
    }
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
