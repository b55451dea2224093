// SPDX-License-Identifier: GPL-2.0-only
#include "../collective/collective-fixtures.h"

#include "ns3/compute-time.h"
#include "ns3/rails-workload.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <string>

using namespace ns3;
using namespace ns3::rails;

namespace
{

const std::string kStart = "num_ranks 3\n"
                           "rank 0 {\nl1: calc 100\nl2: send 10b to 2 tag 1\nl2 requires l1\n";
const std::string kEnd = "}\n"
                         "rank 1 {\nl1: send 0b to 0 tag 0\n}\n"
                         "rank 2 {\nl1: recv 10b from 0 tag 1\nl2: send 7b to 2 tag 3\n"
                         "l3: recv 7b from 2 tag 3\n}\n";

Ptr<Workload>
MakeGoalWorkload(const std::string& path, uint32_t stride)
{
    return Make<Workload>("GoalWorkload",
                          "Path",
                          StringValue(path),
                          "Stride",
                          UintegerValue(stride));
}

TEST(GoalWorkload, PutsARankOnAGpu)
{
    const TemporaryFile file(kStart + "l3: recv 0b from 1 tag 0\n" + kEnd);
    const ClusterShape shape{3, 2};
    for (const uint32_t stride : {1, 2})
    {
        const Ptr<Workload> workload = MakeGoalWorkload(file.GetPath(), stride);
        workload->Check(WorkloadSetting(shape));
        const auto program = workload->MakeProgram(WorkloadSetting(shape));
        const WorkloadSchedule schedule = program->GetSchedule();
        EXPECT_EQ(schedule.matrix->GetHash(),
                  MakeMatrix(shape,
                             stride == 1
                                 ? std::vector<std::vector<uint64_t>>{{0, 0, 10}, {1}}
                                 : std::vector<std::vector<uint64_t>>{{0, 0, 0, 0, 10}, {}, {1}})
                      .GetHash());
        EXPECT_EQ(workload->EstimateBytes(WorkloadSetting(shape)), 11);
        EXPECT_EQ(FindComputeTime(*program), 100'000);
    }
    ExpectConfigurationError(
        [&] { MakeGoalWorkload(file.GetPath(), 3)->Check(WorkloadSetting(shape)); },
        "stride",
        "GPUs for 2 of them at this stride");
    ExpectConfigurationError(
        [&] {
            MakeGoalWorkload(file.GetPath(), 1)->Check(WorkloadSetting({1, 2}));
        },
        "path",
        "3 ranks");
}

TEST(GoalWorkload, RefusesAFileThatNobodyCanGoThrough)
{
    const TemporaryFile file(kStart + kEnd); // rank 0 does not get what rank 1 sends
    EXPECT_THROW(MakeGoalWorkload(file.GetPath(), 1)->Check(WorkloadSetting({3, 1})),
                 ConfigurationError);
    EXPECT_THROW(MakeGoalWorkload("/nowhere.goal", 1)->Check(WorkloadSetting({3, 1})),
                 ConfigurationError);
}

TEST(GoalWorkload, RefusesNicsThatItsRanksDoNotHave)
{
    const TemporaryFile file("num_ranks 2\nrank 0 {\nsend 5b to 1 nic 1\n}\n"
                             "rank 1 {\nrecv 5b from 0 nic 1\n}\n");
    EXPECT_NO_THROW(MakeGoalWorkload(file.GetPath(), 2)->Check(WorkloadSetting({2, 2})));
    ExpectConfigurationError(
        [&] {
            MakeGoalWorkload(file.GetPath(), 1)->Check(WorkloadSetting({2, 1}));
        },
        "path",
        "names nic 1");
}

} // namespace
