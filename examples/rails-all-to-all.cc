// SPDX-License-Identifier: GPL-2.0-only

// An all-to-all on a rail-optimized cluster without a descriptor: a topology, a matrix, and one
// load balancer after the other.
//
//   ./ns3 run rails-all-to-all
//   ./ns3 run "rails-all-to-all --matrix=Sparse"
//   ./ns3 run "rails-all-to-all --balance=RandomBalancer --engine=FlowEngineChoice"
//
// What to see: with a uniform matrix the source rail is as good as RailS. Both come within 3 % of
// the lower bound (ACKs take 2 %). ECMP has hash collisions on some spine links and leaves others
// idle. With a sparse matrix source rails are loaded unevenly too, and take about twice as long as
// RailS.

#include "ns3/core-module.h"
#include "ns3/rails-module.h"

#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

namespace
{

/// Runs one load balancer on a new cluster, and prints a line of the table.
void
RunScheme(const std::string& balancer,
          const RdmaHostHelper& hosts,
          const RailTopologyHelper& topology,
          Ptr<MatrixSource> matrix)
{
    // Every load balancer gets the same matrix, whose random numbers do not depend on the load
    // balancer.
    RailsApplicationHelper application(balancer);
    application.SetWorkload("AllToAllWorkload", "Matrix", PointerValue(matrix));
    std::unique_ptr<ClusterRun> run = application.Install(hosts, topology.Lay());
    run->Run();
    const double time = run->GetTime() * 1e-6; // us
    const double bound = run->FindBound().GetTime() * 1e-6;
    std::cout << std::left << std::setw(20) << balancer << std::right << std::setprecision(1)
              << std::setw(12) << time << std::setw(12) << bound << std::setprecision(3)
              << std::setw(12) << time / bound << "\n";
    run.reset();
    Simulator::Destroy();
}

} // namespace

int
main(int argc, char** argv)
{
    // Before any object with a time: a byte at 400 Gbps takes 20 ps.
    Time::SetResolution(Time::PS);

    uint32_t servers = 4;
    uint32_t gpus = 4;
    uint64_t bytesPerPair = 1'000'000;
    std::string matrix = "Uniform";
    std::string balance;
    std::string control = "NoneCongestionControl"; // only the load balancer makes a difference
    std::string engine = "FramesEngineChoice";
    CommandLine cmd(__FILE__);
    cmd.AddValue("domains", "Servers", servers);
    cmd.AddValue("gpus", "GPUs and NICs of a server, which is the number of rails", gpus);
    cmd.AddValue("bytesPerPair", "Bytes from a GPU to another, in the mean", bytesPerPair);
    cmd.AddValue("matrix", "Uniform, or Sparse: one pair in ten, of ten times the size", matrix);
    cmd.AddValue("balance", "Class of a load balancer; three of them if empty", balance);
    cmd.AddValue("congestionControl", "Class of a congestion control", control);
    cmd.AddValue("engine", "FramesEngineChoice or FlowEngineChoice", engine);
    cmd.Parse(argc, argv);

    RailTopologyHelper topology;
    topology.SetAttribute("Domains", UintegerValue(servers));
    topology.SetAttribute("GpusPerDomain", UintegerValue(gpus));
    topology.SetAttribute("Spines", UintegerValue(gpus)); // only ECMP needs them
    const ByteSizeValue bytes{ByteSize(bytesPerPair)};
    const ByteSizeValue sparse{ByteSize(10 * bytesPerPair)};
    const Ptr<MatrixSource> source =
        matrix == "Uniform"
            ? MakeComponent<MatrixSource>("UniformMatrixSource", "BytesPerPair", bytes)
            : MakeComponent<MatrixSource>("SparseMatrixSource", "Mean", sparse);

    RdmaHostHelper hosts;
    hosts.SetEngine(engine);
    hosts.SetCongestionControl(control);
    const std::vector<std::string> all{"EcmpBalancer", "RailSourceBalancer", "RailsBalancer"};
    std::cout << "scheme                 time [us]  bound [us]  over bound\n" << std::fixed;
    for (const std::string& balancer : balance.empty() ? all : std::vector{balance})
    {
        RunScheme(balancer, hosts, topology, source);
    }
    return 0;
}
