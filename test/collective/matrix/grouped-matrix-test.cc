// SPDX-License-Identifier: GPL-2.0-only

// What every source of matrices does with groups of GPUs.

#include "../collective-fixtures.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/pairwise-matrix-source.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <set>

using namespace ns3;
using namespace ns3::rails;

namespace
{

const ClusterShape kGroupedMatrixShape{6, 4};
constexpr uint32_t kSize = 6; // one and a half servers where groups are contiguous

std::vector<GpuPartition>
MakeGroups()
{
    return {{kGroupedMatrixShape, kSize, GpuPartition::CONTIGUOUS},
            {kGroupedMatrixShape, kSize, GpuPartition::STRIDED}};
}

/// \return what the members of a group have for each other, by source and destination
std::vector<std::vector<uint64_t>>
Extract(const TrafficMatrix& matrix, const std::vector<uint32_t>& gpus)
{
    std::vector<std::vector<uint64_t>> bytes;
    for (const uint32_t source : gpus)
    {
        bytes.emplace_back();
        for (const uint32_t destination : gpus)
        {
            bytes.back().push_back(GetBytes(matrix, source, destination));
        }
    }
    return bytes;
}

/// Expects that a matrix has nothing from one group to another.
void
ExpectGroupsApart(const TrafficMatrix& matrix, const GpuPartition& groups)
{
    uint64_t inside = 0;
    for (const std::vector<uint32_t>& gpus : groups.GetGroups())
    {
        for (const std::vector<uint64_t>& row : Extract(matrix, gpus))
        {
            for (const uint64_t bytes : row)
            {
                inside += bytes;
            }
        }
    }
    EXPECT_EQ(matrix.GetTotalBytes(), inside);
}

Ptr<MatrixSource>
MakeSource(const std::string& name)
{
    if (name == "MoeMatrixSource")
    {
        return Make<MatrixSource>(name,
                                  "Experts",
                                  UintegerValue(2 * kSize),
                                  "TokensPerGpu",
                                  UintegerValue(1000));
    }
    if (name == "ZipfMatrixSource")
    {
        // Jitter differs from pair to pair anyway: without it groups differ by what is popular.
        return Make<MatrixSource>(name, "Jitter", DoubleValue(0));
    }
    return name == "SparseMatrixSource" ? Make<MatrixSource>(name, "Density", DoubleValue(0.5))
                                        : Make<MatrixSource>(name);
}

class DrawnGroupedMatrix : public testing::TestWithParam<const char*>
{
};

TEST_P(DrawnGroupedMatrix, StaysInsideItsGroups)
{
    for (const GpuPartition& groups : MakeGroups())
    {
        ExpectGroupsApart(Generate(MakeSource(GetParam()), groups), groups);
    }
}

TEST_P(DrawnGroupedMatrix, IsTheSameWithOneGroupAsWithout)
{
    const auto make = [] {
        const Ptr<MatrixSource> source = MakeSource(GetParam());
        source->SetAttributeFailSafe("Experts", UintegerValue(kGroupedMatrixShape.GetGpus()));
        return source;
    };
    const std::string without = Generate(make(), kGroupedMatrixShape).GetHash();
    for (const GpuPartition::Layout layout : {GpuPartition::CONTIGUOUS, GpuPartition::STRIDED})
    {
        EXPECT_EQ(Generate(make(),
                           GpuPartition(kGroupedMatrixShape, kGroupedMatrixShape.GetGpus(), layout))
                      .GetHash(),
                  without);
    }
}

TEST_P(DrawnGroupedMatrix, IsDrawnForEachGroupOnItsOwn)
{
    const GpuPartition groups(kGroupedMatrixShape,
                              kSize,
                              GpuPartition::STRIDED); // all of them lie alike
    const TrafficMatrix matrix = Generate(MakeSource(GetParam()), groups);
    std::set<std::vector<std::vector<uint64_t>>> different;
    for (const std::vector<uint32_t>& gpus : groups.GetGroups())
    {
        different.insert(Extract(matrix, gpus));
    }
    const bool draws = std::string(GetParam()) != "UniformMatrixSource";
    EXPECT_EQ(different.size(), draws ? groups.GetCount() : 1);
}

TEST_P(DrawnGroupedMatrix, IsAsLargeAsEstimated)
{
    for (const GpuPartition& groups : MakeGroups())
    {
        const Ptr<MatrixSource> source = MakeSource(GetParam());
        constexpr uint64_t kSeeds = 40;
        double total = 0;
        for (uint64_t seed = 1; seed <= kSeeds; ++seed)
        {
            total += static_cast<double>(Generate(source, groups, seed).GetTotalBytes());
        }
        // Of the sparse one, the most scattered, a draw has a standard deviation of about 15 %.
        EXPECT_NEAR(source->EstimateBytes(groups), total / kSeeds, 0.05 * total / kSeeds);
    }
}

INSTANTIATE_TEST_SUITE_P(,
                         DrawnGroupedMatrix,
                         testing::Values("UniformMatrixSource",
                                         "SparseMatrixSource",
                                         "ZipfMatrixSource",
                                         "MoeMatrixSource"));

TEST(GroupedMatrix, LeavesOutPairsOfTheSameServerWhateverTheirNumbersInTheGroup)
{
    for (const GpuPartition& groups : MakeGroups())
    {
        for (const bool intra : {false, true})
        {
            const TrafficMatrix matrix =
                Generate(Make<MatrixSource>("UniformMatrixSource", "Intra", BooleanValue(intra)),
                         groups);
            for (const std::vector<uint32_t>& gpus : groups.GetGroups())
            {
                const auto bytes = Extract(matrix, gpus);
                for (uint32_t source = 0; source < kSize; ++source)
                {
                    for (uint32_t destination = 0; destination < kSize; ++destination)
                    {
                        const bool inside = kGroupedMatrixShape.GetServer(gpus[source]) ==
                                            kGroupedMatrixShape.GetServer(gpus[destination]);
                        EXPECT_EQ(bytes[source][destination] > 0,
                                  source != destination && (intra || !inside));
                    }
                }
            }
        }
    }
}

TEST(GroupedMatrix, DealsExpertsOverTheGpusOfAGroup)
{
    const GpuPartition groups(kGroupedMatrixShape, kSize, GpuPartition::STRIDED);
    const auto check = [&](uint32_t experts) {
        return [=] {
            Make<MatrixSource>("MoeMatrixSource", "Experts", UintegerValue(experts))->Check(groups);
        };
    };
    EXPECT_NO_THROW(check(12)());
    EXPECT_NO_THROW(check(3)());
    ExpectConfigurationError(check(24 + 1), "experts", "25 experts and 6 GPUs");
    ExpectConfigurationError(check(8), "experts", "8 experts and 6 GPUs");
}

TEST(GroupedMatrix, GivesEveryGroupTheMatrixOfAFile)
{
    const TemporaryFile file("9,1,2\n3,0,4\n5,6,7\n");
    const auto make = [&] {
        return Make<MatrixSource>("FileMatrixSource", "Path", StringValue(file.GetPath()));
    };
    for (const GpuPartition::Layout layout : {GpuPartition::CONTIGUOUS, GpuPartition::STRIDED})
    {
        const GpuPartition groups({3, 2}, 3, layout);
        const TrafficMatrix matrix = Generate(make(), groups);
        ExpectGroupsApart(matrix, groups);
        for (uint32_t number = 0; number < 2; ++number)
        {
            EXPECT_EQ(Extract(matrix, groups.GetGroups()[number]),
                      (std::vector<std::vector<uint64_t>>{{0, 1, 2}, {3, 0, 4}, {5, 6, 0}}));
        }
        EXPECT_EQ(make()->EstimateBytes(groups), 42);
    }
    ExpectConfigurationError(
        [&] {
            make()->Check(GpuPartition({3, 2}, 2, GpuPartition::STRIDED));
        },
        "path",
        "expected a row and a column for each of the 2 GPUs of a group, found 3 columns");
}

TEST(GroupedMatrix, GivesEveryGroupTheRecordOfATrace)
{
    const TemporaryFile file("iteration,layer,microbatch,rank,e0,e1\n1,0,0,0,5,7\n1,0,0,1,3,2\n");
    const auto make = [&] {
        return Make<MatrixSource>("TraceMatrixSource",
                                  "Path",
                                  StringValue(file.GetPath()),
                                  "Hidden",
                                  UintegerValue(50));
    };
    const GpuPartition groups({3, 2}, 2, GpuPartition::STRIDED);
    const TrafficMatrix matrix = Generate(make(), groups);
    ExpectGroupsApart(matrix, groups);
    for (uint32_t number = 0; number < 3; ++number)
    {
        EXPECT_EQ(Extract(matrix, groups.GetGroups()[number]),
                  (std::vector<std::vector<uint64_t>>{{0, 700}, {300, 0}}));
    }
    EXPECT_EQ(make()->EstimateBytes(groups), 3000);
    ExpectConfigurationError(
        [&] {
            make()->Check(GpuPartition({3, 2}, 3, GpuPartition::STRIDED));
        },
        "path",
        "has 2 ranks for iteration 1, layer 0, microbatch 0, a group 3 GPUs");
}

/// Counts the pairs that it is asked for.
class CountingMatrixSource : public PairwiseMatrixSource
{
  public:
    uint64_t pairs{0};
    uint64_t groups{0};

  private:
    void Start(uint32_t) override
    {
        ++groups;
    }

    uint64_t GetBytes(uint32_t, uint32_t) override
    {
        ++pairs;
        return 1;
    }

    double GetMeanBytes(uint32_t) const override
    {
        return 1;
    }
};

TEST(GroupedMatrix, TouchesThePairsOfItsGroupsAloneOn32768Gpus)
{
    const ClusterShape shape{4096, 8};
    for (const auto& [layout, peers] :
         {std::pair{GpuPartition::CONTIGUOUS, 56u}, std::pair{GpuPartition::STRIDED, 63u}})
    {
        const GpuPartition groups(shape, 64, layout);
        const auto source = CreateObject<CountingMatrixSource>();
        const TrafficMatrix matrix = source->Generate(groups);
        EXPECT_EQ(source->groups, 512u);
        EXPECT_EQ(source->pairs, uint64_t{32768} * peers);
        EXPECT_EQ(matrix.GetTotalBytes(), source->pairs);
        EXPECT_EQ(source->EstimateBytes(groups), static_cast<double>(source->pairs));
    }
}

} // namespace
