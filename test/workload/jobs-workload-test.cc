// SPDX-License-Identifier: GPL-2.0-only
#include "../collective/collective-fixtures.h"

#include "ns3/collective.h"
#include "ns3/enum.h"
#include "ns3/pointer.h"
#include "ns3/rails-workload.h"
#include "ns3/uinteger.h"
#include "ns3/value-list.h"
#include "ns3/workload-job.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

namespace
{

using Numbers = std::vector<uint32_t>;

const ClusterShape kCluster{8, 2};

CountListValue
MakeList(const Numbers& numbers)
{
    return CountListValue(CountList(numbers));
}

/// \return a ring on given servers
Ptr<WorkloadJob>
MakeJob(const Numbers& servers, const Numbers& spares = {}, const Numbers& failedGpus = {})
{
    const auto job = CreateObject<WorkloadJob>();
    job->SetAttribute("Workload",
                      PointerValue(Make<Workload>("RingWorkload",
                                                  "Algorithm",
                                                  EnumValue(ALGORITHM_RING),
                                                  "Rings",
                                                  UintegerValue(1))));
    job->SetAttribute(
        "Placement",
        PointerValue(Make<ServerPlacement>("GivenServerPlacement", "Servers", MakeList(servers))));
    job->SetAttribute("Spares", MakeList(spares));
    job->SetAttribute("FailedGpus", MakeList(failedGpus));
    return job;
}

/// \return jobs named a, b, and so on
Ptr<Workload>
MakeJobs(const std::vector<Ptr<WorkloadJob>>& jobs)
{
    ComponentListValue list;
    for (const Ptr<WorkloadJob>& job : jobs)
    {
        list.Add(std::string(1, static_cast<char>('a' + list.GetEntries().size())), job);
    }
    const auto workload = Make<Workload>("JobsWorkload");
    workload->SetAttribute("Jobs", list);
    return workload;
}

/// \return the key of the error that the jobs are refused with
std::string
FindError(const Ptr<Workload>& jobs, const CircuitTiming& circuits = {})
{
    WorkloadSetting setting(kCluster);
    setting.circuits = circuits;
    try
    {
        jobs->Check(setting);
    }
    catch (const ConfigurationError& error)
    {
        return error.GetKey();
    }
    return "none";
}

/// \return the same, of a job where six servers are in regions of two, and two are spare
std::string
FindRegionError(const Numbers& servers, const Numbers& spares = {})
{
    const Ptr<Workload> jobs = MakeJobs({MakeJob(servers, spares)});
    CircuitTiming timing;
    timing.servers = 2;
    timing.joined = 6;
    EXPECT_EQ(jobs->WhyUnannounced(),
              "of job 'a', steps of a collective follow each other GPU by GPU");
    return FindError(jobs, timing);
}

TEST(JobsWorkload, AJobHasWholeRegionsOfCircuits)
{
    EXPECT_EQ(FindRegionError({0, 1}), "none");
    EXPECT_EQ(FindRegionError({0, 1, 4, 5}), "none");
    EXPECT_EQ(FindRegionError({4, 5, 2, 3}), "none") << "in any order";
    EXPECT_EQ(FindRegionError({1, 2}), "jobs.a.placement") << "of two regions";
    EXPECT_EQ(FindRegionError({1, 0}), "jobs.a.placement") << "as its program numbers them";
    EXPECT_EQ(FindRegionError({0, 2}), "jobs.a.placement");
    EXPECT_EQ(FindRegionError({0, 1, 2, 4}), "jobs.a.placement") << "the second region";
    EXPECT_EQ(FindRegionError({0, 1, 2}), "jobs.a.placement") << "half of a region";
    EXPECT_EQ(FindRegionError({4}), "jobs.a.placement");
    EXPECT_EQ(FindRegionError({6, 7}), "jobs.a.placement") << "no region at all";
}

TEST(JobsWorkload, SpareServersAreInNoRegion)
{
    EXPECT_EQ(FindRegionError({0, 1}, {6, 7}), "none");
    EXPECT_EQ(FindRegionError({0, 1}, {7, 4}), "jobs.a.spares");
}

TEST(JobsWorkload, WithoutCircuitsServersAreAnywhere)
{
    EXPECT_EQ(FindError(MakeJobs({MakeJob({1, 2}), MakeJob({5, 0})})), "none");
}

TEST(JobsWorkload, SpareServersAreInNobodysUse)
{
    EXPECT_EQ(FindError(MakeJobs({MakeJob({0, 1}, {7})})), "none");
    EXPECT_EQ(FindError(MakeJobs({MakeJob({0, 1}, {1})})), "jobs.a.spares") << "its own";
    EXPECT_EQ(FindError(MakeJobs({MakeJob({0, 1}, {7, 7})})), "jobs.a.spares") << "twice";
    EXPECT_EQ(FindError(MakeJobs({MakeJob({0, 1}, {8})})), "jobs.a.spares") << "there is none";
    EXPECT_EQ(FindError(MakeJobs({MakeJob({0, 1}), MakeJob({2}, {1})})), "jobs.b.spares");
    EXPECT_EQ(FindError(MakeJobs({MakeJob({0, 1}, {7}), MakeJob({2}, {7})})), "jobs.b.spares");
    EXPECT_EQ(FindError(MakeJobs({MakeJob({0, 1}, {7}), MakeJob({6, 7})})), "jobs.b.placement")
        << "a spare server is no other job's";
}

TEST(JobsWorkload, SaysWhichFailuresAreWrong)
{
    EXPECT_EQ(FindError(MakeJobs({MakeJob({0, 1}, {7}, {3})})), "none");
    EXPECT_EQ(FindError(MakeJobs({MakeJob({0, 1}, {}, {3})})), "jobs.a.spares");
    EXPECT_EQ(FindError(MakeJobs({MakeJob({0, 1}, {7}, {4})})), "jobs.a.failed_gpus");
}

TEST(JobsWorkload, RunsOnTheGpusThatReplaceOthers)
{
    const Ptr<Workload> jobs = MakeJobs({MakeJob({0, 1}, {7}, {3}), MakeJob({2, 3})});
    jobs->Check(WorkloadSetting(kCluster));
    const WorkloadSchedule schedule = jobs->MakeProgram(WorkloadSetting(kCluster))->GetSchedule();
    EXPECT_TRUE(schedule.matrix->GetRow(3).empty());
    ASSERT_EQ(schedule.matrix->GetRow(2).size(), 1U);
    EXPECT_EQ(schedule.matrix->GetRow(2).front().destination, 15U);
    ASSERT_EQ(schedule.matrix->GetRow(15).size(), 1U);
    EXPECT_EQ(schedule.matrix->GetRow(15).front().destination, 0U);
    EXPECT_EQ(schedule.matrix->GetRow(7).front().destination, 4U) << "the ring of the other job";
}

} // namespace

} // namespace ns3::rails::test
