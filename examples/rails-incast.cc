// SPDX-License-Identifier: GPL-2.0-only

// An incast of many servers to one NIC, with priority flow control (PFC) and DCQCN.
//
//   ./ns3 run rails-incast
//   ./ns3 run "rails-incast --senders=31 --buffer=4000000"
//
// What to see: no packet is lost in either case. Without congestion control the queue before the
// receiver grows until PFC pauses the senders repeatedly; the receiver's link is never idle. With
// DCQCN, ECN marks slow the senders down earlier, and no sender is paused. This takes longer: all
// senders start at line rate and get many CNPs before the queue drains. They end far below their
// fair share and recover slowly, slowest with the paper's steps, which are for 40 Gbps. With 31
// senders and a small buffer both PFC and DCQCN act.

#include "ns3/core-module.h"
#include "ns3/rails-module.h"

#include <iomanip>
#include <iostream>
#include <string>

using namespace ns3;
using namespace ns3::rails;

namespace
{

/// Common parameters of all runs.
struct Incast
{
    uint32_t senders{8};
    uint64_t bytes{10'000'000};
    uint64_t buffer{16'000'000};
    std::string balance{"RailSourceBalancer"};
    std::string engine{"FramesEngineChoice"};
};

/// Runs the incast and prints a line of the table.
void
RunIncast(const std::string& name, const Incast& incast, RdmaHostHelper& hosts)
{
    // One rail: a leaf, and the NICs of the receiver and the senders.
    RailTopologyHelper topology;
    topology.SetAttribute("Domains", UintegerValue(incast.senders + 1));
    topology.SetAttribute("GpusPerDomain", UintegerValue(1));
    hosts.SetEngine(incast.engine);
    hosts.SetSwitchAttribute("Buffer", ByteSizeValue(ByteSize(incast.buffer)));
    RailsApplicationHelper application(incast.balance);
    application.SetWorkload("IncastWorkload",
                            "Senders",
                            UintegerValue(incast.senders),
                            "Bytes",
                            ByteSizeValue(ByteSize(incast.bytes)));
    std::unique_ptr<ClusterRun> run = application.Install(hosts, topology.Lay());
    run->Run();
    // Flow-level simulation has no counters of packets.
    const FrameCounters counters =
        run->GetEngineRun().Describe().frameCounters.value_or(FrameCounters());
    std::cout << std::left << std::setw(18) << name << std::right << std::setw(10)
              << run->GetTime() * 1e-6 << std::setw(9) << counters.pfcPauses << std::setw(14)
              << counters.pfcPaused * 1e-6 / incast.senders << std::setw(9) << counters.ecnMarks
              << std::setw(14) << counters.queueMaxBytes * 1e-3 << "\n";
    run.reset();
    Simulator::Destroy();
}

} // namespace

int
main(int argc, char** argv)
{
    // Before any object with a time: a byte at 400 Gbps takes 20 ps.
    Time::SetResolution(Time::PS);

    Incast incast;
    CommandLine cmd(__FILE__);
    cmd.AddValue("senders", "Servers that send, of one NIC each", incast.senders);
    cmd.AddValue("bytes", "What each of them sends", incast.bytes);
    cmd.AddValue("buffer", "Packet buffer of the switch in bytes", incast.buffer);
    std::string control;
    cmd.AddValue("balance", "Class of a load balancer", incast.balance);
    cmd.AddValue("congestionControl",
                 "Class of a congestion control; three settings if empty",
                 control);
    cmd.AddValue("engine", "FramesEngineChoice or FlowEngineChoice", incast.engine);
    cmd.Parse(argc, argv);

    RdmaHostHelper none;
    none.SetCongestionControl("NoneCongestionControl");
    RdmaHostHelper dcqcn;
    dcqcn.SetCongestionControl("DcqcnCongestionControl");
    RdmaHostHelper paper;
    paper.SetCongestionControl("DcqcnCongestionControl", "Preset", StringValue("paper"));
    std::cout << std::fixed << std::setprecision(1)
              << "congestion control time [us]   pauses  paused [us] *    marks  longest [kB] **\n";
    try
    {
        if (!control.empty())
        {
            RdmaHostHelper given;
            given.SetCongestionControl(control);
            RunIncast("given", incast, given);
            return 0;
        }
        RunIncast("none", incast, none);
        RunIncast("dcqcn", incast, dcqcn);
        RunIncast("dcqcn, paper", incast, paper);
    }
    catch (const ConfigurationError& error)
    {
        std::cerr << error.what() << std::endl;
        return 2;
    }
    std::cout << "*  in the mean of the senders   ** queue of the switch\n";
    return 0;
}
