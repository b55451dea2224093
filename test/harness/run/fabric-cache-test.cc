// SPDX-License-Identifier: GPL-2.0-only
#include "experiment-fixtures.h"

#include "ns3/cable-override.h"
#include "ns3/component-list.h"
#include "ns3/data-rate.h"
#include "ns3/matrix-source.h"
#include "ns3/node-list.h"
#include "ns3/nvswitch-intra-topology.h"
#include "ns3/pointer.h"
#include "ns3/rail-topology.h"
#include "ns3/rails-fabric-cache.h"
#include "ns3/rails-workload.h"
#include "ns3/run-experiment.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/value-list.h"

#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::rails::test
{

namespace
{

Ptr<Topology>
MakeRails(uint32_t servers)
{
    Ptr<Topology> topology = CreateObject<RailTopology>();
    topology->SetAttribute("Domains", UintegerValue(servers));
    topology->SetAttribute("GpusPerDomain", UintegerValue(2));
    return topology;
}

TEST(FabricCache, LaysEqualTopologiesOnce)
{
    FabricCache fabrics;
    const LaidFabric first = fabrics.Get(*MakeRails(4));
    EXPECT_EQ(first.wiring->GetShape().servers, 4U);
    EXPECT_EQ(fabrics.Get(*MakeRails(4)).wiring, first.wiring);
    EXPECT_EQ(fabrics.Get(*MakeRails(4)).chooser, first.chooser);
    EXPECT_NE(fabrics.Get(*MakeRails(5)).wiring, first.wiring);
    EXPECT_EQ(fabrics.Get(*MakeRails(4)).wiring, first.wiring) << "it knows more than the last";
}

TEST(FabricCache, LooksIntoTheComponentsOfATopology)
{
    FabricCache fabrics;
    const Ptr<Topology> one = MakeRails(4);
    const Ptr<Topology> same = MakeRails(4);
    const auto wiring = fabrics.Get(*one).wiring;
    EXPECT_EQ(fabrics.Get(*same).wiring, wiring) << "alike, with parts of their own";

    const Ptr<IntraTopology> intra = CreateObject<NvswitchIntraTopology>();
    intra->SetAttribute("PcieRate", DataRateValue(DataRate(252'000'000'000)));
    const Ptr<Topology> slower = MakeRails(4);
    slower->SetAttribute("Intra", PointerValue(intra));
    EXPECT_NE(fabrics.Get(*slower).wiring, wiring);

    const auto withCable = [](uint64_t rateBps) {
        const Ptr<CableOverride> cable = CreateObject<CableOverride>();
        cable->SetAttribute("Link", NameListValue(NameList({"server0-nic0"})));
        cable->SetAttribute("Rate", DataRateValue(DataRate(rateBps)));
        const Ptr<Topology> topology = MakeRails(4);
        topology->SetAttribute("Cables",
                               ComponentListValue(std::vector<Ptr<CableOverride>>{cable}));
        return topology;
    };
    const auto ten = fabrics.Get(*withCable(10'000'000'000)).wiring;
    EXPECT_NE(ten, wiring);
    EXPECT_NE(fabrics.Get(*withCable(20'000'000'000)).wiring, ten);
}

TEST(FabricCache, ForgetsTheOldest)
{
    FabricCache fabrics;
    const std::weak_ptr<const Wiring> first = fabrics.Get(*MakeRails(2)).wiring;
    for (uint32_t servers = 3; servers < 20; ++servers)
    {
        fabrics.Get(*MakeRails(servers));
    }
    EXPECT_TRUE(first.expired());
}

/// A matrix that must not be drawn.
class UntouchableMatrixSource : public MatrixSource
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::rails::test::UntouchableMatrixSource").SetParent<MatrixSource>();
        return tid;
    }

    TrafficMatrix Generate(const GpuPartition&) override
    {
        throw std::logic_error("drawn");
    }

    double EstimateBytes(const GpuPartition&) const override
    {
        return 4096;
    }
};

TEST(ExperimentCheck, DrawsNoMatrixAndNeitherDoesTheEstimate)
{
    const Experiment experiment =
        Descriptor::FromText("name: x\n"
                             "topology: {type: rail, domains: 2, gpus_per_domain: 2}\n"
                             "workload: {type: all-to-all, matrix: uniform}\n"
                             "balance: rails\n",
                             "test.yaml",
                             {},
                             nullptr)
            .MakeExperiment(0);
    experiment.Get<Workload>("workload")
        ->SetAttribute("Matrix", PointerValue(CreateObject<UntouchableMatrixSource>()));
    EXPECT_NO_THROW(CheckExperiment(experiment));
    FabricCache fabrics;
    const RunSize size = EstimateRunSize(experiment, fabrics);
    EXPECT_GT(size.seconds, 0);
    EXPECT_EQ(size.engine, "frames");
    EXPECT_THROW(RunExperiment(experiment), std::logic_error) << "a run draws it";
}

TEST(ExperimentCheck, MakesNoNodeAndSchedulesNothing)
{
    const auto check = MakeExperimentCheck();
    const Descriptor descriptor =
        Descriptor::FromText("name: x\n"
                             "topology: {type: rail, domains: 8, gpus_per_domain: 4, spines: 2}\n"
                             "workload: {type: all-to-all, matrix: uniform}\n"
                             "balance: rails\n"
                             "failures: {schedule: [{at: 10us, nic: server0-nic0, state: down}]}\n"
                             "sweep: {transport.mtu: [1024B, 2048B, 4096B]}\n",
                             "test.yaml",
                             {},
                             check);
    const uint32_t nodes = NodeList::GetNNodes();
    for (std::size_t point = 0; point < 3; ++point)
    {
        check(descriptor.MakeExperiment(point));
    }
    EXPECT_EQ(NodeList::GetNNodes(), nodes);
    EXPECT_EQ(nodes, 0U);
    EXPECT_TRUE(Simulator::IsFinished()) << "nothing waits to happen";
    Simulator::Destroy();
}

} // namespace

} // namespace ns3::rails::test
