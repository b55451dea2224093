// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/source-folder.h"
#include "../collective-fixtures.h"

#include "ns3/double.h"
#include "ns3/pointer.h"
#include "ns3/popularity.h"
#include "ns3/rails-units.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/routing-trace.h"
#include "ns3/source-spread.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

using namespace ns3;
using namespace ns3::rails;

namespace
{

TEST(SourceSpread, PairsThatFollowOnePopularityHaveNoSkew)
{
    // Sources that send 1, 2 and 3 times as much, experts that get 2, 3 and 5 of 10, 2 a source.
    EXPECT_EQ(FindPairSkew({1, 1, 2, 1, 2, 3, 2, 2, 4, 2, 4, 6, 3, 3, 6, 3, 6, 9}, 3), 0);
    // All send 30 and get 30, so 10 is what a pair has by that, and 15 of 60 are elsewhere.
    EXPECT_DOUBLE_EQ(FindPairSkew({10, 15, 5, 5, 10, 15, 15, 5, 10}, 3), 15.0 / 60);
    EXPECT_EQ(FindPairSkew({7, 0, 0, 7}, 2), 0) << "nothing goes from one to the other";
    EXPECT_EQ(FindPairSkew({5}, 1), 0);
}

TEST(SourceSpread, ARecordedTrainingHasTheStatedSkew)
{
    const char* given = std::getenv("RAILS_TRACES");
    const std::string folder = given ? given : test::GetSourceFolder() + "/../shared/traces";
    const std::string path = folder + "/moe-training-32e-16r.csv";
    if (!std::filesystem::exists(path))
    {
        GTEST_SKIP() << "*** NOT TESTED: no recorded trace at " << path
                     << " (set RAILS_TRACES to its folder) ***";
    }
    const auto trace = RoutingTrace::Read(path);
    const auto [iterations, layers, microbatches] = trace->CountRecorded();
    std::vector<double> skews;
    for (std::size_t at = 0; at < iterations * layers * microbatches; ++at)
    {
        const RoutingTrace::Place place = trace->FindPlace(
            {at / (layers * microbatches), at / microbatches % layers, at % microbatches});
        std::vector<uint32_t> counts;
        for (const std::vector<uint64_t>& row : trace->ReadTokens(place, 16, "a group"))
        {
            counts.insert(counts.end(), row.begin(), row.end());
        }
        skews.push_back(FindPairSkew(counts, 16));
    }
    std::sort(skews.begin(), skews.end());
    EXPECT_EQ(skews.size(), 576U);
    EXPECT_NEAR(skews[288], 0.026, 0.0005);
    EXPECT_NEAR(skews[518], 0.049, 0.0005);
    EXPECT_NEAR(skews.back(), 0.156, 0.0005);
}

/// \return skew of what 16 GPUs with two experts each have for each other, of some layers
double
FindMeanSkew(double spread)
{
    const auto source = Make<MatrixSource>("MoeMatrixSource",
                                           "TokensPerGpu",
                                           UintegerValue(2048),
                                           "TopK",
                                           UintegerValue(2),
                                           "Hidden",
                                           UintegerValue(1),
                                           "BytesPerElement",
                                           ByteSizeValue(ByteSize(1)),
                                           "Experts",
                                           UintegerValue(32),
                                           "Spread",
                                           DoubleValue(spread));
    const ClusterShape shape{16, 1};
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(1);
    source->AssignStreams(100);
    constexpr int layers = 20;
    double sum = 0;
    for (int layer = 0; layer < layers; ++layer)
    {
        const TrafficMatrix matrix = source->Generate(GpuPartition(shape));
        std::vector<uint32_t> counts(256);
        for (uint32_t gpu = 0; gpu < 16; ++gpu)
        {
            uint64_t own = 4096;
            for (const Demand& demand : matrix.GetRow(gpu))
            {
                counts[gpu * 16 + demand.destination] = static_cast<uint32_t>(demand.bytes);
                own -= demand.bytes;
            }
            counts[gpu * 17] = static_cast<uint32_t>(own);
        }
        sum += FindPairSkew(counts, 16) / layers;
    }
    return sum;
}

TEST(SourceSpread, AMatrixOfTokensIsSkewedByIt)
{
    EXPECT_NEAR(FindMeanSkew(0), 0.0225, 0.001) << "sampling alone";
    EXPECT_NEAR(FindMeanSkew(0.09), 0.036, 0.002);
    EXPECT_NEAR(FindMeanSkew(1), 0.23, 0.02);
}

} // namespace
