// SPDX-License-Identifier: GPL-2.0-only

// An all-to-all exchange on a rail cluster, put together from the module's classes, without a
// descriptor: a topology, a matrix, and one planner after the other.
//
//   ./ns3 run rails-all-to-all
//   ./ns3 run "rails-all-to-all --matrix=Sparse"
//
// What to see: with a uniform matrix rails that are pinned to the source GPU are as good as RailS,
// and both come within 3 % of the bound (ACKs take 2 %), while ECMP hashes several flows onto one
// spine link and others onto none. With a sparse matrix pinned rails are loaded unevenly too, and
// take about twice as long as RailS.

#include "ns3/all-to-all-workload.h"
#include "ns3/command-line.h"
#include "ns3/frame-cluster.h"
#include "ns3/graph-runner.h"
#include "ns3/lower-bound.h"
#include "ns3/none-congestion-control.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/rail-topology.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <iomanip>
#include <iostream>
#include <string>

using namespace ns3;
using namespace ns3::rails;

namespace
{

/// Completion time of one run and what no scheme can beat, in microseconds.
struct Outcome
{
    double time;
    double bound;
};

/// Runs one scheme on a new cluster.
Outcome
RunScheme(const std::string& planner, Ptr<const Topology> topology, Ptr<Workload> workload)
{
    // Every scheme gets the same matrix: the same streams, drawn anew.
    workload->AssignStreams(1);

    // No rate control, so that nothing but placement makes a difference.
    Ptr<Transport> transport = CreateObject<Transport>();
    transport->SetAttribute("CongestionControl",
                            PointerValue(CreateObject<NoneCongestionControl>()));
    FrameSettings settings = MakeFrameSettings();
    settings.transport = transport;
    Ptr<FrameEngine> cluster = BuildCluster(*topology, settings);
    cluster->AssignStreams(1000);

    // The runner shows each server its own row, and posts the pieces that the planner returns.
    ObjectFactory factory("ns3::rails::" + planner);
    GraphRunner runner(workload->MakeProgram(WorkloadSetting(topology->GetShape())),
                       cluster,
                       factory.Create<Planner>());
    Simulator::ScheduleNow(&GraphRunner::Start, &runner);
    Simulator::Run();

    const Wiring& wiring = cluster->GetWiring();
    const LowerBound bound(runner.GetSchedule(), FindSpeeds(wiring, FindTraits(wiring)));
    const Outcome outcome{
        (runner.GetMessages().GetLastDelivery() - runner.GetMessages().GetFirstPost()) * 1e-6,
        bound.GetTime() * 1e-6};
    Simulator::Destroy();
    return outcome;
}

} // namespace

int
main(int argc, char** argv)
{
    // Before anything that has a time: a byte at 400 Gbps takes 20 ps.
    Time::SetResolution(Time::PS);

    uint32_t domains = 4;
    uint32_t gpus = 4;
    uint64_t bytesPerPair = 1'000'000;
    std::string matrix = "Uniform";
    CommandLine cmd(__FILE__);
    cmd.AddValue("domains", "Servers", domains);
    cmd.AddValue("gpus", "GPUs and NICs of a server, which is the number of rails", gpus);
    cmd.AddValue("bytesPerPair", "Bytes from a GPU to another, in the mean", bytesPerPair);
    cmd.AddValue("matrix", "Uniform, or Sparse: one pair in ten, of ten times the size", matrix);
    cmd.Parse(argc, argv);

    Ptr<RailTopology> topology = CreateObject<RailTopology>();
    topology->SetAttribute("Domains", UintegerValue(domains));
    topology->SetAttribute("GpusPerDomain", UintegerValue(gpus));
    topology->SetAttribute("Spines", UintegerValue(gpus)); // only ECMP needs them

    ObjectFactory matrixFactory("ns3::rails::" + matrix + "MatrixSource");
    if (matrix == "Uniform")
    {
        matrixFactory.Set("BytesPerPair", ByteSizeValue(ByteSize(bytesPerPair)));
    }
    else
    {
        matrixFactory.Set("Mean", ByteSizeValue(ByteSize(10 * bytesPerPair)));
    }
    Ptr<AllToAllWorkload> workload = CreateObject<AllToAllWorkload>();
    workload->SetAttribute("Matrix", PointerValue(matrixFactory.Create<MatrixSource>()));

    std::cout << "scheme                 time [us]  bound [us]  over bound\n" << std::fixed;
    for (const std::string planner : {"EcmpPlanner", "RailSourcePlanner", "RailsPlanner"})
    {
        const Outcome outcome = RunScheme(planner, topology, workload);
        std::cout << std::left << std::setw(20) << planner << std::right << std::setprecision(1)
                  << std::setw(12) << outcome.time << std::setw(12) << outcome.bound
                  << std::setprecision(3) << std::setw(12) << outcome.time / outcome.bound << "\n";
    }
    return 0;
}
