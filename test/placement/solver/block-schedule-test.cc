// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/block-schedule.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace ns3::rails::test
{

namespace
{

LayerTime
MakeTime(double parameters, double gradients)
{
    LayerTime time;
    time.allToAll = 3;
    time.forwardExperts = 5;
    time.backwardExperts = 10;
    time.otherForward = 4;
    time.otherBackward = 8;
    time.parameters = parameters;
    time.gradients = gradients;
    return time;
}

/// \return cuts that fill the window of the rest of a layer first
std::vector<BlockCut>
MakeCuts(const std::vector<LayerTime>& times)
{
    std::vector<BlockCut> cuts(times.size());
    for (std::size_t block = 1; block < times.size(); ++block)
    {
        cuts[block] = FindCut(times[block - 1], times[block]);
    }
    return cuts;
}

double
FindEnd(const std::vector<LayerTime>& times, double planning = 0)
{
    double end = 0;
    for (const BlockSpan& span :
         RunBlockSchedule(MakeBlockSchedule(MakeCuts(times)), times, planning))
    {
        end = std::max(end, span.end);
    }
    return end;
}

/// \return spans by the name of an operation
std::map<std::string, BlockSpan>
FindSpans(const std::vector<LayerTime>& times, double planning)
{
    const auto schedule = MakeBlockSchedule(MakeCuts(times));
    const auto spans = RunBlockSchedule(schedule, times, planning);
    std::map<std::string, BlockSpan> byName;
    for (std::size_t i = 0; i < schedule.size(); ++i)
    {
        byName[GetName(schedule[i])] = spans[i];
    }
    EXPECT_EQ(byName.size(), schedule.size()) << "names are unique";
    return byName;
}

TEST(BlockSchedule, HasAllOperationsOfAllBlocksOnTheirStreams)
{
    std::map<BlockOperation::Kind, int> many;
    for (const BlockOperation& operation : MakeBlockSchedule(std::vector<BlockCut>(3)))
    {
        ++many[operation.kind];
        const bool communicates = operation.kind == BlockOperation::ALL_TO_ALL ||
                                  operation.kind == BlockOperation::PARAMETERS ||
                                  operation.kind == BlockOperation::GRADIENTS;
        EXPECT_EQ(operation.stream == BlockOperation::COMMUNICATION, communicates);
    }
    EXPECT_EQ(many[BlockOperation::PLAN], 3);
    EXPECT_EQ(many[BlockOperation::PARAMETERS], 1 + 2 * 2);
    EXPECT_EQ(many[BlockOperation::ALL_TO_ALL], 4 * 3);
    EXPECT_EQ(many[BlockOperation::FORWARD_EXPERTS], 3);
    EXPECT_EQ(many[BlockOperation::FORWARD_OTHER], 3);
    EXPECT_EQ(many[BlockOperation::BACKWARD_EXPERTS], 3);
    EXPECT_EQ(many[BlockOperation::BACKWARD_OTHER], 3);
    EXPECT_EQ(many[BlockOperation::GRADIENTS], 1 + 2 * 2);
    EXPECT_TRUE(MakeBlockSchedule({}).empty());
}

TEST(BlockSchedule, OperationsWaitForWhatTheyNeed)
{
    const std::vector<LayerTime> times(3, MakeTime(30, 60));
    auto spans = FindSpans(times, 1);
    for (const std::string block : {"1", "2", "3"})
    {
        EXPECT_GE(spans["FEC " + block].start, spans["A2A " + block + " part 1"].end);
        EXPECT_GE(spans["BEC " + block].start, spans["A2A " + block + " part 3"].end);
    }
    EXPECT_EQ(spans["Plan 1"].start, 0) << "under parameters that nothing else goes under";
    EXPECT_EQ(spans["Plan 2"].start, spans["A2A 2 part 1"].start) << "under an all-to-all";
    EXPECT_EQ(spans["Plan 3"].start, spans["A2A 3 part 1"].start);
    for (const std::string part : {"1", "2"})
    {
        EXPECT_GE(spans["FEC 2"].start, spans["Trans 2 part " + part].end);
        EXPECT_GE(spans["FEC 3"].start, spans["Trans 3 part " + part].end);
        EXPECT_GE(spans["Agg 2 part " + part].start, spans["BEC 2"].end);
        EXPECT_GE(spans["Agg 3 part " + part].start, spans["BEC 3"].end);
    }
    EXPECT_EQ(spans["Trans 2 part 1"].start, spans["FEC 1"].start);
    EXPECT_EQ(spans["Trans 2 part 2"].start, spans["FNEC 1"].start);
    EXPECT_EQ(spans["Agg 3 part 1"].start, spans["BNEC 2"].start);
    EXPECT_EQ(spans["Agg 3 part 2"].start, spans["BEC 2"].start);
    EXPECT_GE(spans["FEC 1"].start, spans["Trans 1"].end);
    EXPECT_GE(spans["Agg 1"].start, spans["BEC 1"].end);
}

// Part A.5, steps 2, 3 and 5, and eq. 8.
TEST(BlockSchedule, ExposesWhatEquation8Says)
{
    std::mt19937 random(3);
    const auto any = [&random](uint32_t most) { return 1.0 + random() % most; };
    for (int round = 0; round < 200; ++round)
    {
        std::vector<LayerTime> times(4);
        double expected = 0;
        for (std::size_t block = 0; block < times.size(); ++block)
        {
            LayerTime& time = times[block];
            time = {any(50), any(50), any(100), any(150), any(300), any(50), any(100)};
            expected += time.GetUnshadowed() + time.otherForward + time.otherBackward;
            if (block == 0)
            {
                expected += time.parameters + time.gradients;
                continue;
            }
            LayerTime window = times[block - 1];
            window.parameters = time.parameters;
            window.gradients = time.gradients;
            expected += window.GetExposedParameters() + window.GetExposedGradients();
        }
        EXPECT_NEAR(FindEnd(times), expected, 1e-9);
    }
}

TEST(BlockSchedule, FirstBlockHasNothingToHideUnder)
{
    std::vector<LayerTime> times(3, MakeTime(0.5, 0.5));
    const double hidden = FindEnd(times);
    times[0].parameters += 7;
    EXPECT_DOUBLE_EQ(FindEnd(times), hidden + 7);
    times[0].gradients += 7;
    EXPECT_DOUBLE_EQ(FindEnd(times), hidden + 14);
    times[1].parameters += 7;
    times[1].gradients += 7;
    EXPECT_DOUBLE_EQ(FindEnd(times), hidden + 14) << "inner blocks have";
}

TEST(BlockSchedule, PlanningIsHiddenByAnAllToAll)
{
    const std::vector<LayerTime> times(3, MakeTime(1, 1));
    EXPECT_DOUBLE_EQ(FindEnd(times, 3), FindEnd(times));
    // That of the first runs under its parameters too, which go out before.
    EXPECT_DOUBLE_EQ(FindEnd(times, 4), FindEnd(times) + 2);
}

TEST(BlockSchedule, CutsAreInWholeExperts)
{
    EXPECT_DOUBLE_EQ(FindShare(12, 4, 12), 1);
    EXPECT_DOUBLE_EQ(FindShare(12, 4, 11), 0.75);
    EXPECT_DOUBLE_EQ(FindShare(12, 4, 2), 0);
    EXPECT_DOUBLE_EQ(FindShare(0, 0, 0), 1);
}

} // namespace

} // namespace ns3::rails::test
