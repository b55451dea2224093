// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/source-folder.h"
#include "../collective-fixtures.h"

#include "ns3/rails-units.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <chrono>
#include <cstdlib>
#include <thread>

using namespace ns3;
using namespace ns3::rails;

namespace
{

const char* const kSmallTrace = "iteration,layer,microbatch,rank,e0,e1,e2,e3\n"
                                "1,0,0,0,10,20,30,40\n"
                                "1,0,0,1,50,60,70,80\n"
                                "1,0,1,1,5,6,7,8\n"
                                "1,0,1,0,1,2,3,4\n"
                                "2,0,0,0,1,1,1,1\n";

Ptr<MatrixSource>
MakeTrace(const std::string& path, uint32_t iteration, uint32_t layer, uint32_t microbatch)
{
    return Make<MatrixSource>("TraceMatrixSource",
                              "Path",
                              StringValue(path),
                              "Iteration",
                              UintegerValue(iteration),
                              "Layer",
                              UintegerValue(layer),
                              "Microbatch",
                              UintegerValue(microbatch),
                              "Hidden",
                              UintegerValue(100),
                              "BytesPerElement",
                              ByteSizeValue(ByteSize(2)));
}

TEST(TraceMatrix, TakesTheAskedRowsAndDealsExpertsInOrder)
{
    const TemporaryFile file(kSmallTrace);
    const ClusterShape shape{2, 1};
    const TrafficMatrix first = Generate(MakeTrace(file.GetPath(), 1, 0, 0), shape);
    EXPECT_EQ(GetBytes(first, 0, 1), 70u * 200);
    EXPECT_EQ(GetBytes(first, 1, 0), 110u * 200);
    const TrafficMatrix second = Generate(MakeTrace(file.GetPath(), 1, 0, 1), shape);
    EXPECT_EQ(GetBytes(second, 0, 1), 7u * 200);
    EXPECT_EQ(GetBytes(second, 1, 0), 11u * 200);
}

TEST(TraceMatrix, RefusesAClusterOfAnotherSizeAndAbsentKeys)
{
    const TemporaryFile file(kSmallTrace);
    const auto check = [&](uint32_t iteration, uint32_t microbatch, ClusterShape shape) {
        return [=, &file] { MakeTrace(file.GetPath(), iteration, 0, microbatch)->Check(shape); };
    };
    ExpectConfigurationError(check(7, 0, {2, 1}),
                             "path",
                             "has no iteration 7, layer 0, microbatch 0");
    ExpectConfigurationError(check(2, 0, {2, 1}), "path", "has 1 ranks");
    ExpectConfigurationError(check(1, 0, {4, 1}), "path", "has 2 ranks");
    ExpectConfigurationError(check(1, 0, {1, 1}), "path", ":3:7: the trace has a rank 1");
}

TEST(TraceMatrix, NamesThePlaceOfAMistake)
{
    const auto expect = [](const std::string& content, const std::string& text) {
        const TemporaryFile file(content);
        ExpectConfigurationError(
            [&] {
                MakeTrace(file.GetPath(), 1, 0, 0)->Check(ClusterShape{2, 1});
            },
            "path",
            file.GetPath() + text);
    };
    const std::string header = "iteration,layer,microbatch,rank,e0,e1\n";
    expect("", ": is empty");
    expect(header, ": has a header, and no row of tokens below it");
    expect("iteration,layer,rank,e0\n", ":1:17: expected the column 'microbatch'");
    expect("iteration,layer,microbatch,rank\n", ":1:1: expected the columns");
    expect("iteration,layer,microbatch,rank,e0,e2\n", ":1:36: expected the column 'e1'");
    expect(header + "1,0,0,0,1\n", ":2:1: expected 6 columns as in the header, found 5");
    expect(header + "1,0,0,0,1,2\n1,0,0,0,1,2\n", ":3:7: rank 0 occurs twice");
    expect(header + "1,0,0,0,1,2\n1,0,0,1,1,2x\n", ":3:11: expected a whole number");
    expect("iteration,layer,microbatch,rank,e0,e1,e2\n1,0,0,0,1,2,3\n1,0,0,1,1,2,3\n",
           ": 3 experts and 2 GPUs");
}

TEST(TraceMatrix, FindsRowsInAnyOrderBetweenBlankLines)
{
    const TemporaryFile file("iteration,layer,microbatch,rank,e0,e1\r\n\r\n"
                             "1,0,0,1,1,22\r\n\n"
                             "2,0,0,0,333,4\n"
                             "1,0,0,0,5,66666\n\n\n"
                             "2,0,0,1,7,x\n"
                             "1,3,0,0,1,2\n1,3,0,1,9,8");
    const ClusterShape shape{2, 1};
    // A file that was just written is not remembered, one that is older is: both ways are right.
    for (int round = 0; round < 2; ++round)
    {
        const TrafficMatrix first = Generate(MakeTrace(file.GetPath(), 1, 0, 0), shape);
        EXPECT_EQ(GetBytes(first, 0, 1), 66'666u * 200);
        EXPECT_EQ(GetBytes(first, 1, 0), 1u * 200);
        const TrafficMatrix last = Generate(MakeTrace(file.GetPath(), 1, 3, 0), shape);
        EXPECT_EQ(GetBytes(last, 0, 1), 2u * 200);
        EXPECT_EQ(GetBytes(last, 1, 0), 9u * 200) << "the last line has no end";
        ExpectConfigurationError([&] { MakeTrace(file.GetPath(), 2, 0, 0)->Check(shape); },
                                 "path",
                                 ":9:11: expected a whole number, found 'x'");
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
    }
}

TEST(TraceMatrix, ReadsTheRecordedTrainingRun)
{
    const char* given = std::getenv("RAILS_TRACES");
    const std::string folder = given ? given : test::GetSourceFolder() + "/../shared/traces";
    const std::string path = folder + "/moe-training-32e-16r.csv";
    if (!std::filesystem::exists(path))
    {
        GTEST_SKIP() << "*** NOT TESTED: no recorded trace at " << path
                     << " (set RAILS_TRACES to its folder) ***";
    }
    // 32 experts on 16 GPUs, 4,096 assignments a row, of which a GPU keeps some for itself.
    const ClusterShape shape{2, 8};
    const TrafficMatrix matrix = Generate(MakeTrace(path, 1, 0, 0), shape);
    EXPECT_EQ(GetBytes(matrix, 0, 1), (118u + 90) * 200);
    EXPECT_EQ(GetBytes(matrix, 0, 15), (153u + 149) * 200);
    uint64_t sum = 0;
    for (const Demand& demand : matrix.GetRow(0))
    {
        sum += demand.bytes;
    }
    EXPECT_EQ(sum, (4096u - 177 - 105) * 200);
    EXPECT_NO_THROW(MakeTrace(path, 3001, 23, 3)->Check(shape));
    ExpectConfigurationError([&] { MakeTrace(path, 2, 0, 0)->Check(shape); }, "path", "has no");
    ExpectConfigurationError(
        [&] {
            MakeTrace(path, 1, 0, 0)->Check(ClusterShape{8, 8});
        },
        "path",
        "16 ranks");
}

} // namespace
