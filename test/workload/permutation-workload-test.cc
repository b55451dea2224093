// SPDX-License-Identifier: GPL-2.0-only
#include "../collective/collective-fixtures.h"

#include "ns3/phase-workload.h"
#include "ns3/rails-units.h"

#include <set>

using namespace ns3;
using namespace ns3::rails;

namespace
{

/// The destination of every GPU, drawn with a seed.
std::vector<uint32_t>
Draw(const ClusterShape& shape, uint64_t seed, int64_t stream = 100)
{
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(seed);
    Ptr<PhaseWorkload> workload =
        Make<PhaseWorkload>("PermutationWorkload", "Bytes", ByteSizeValue(ByteSize(5'000)));
    EXPECT_EQ(workload->AssignStreams(stream), 1);
    const WorkloadSchedule schedule = workload->MakeSchedule(WorkloadSetting(shape));
    std::vector<uint32_t> destinations;
    for (uint32_t source = 0; source < shape.GetGpus(); ++source)
    {
        const std::vector<Demand>& row = schedule.phases.at(0).traffic->GetRow(source);
        EXPECT_EQ(row.size(), 1u);
        EXPECT_EQ(row.at(0).bytes, 5'000u);
        destinations.push_back(row.at(0).destination);
    }
    return destinations;
}

TEST(PermutationWorkload, EveryGpuSendsToOneOtherAndReceivesFromOne)
{
    // Two GPUs leave no choice, and with few GPUs many draws have some GPU at its own place.
    for (uint32_t gpus : {2, 3, 4, 5, 128})
    {
        for (uint64_t seed = 1; seed <= 20; ++seed)
        {
            const std::vector<uint32_t> destinations = Draw({gpus, 1}, seed);
            for (uint32_t source = 0; source < gpus; ++source)
            {
                EXPECT_NE(destinations[source], source) << gpus << " GPUs, seed " << seed;
            }
            EXPECT_EQ(std::set<uint32_t>(destinations.begin(), destinations.end()).size(), gpus);
        }
    }
}

TEST(PermutationWorkload, DependsOnTheSeedAndNotOnTheServers)
{
    const std::vector<uint32_t> once = Draw({16, 1}, 7);
    EXPECT_EQ(Draw({16, 1}, 7), once);
    EXPECT_EQ(Draw({4, 4}, 7), once);
    EXPECT_NE(Draw({16, 1}, 8), once);
}

TEST(PermutationWorkload, ReachesAllPairs)
{
    // Not only those between pods: over 400 draws every one of the 12 pairs of 4 GPUs comes up.
    std::set<std::pair<uint32_t, uint32_t>> pairs;
    for (uint64_t seed = 1; seed <= 400; ++seed)
    {
        const std::vector<uint32_t> destinations = Draw({4, 1}, seed);
        for (uint32_t source = 0; source < 4; ++source)
        {
            pairs.emplace(source, destinations[source]);
        }
    }
    EXPECT_EQ(pairs.size(), 12u);
}

TEST(PermutationWorkload, NeedsTwoGpus)
{
    Ptr<PhaseWorkload> workload = Make<PhaseWorkload>("PermutationWorkload");
    EXPECT_NO_THROW(workload->Check(WorkloadSetting({2, 1})));
    ExpectConfigurationError(
        [&] {
            workload->Check(WorkloadSetting({1, 1}));
        },
        "",
        "at least 2 GPUs");
}

} // namespace
