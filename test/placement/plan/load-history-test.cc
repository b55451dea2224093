// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/load-history.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails::test
{

namespace
{

using Notes = std::vector<std::string>;

TEST(LoadHistory, TellsOverHowManyIterationsItWasAskedHadThereBeenAsMany)
{
    LoadHistory history(2, 16);
    EXPECT_EQ(history.GetLookBack(), 0U);
    history.Add(TokenCounts(1, 2, {3, 5}));
    history.EndIteration();
    EXPECT_EQ(history.GetIterations(), 1U);
    EXPECT_EQ(history.GetLookBack(), 0U) << "how many there are says nothing of loads";
    history.GetLastCounts();
    EXPECT_EQ(history.GetLookBack(), 1U);
    history.GetMeanLoads(10);
    EXPECT_EQ(history.GetLookBack(), 10U);
    history.GetLoads(0);
    EXPECT_EQ(history.GetLookBack(), 10U);
}

TEST(HistoryNotes, SayWhereAPolicyMayHaveSeenWhatCounts)
{
    // Six iterations are recorded, and six count behind six others.
    const Notes notes = ListHistoryNotes(6, 6, 6, 6);
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_EQ(
        notes[0].rfind("warning: the policy of experts looks back at loads that begin anew after "
                       "6 iterations, and 12 are run (warm_up 6, iterations 6)",
                       0),
        0U)
        << notes[0];
    EXPECT_EQ(ListHistoryNotes(6, 6, 6, 12), Notes()) << "as many are recorded";
    EXPECT_EQ(ListHistoryNotes(6, 6, 6, 0), Notes()) << "loads never begin anew";
    EXPECT_EQ(ListHistoryNotes(0, 6, 6, 6), Notes()) << "the policy does not look back";
}

TEST(HistoryNotes, SayWhereAWindowIsLongerThanWhatHasBeen)
{
    EXPECT_EQ(ListHistoryNotes(10, 4, 2, 0),
              Notes{"the policy of experts looks back over 10 iterations, of which 4 (warm_up) had "
                    "been before the first that counts"});
    EXPECT_EQ(ListHistoryNotes(1, 0, 2, 0),
              Notes{"the policy of experts looks back over 1 iteration, of which 0 (warm_up) had "
                    "been before the first that counts"});
    EXPECT_EQ(ListHistoryNotes(10, 10, 2, 0), Notes());
}

} // namespace

} // namespace ns3::rails::test
