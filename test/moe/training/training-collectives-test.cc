// SPDX-License-Identifier: GPL-2.0-only
#include "../training-fixtures.h"

#include "ns3/string.h"
#include "ns3/training-collectives.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails
{

TEST(TrainingCollectives, GroupsGoByTheNumbersOfTheirGpusWhateverTheOrderOfDegrees)
{
    for (const std::string order : {"tp-cp-ep-dp-pp", "dp-tp-cp-ep-pp", "ep-dp-pp-cp-tp"})
    {
        const Ptr<ParallelLayout> layout = test::MakeLayout({{"Cp", 2}, {"Ep", 2}});
        layout->SetAttribute("Order", StringValue(order));
        TrainingSpec spec =
            test::MakeSpec({2, 4}, test::MakeModel("Mixtral-8x7b")->GetDimensions(), {}, nullptr);
        const RankMaps maps = layout->MakeMaps(8);
        spec.attention = maps.attention;
        spec.experts = maps.experts;
        const TrainingCollectives collectives(spec);
        const std::vector<uint32_t>& members =
            collectives.GetGroups(TrainingGroup::Data).GetMembers(0);
        ASSERT_EQ(members.size(), 8U) << order;
        EXPECT_TRUE(std::is_sorted(members.begin(), members.end())) << order;
    }
}

} // namespace ns3::rails
