// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rails-nearest-name.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails
{

TEST(NearestName, TypingMistakesAreSeenThrough)
{
    const std::vector<std::string> names{"domains", "gpus_per_domain", "nic_rate", "spines"};
    EXPECT_EQ(NearestName("domians", names), "domains");
    EXPECT_EQ(NearestName("domain", names), "domains");
    EXPECT_EQ(NearestName("spine", names), "spines");
    EXPECT_EQ(NearestName("nicrate", names), "nic_rate");
    EXPECT_EQ(NearestName("NIC-Rate", names), "nic_rate");
    EXPECT_EQ(NearestName("gpus", names), "gpus_per_domain");
}

TEST(NearestName, NothingIsProposedForSomethingElse)
{
    const std::vector<std::string> names{"domains", "spines"};
    EXPECT_EQ(NearestName("xyzzy", names), "");
    EXPECT_EQ(NearestName("", names), "");
    EXPECT_EQ(NearestName(std::string(100'000, 'd'), names), "");
    EXPECT_EQ(NearestName("domains", {}), "");
}

TEST(NearestName, SuggestionListsWhatIsKnown)
{
    EXPECT_EQ(SuggestName("rial", {"rail", "ring"}), "; did you mean 'rail'? Known: rail, ring");
    EXPECT_EQ(SuggestName("xyzzy", {"rail", "ring"}), "; known: rail, ring");
    EXPECT_EQ(SuggestName("xyzzy", {}), "");
}

} // namespace ns3::rails
