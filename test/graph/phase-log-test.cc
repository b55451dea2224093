// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/phase-log.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

namespace
{

TEST(PhaseLog, APhaseStartsWhenTheOneBeforeEnds)
{
    PhaseLog log({{"dispatch", 0, kNever, kNever}, {"gap", 1, kNever, kNever}});
    log.Advance(10);
    EXPECT_EQ(log.GetRecords()[0].start, 10);
    EXPECT_EQ(log.GetRecords()[0].end, kNever);
    log.Advance(30);
    EXPECT_EQ(log.GetRecords()[0].end, 30);
    EXPECT_EQ(log.GetRecords()[1].start, 30);
    log.Advance(35);
    EXPECT_EQ(log.GetRecords()[1].end, 35);
    EXPECT_EQ(log.GetRecords()[1].iteration, 1U);
}

TEST(PhaseLog, TellsTheFirstPostAndTheEndOfPhasesThatPostSomething)
{
    PhaseLog log({{"dispatch", 0, kNever, kNever},
                  {"gap", 0, kNever, kNever},
                  {"combine", 0, kNever, kNever}});
    std::vector<bool> told;
    log.SetCallback([&](bool starts) { told.push_back(starts); });
    log.Advance(0);
    EXPECT_TRUE(told.empty());
    log.TellPost();
    log.TellPost();
    EXPECT_EQ(told, (std::vector<bool>{true}));
    log.Advance(1);
    EXPECT_EQ(told, (std::vector<bool>{true, false}));
    log.Advance(2);
    EXPECT_EQ(told, (std::vector<bool>{true, false})) << "the gap posts nothing";
    log.TellPost();
    log.Advance(3);
    EXPECT_EQ(told, (std::vector<bool>{true, false, true, false}));
}

} // namespace
