// SPDX-License-Identifier: GPL-2.0-only
#include "../harness/run/run-experiment-fixtures.h"

#include "ns3/matrix-source.h"
#include "ns3/pointer.h"
#include "ns3/rails-application-helper.h"
#include "ns3/rails-error.h"
#include "ns3/rails-topology-helper.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/stage-program.h"
#include "ns3/uinteger.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

namespace ns3::rails
{

namespace
{

/// What is drawn: the matrix, and rails.
class RailsApplicationHelperTest : public RunTest
{
  protected:
    RailsApplicationHelperTest()
    {
        topology.SetAttribute("Domains", UintegerValue(4));
        topology.SetAttribute("GpusPerDomain", UintegerValue(2));
        topology.SetAttribute("Spines", UintegerValue(2));
        hosts.SetCongestionControl("NoneCongestionControl");
        application.SetWorkload(
            "AllToAllWorkload",
            "Matrix",
            PointerValue(MakeComponent<MatrixSource>("SparseMatrixSource",
                                                     "Mean",
                                                     ByteSizeValue(ByteSize(100'000)))));
    }

    ~RailsApplicationHelperTest() override
    {
        Simulator::Destroy();
    }

    std::string RunOnce()
    {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        const std::unique_ptr<ClusterRun> run = application.Install(hosts, topology.Lay());
        run->Run();
        EXPECT_TRUE(run->IsDone());
        return run->GetEngineRun().Describe().fingerprint;
    }

    RailTopologyHelper topology;
    RdmaHostHelper hosts;
    RailsApplicationHelper application{"RandomBalancer"};
};

TEST_F(RailsApplicationHelperTest, DoesWhatADescriptorDoes)
{
    application.AddFailure("At",
                           TimeValue(MicroSeconds(5)),
                           "Switch",
                           StringValue("spine1"),
                           "State",
                           StringValue("down"));
    const std::string descriptor =
        "topology: {type: rail, domains: 4, gpus_per_domain: 2, spines: 2}\n"
        "transport: {congestion_control: none}\n"
        "workload: {type: all-to-all, matrix: {type: sparse, mean: 100KB}}\n"
        "failures: {schedule: [{at: 5us, switch: spine1, state: down}]}\n"
        "balance: random\n";
    for (const auto& [engine, type] :
         {std::pair("frames", "FramesEngineChoice"), std::pair("flow", "FlowEngineChoice")})
    {
        hosts.SetEngine(type);
        const std::string fingerprint = RunOnce();
        Simulator::Destroy();
        EXPECT_EQ(fingerprint, GetFingerprint(Run(descriptor, {std::string("engine=") + engine})))
            << engine;
    }
}

TEST_F(RailsApplicationHelperTest, StreamsSayWhatIsDrawn)
{
    std::set<std::string> fingerprints;
    const int64_t used = application.AssignStreams(0);
    for (const int64_t stream : {int64_t{0}, used, int64_t{0}})
    {
        application.AssignStreams(stream);
        fingerprints.insert(RunOnce());
        Simulator::Destroy();
    }
    EXPECT_EQ(fingerprints.size(), 2U);
}

TEST_F(RailsApplicationHelperTest, RunsAProgramOfOnesOwn)
{
    Stage stage;
    stage.name = "layer";
    stage.duration = 4'000'000;
    const auto cluster = topology.Lay();
    const auto program =
        std::make_shared<StageProgram>(cluster->GetShape(), std::vector<Stage>{stage}, 3);
    const std::unique_ptr<ClusterRun> run = application.Install(hosts, cluster, program);
    run->Run();
    EXPECT_TRUE(run->IsDone());
    EXPECT_EQ(run->GetTime(), 3 * stage.duration);
}

TEST_F(RailsApplicationHelperTest, CapturesEveryNic)
{
    const TemporaryFolder folder;
    application.EnablePcap(folder.GetPath().string());
    RunOnce();
    std::set<std::string> names;
    uint64_t bytes = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder.GetPath()))
    {
        names.insert(file.path().filename().string());
        bytes += std::filesystem::file_size(file);
    }
    EXPECT_EQ(names.size(), 8U);
    EXPECT_EQ(names.count("server3-nic1.pcap"), 1U);
    EXPECT_GT(bytes, 10'000U);
}

TEST_F(RailsApplicationHelperTest, WarnsAsADescriptorDoes)
{
    hosts.SetPathSelector("SprayPathSelector");
    hosts.SetLossRecovery("GoBackNLossRecovery");
    testing::internal::CaptureStderr();
    RailsApplicationHelper crossing("EcmpBalancer");
    crossing.SetWorkload("IncastWorkload", "Senders", UintegerValue(6));
    crossing.Install(hosts, topology.Lay());
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(said.find("warning: "), 0U) << said;
    EXPECT_NE(said.find("transport.loss_recovery"), std::string::npos) << said;
}

TEST_F(RailsApplicationHelperTest, RejectsWhatIsMissingAndASecondRun)
{
    EXPECT_THROW(application.Install(hosts, nullptr), ConfigurationError);
    EXPECT_THROW(application.Install(hosts, topology.Lay(), nullptr), ConfigurationError);
    EXPECT_THROW(hosts.Install(nullptr), ConfigurationError);
    EXPECT_THROW(application.EnablePcap("/nowhere/at/all"), ConfigurationError);
    const RailsApplicationHelper without("RailsBalancer");
    EXPECT_THROW(without.Install(hosts, topology.Lay()), ConfigurationError);
    const std::unique_ptr<ClusterRun> run = application.Install(hosts, topology.Lay());
    run->Run();
    EXPECT_THROW(run->Run(), std::logic_error);
}

} // namespace

} // namespace ns3::rails
