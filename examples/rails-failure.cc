// SPDX-License-Identifier: GPL-2.0-only

// An all-to-all on a rail-optimized cluster with a link failure, by the packet-level and the
// flow-level engine.
//
//   ./ns3 run rails-failure
//   ./ns3 run "rails-failure --converges=0"
//
// What to see: when the routing converges, the remaining traffic avoids the link, and both engines
// report the same time. When it never converges, the watchdog ends the run and reports the stall.

#include "ns3/core-module.h"
#include "ns3/rails-module.h"

#include <iostream>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

int
main(int argc, char** argv)
{
    Time::SetResolution(Time::PS); // a byte at 400 Gbps takes 20 ps
    bool converges = true;
    std::string balance = "RailsBalancer";
    std::string control = "NoneCongestionControl";
    std::string engine;
    CommandLine cmd(__FILE__);
    cmd.AddValue("converges", "Whether the routing hears of the failure", converges);
    cmd.AddValue("balance", "Class of a load balancer", balance);
    cmd.AddValue("congestionControl", "Class of a congestion control", control);
    cmd.AddValue("engine", "FramesEngineChoice or FlowEngineChoice; both if empty", engine);
    cmd.Parse(argc, argv);

    RailTopologyHelper topology; // each rail has two leaves, which two spines join
    topology.SetAttribute("Domains", UintegerValue(4));
    topology.SetAttribute("LeafPorts", UintegerValue(2));
    topology.SetAttribute("RailSpines", UintegerValue(2));
    RailsApplicationHelper application(balance);
    const StringValue matrix("ns3::rails::UniformMatrixSource[BytesPerPair=1000000]");
    application.SetWorkload("AllToAllWorkload", "Matrix", matrix);
    const NameListValue cable(NameList({"rail0-leaf0", "rail0-spine1"}));
    const TimeValue at(MicroSeconds(50));
    application.AddFailure("At", at, "Link", cable, "State", StringValue("down"));
    const Time convergence = converges ? MicroSeconds(20) : Time::Max();
    application.SetFailureAttribute("Convergence", TimeValue(convergence));
    application.SetWatchdogAttribute("NoProgressAfter", TimeValue(MilliSeconds(20)));
    const std::vector<std::string> both{"FramesEngineChoice", "FlowEngineChoice"};
    for (const std::string& one : engine.empty() ? both : std::vector{engine})
    {
        RdmaHostHelper hosts;
        hosts.SetEngine(one);
        hosts.SetCongestionControl(control);
        std::unique_ptr<ClusterRun> run = application.Install(hosts, topology.Lay());
        run->Run();
        std::cout << one << ": " << run->GetTime() * 1e-6 << " us, bound "
                  << run->FindBound().GetTime() * 1e-6 << " us\n"
                  << (run->IsDone() ? "" : "not done: " + run->DescribeStuck());
        run.reset();
        Simulator::Destroy();
    }
}
