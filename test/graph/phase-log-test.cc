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
    log.GoOn(10);
    EXPECT_EQ(log.GetRecords()[0].start, 10);
    EXPECT_EQ(log.GetRecords()[0].end, kNever);
    log.GoOn(30);
    EXPECT_EQ(log.GetRecords()[0].end, 30);
    EXPECT_EQ(log.GetRecords()[1].start, 30);
    log.GoOn(35);
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
    log.GoOn(0);
    EXPECT_TRUE(told.empty());
    log.TellPost();
    log.TellPost();
    EXPECT_EQ(told, (std::vector<bool>{true}));
    log.GoOn(1);
    EXPECT_EQ(told, (std::vector<bool>{true, false}));
    log.GoOn(2);
    EXPECT_EQ(told, (std::vector<bool>{true, false})) << "the gap posts nothing";
    log.TellPost();
    log.GoOn(3);
    EXPECT_EQ(told, (std::vector<bool>{true, false, true, false}));
}

} // namespace
