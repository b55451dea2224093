// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/independent-parts.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ns3::rails::test
{

namespace
{

using Parts = std::vector<IndependentParts::Constraints>;

class SharingPartsTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        for (uint32_t constraint = 0; constraint < 8; ++constraint)
        {
            m_system.AddConstraint(1);
        }
    }

    uint32_t Add(const std::vector<MaxMinSystem::Use>& uses,
                 const std::vector<MaxMinSystem::Use>& loads = {})
    {
        const uint32_t number = m_system.AddVariable(uses, loads);
        m_system.SetWeight(number, 1);
        m_parts.Forget();
        return number;
    }

    MaxMinSystem m_system;
    IndependentParts m_parts{m_system};
};

TEST_F(SharingPartsTest, ClassesJoinWhatTheyUse)
{
    Add({{6, 1}, {2, 1}});
    Add({{0, 1}, {3, 1}, {4, 1}});
    EXPECT_EQ(m_parts.Sort({2, 4, 6, 3, 0}), (Parts{{4, 3, 0}, {2, 6}})) << "the largest first";
    EXPECT_EQ(m_parts.Sort({7, 6, 1, 0}), (Parts{{7}, {6}, {1}, {0}})) << "else as they came";
    EXPECT_EQ(m_parts.GetSorted().size(), 4U);
}

TEST_F(SharingPartsTest, LoadsJoinAsUsesDo)
{
    Add({{0, 1}}, {{5, 0.1}});
    Add({{1, 1}}, {{2, 0.1}, {5, 0.1}});
    EXPECT_EQ(m_parts.Sort({0, 1, 2, 3}), (Parts{{0, 1, 2}, {3}}));
}

TEST_F(SharingPartsTest, ClassesWithoutWeightJoinNothing)
{
    const uint32_t bridge = Add({{0, 1}, {1, 1}});
    EXPECT_EQ(m_parts.Sort({0, 1}), (Parts{{0, 1}}));
    m_system.SetWeight(bridge, 0);
    EXPECT_EQ(m_parts.Sort({0, 1}), (Parts{{0, 1}})) << "a part too large is none the worse";
    m_parts.Forget();
    EXPECT_FALSE(m_parts.IsKnown());
    EXPECT_EQ(m_parts.Sort({0, 1}), (Parts{{0}, {1}}));
    EXPECT_TRUE(m_parts.IsKnown());
}

TEST_F(SharingPartsTest, ResourcesThatComeLaterArePartsOfTheirOwn)
{
    Add({{0, 1}, {1, 1}});
    EXPECT_EQ(m_parts.Sort({0, 1}), (Parts{{0, 1}}));
    const uint32_t added = m_system.AddConstraint(1);
    EXPECT_FALSE(m_parts.IsKnown());
    EXPECT_EQ(m_parts.Sort({0, added, 1}), (Parts{{0, 1}, {added}}));
}

} // namespace

} // namespace ns3::rails::test
