// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/cluster-run.h"
#include "ns3/rails-application-helper.h"
#include "ns3/rails-error.h"
#include "ns3/rails-topology-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

/// Four servers of two GPUs, each rail of two leaves and two spines, run an all-to-all.
class ClusterRunTest : public testing::TestWithParam<const char*>
{
  protected:
    ClusterRunTest()
    {
        topology.SetAttribute("Domains", UintegerValue(4));
        topology.SetAttribute("GpusPerDomain", UintegerValue(2));
        topology.SetAttribute("LeafPorts", UintegerValue(2));
        topology.SetAttribute("RailSpines", UintegerValue(2));
        hosts.SetEngine(GetParam());
        hosts.SetCongestionControl("NoneCongestionControl");
        application.SetWorkload(
            "AllToAllWorkload",
            "Matrix",
            StringValue("ns3::rails::UniformMatrixSource[BytesPerPair=400000]"));
        application.SetWatchdogAttribute("NoProgressAfter", TimeValue(MilliSeconds(20)));
    }

    ~ClusterRunTest() override
    {
        run.reset();
        Simulator::Destroy();
    }

    ClusterRun& Run()
    {
        run = application.Install(hosts, topology.Lay());
        run->Run();
        return *run;
    }

    /// Both cables of the first leaf of a rail fail, for good.
    void CutALeafOff()
    {
        for (const char* spine : {"rail0-spine0", "rail0-spine1"})
        {
            application.AddFailure("At",
                                   TimeValue(MicroSeconds(5)),
                                   "Link",
                                   NameListValue(NameList({"rail0-leaf0", spine})),
                                   "State",
                                   StringValue("down"));
        }
    }

    RailTopologyHelper topology;
    RdmaHostHelper hosts;
    RailsApplicationHelper application{"RailsBalancer"};
    std::unique_ptr<ClusterRun> run;
};

TEST_P(ClusterRunTest, EndsWithTheLastByteAndNotBelowItsBound)
{
    const ClusterRun& done = Run();
    EXPECT_TRUE(done.IsDone());
    EXPECT_EQ(done.GetEngineRun().GetDeliveredBytes(),
              done.GetRunner().GetSchedule().GetTotalBytes());
    EXPECT_GE(done.GetTime(), done.FindBound().GetTime());
    EXPECT_LT(done.GetTime(), done.FindBound().GetTime() * 2);
    EXPECT_EQ(done.GetEngineRun().FindBrokenInvariants(), std::vector<std::string>());
    EXPECT_EQ(done.GetCircuits(), nullptr);
    EXPECT_FALSE(done.GetRhoMax());
}

TEST_P(ClusterRunTest, GoesRoundACableThatFailsAndTellsWhoAsks)
{
    application.AddFailure("At",
                           TimeValue(MicroSeconds(5)),
                           "Link",
                           NameListValue(NameList({"rail0-leaf0", "rail0-spine0"})),
                           "State",
                           StringValue("down"));
    run = application.Install(hosts, topology.Lay());
    std::vector<bool> told;
    run->SetFailureCallback([&](bool converged) { told.push_back(converged); });
    run->Run();
    EXPECT_TRUE(run->IsDone());
    EXPECT_EQ(told, (std::vector<bool>{false, true}));
    EXPECT_EQ(run->GetFailures().GetFailedCables(), 1U);
}

TEST_P(ClusterRunTest, IsEndedByTheWatchdogAndSaysWhoIsStuck)
{
    CutALeafOff();
    application.SetFailureAttribute("Convergence", TimeValue(Time::Max()));
    const ClusterRun& stuck = Run();
    EXPECT_FALSE(stuck.IsDone());
    const std::string text = stuck.DescribeStuck();
    EXPECT_NE(text.find("(watchdog.no_progress_after)"), std::string::npos) << text;
    EXPECT_NE(text.find("failures.convergence is never"), std::string::npos) << text;
}

TEST_P(ClusterRunTest, IsEndedByAGpuThatFails)
{
    application.AddFailure("At",
                           TimeValue(MicroSeconds(5)),
                           "Gpu",
                           UintegerValue(3),
                           "State",
                           StringValue("down"));
    const ClusterRun& lost = Run();
    EXPECT_FALSE(lost.IsDone());
    EXPECT_EQ(lost.DescribeStuck().find("GPU 3 of server 1 failed at 5us"), 0U)
        << lost.DescribeStuck();
}

TEST_P(ClusterRunTest, RefusesWhatDoesNotFit)
{
    application.SetWatchdogAttribute("NoProgressAfter", TimeValue(MicroSeconds(10)));
    application.AddFailure("At",
                           TimeValue(MicroSeconds(5)),
                           "Switch",
                           StringValue("rail0-spine0"),
                           "State",
                           StringValue("down"));
    try
    {
        Run();
        FAIL() << "the watchdog is less patient than the routing";
    }
    catch (const ConfigurationError& error)
    {
        EXPECT_EQ(error.GetKey(), "watchdog.no_progress_after");
    }
}

INSTANTIATE_TEST_SUITE_P(Engines,
                         ClusterRunTest,
                         testing::Values("FramesEngineChoice", "FlowEngineChoice"),
                         [](const auto& each) { return std::string(each.param); });

} // namespace

} // namespace ns3::rails
