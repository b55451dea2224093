// SPDX-License-Identifier: GPL-2.0-only

// Many servers send to one NIC at once: what priority flow control and DCQCN make of it.
//
//   ./ns3 run rails-incast
//   ./ns3 run "rails-incast --senders=31 --buffer=4000000"
//
// What to see: nothing is lost either way. Without rate control the queue in front of the receiver
// grows until PFC pauses the senders, again and again; the receiver's cable is never idle. With
// DCQCN marks tell the senders to slow down before that, and nobody is paused. The price is time:
// all senders begin at line rate, so they are told to slow down many times before the queue has
// drained, end up far below their share, and take long to recover; longest with the steps of the
// paper, which were made for 40 Gbps. With 31 senders and little buffer both are at work at once.

#include "ns3/command-line.h"
#include "ns3/dcqcn-congestion-control.h"
#include "ns3/frame-cluster.h"
#include "ns3/none-congestion-control.h"
#include "ns3/pointer.h"
#include "ns3/rail-topology.h"
#include "ns3/rails-error.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

namespace
{

/// What all runs have in common.
struct Incast
{
    uint32_t senders{8};
    uint64_t bytes{10'000'000};
    uint64_t buffer{16'000'000};
};

/// Runs the incast and prints a line of the table.
void
RunIncast(const std::string& name, const Incast& incast, Ptr<CongestionControl> congestionControl)
{
    // One rail: a leaf, the receiver's NIC and those of the senders.
    Ptr<RailTopology> topology = CreateObject<RailTopology>();
    topology->SetAttribute("Domains", UintegerValue(incast.senders + 1));
    topology->SetAttribute("GpusPerDomain", UintegerValue(1));
    Ptr<SwitchProfile> profile = CreateObject<SwitchProfile>();
    profile->SetAttribute("Buffer", ByteSizeValue(ByteSize(incast.buffer)));
    Ptr<Transport> transport = CreateObject<Transport>();
    transport->SetAttribute("CongestionControl", PointerValue(congestionControl));
    FrameSettings settings = MakeFrameSettings();
    settings.profile = profile;
    settings.transport = transport;
    Ptr<FrameEngine> cluster = BuildCluster(*topology, settings);
    cluster->AssignStreams(1);

    // Messages stay in place while they are on their way.
    std::vector<Message> messages(incast.senders);
    for (uint32_t sender = 1; sender <= incast.senders; ++sender)
    {
        Message& message = messages[sender - 1];
        message.id = sender - 1;
        message.source = sender;
        message.destination = 0;
        message.txRail = 0;
        message.rxRail = 0;
        message.bytes = incast.bytes;
        cluster->Post(message);
    }
    Simulator::Run();
    cluster->Finish();
    TimePs last = 0;
    for (const Message& message : messages)
    {
        last = std::max(last, message.end);
    }

    uint64_t pauses = 0;
    uint64_t marks = 0;
    uint64_t queue = 0;
    TimePs paused = 0;
    for (const Ptr<Port>& port : cluster->GetPorts())
    {
        const PortCounters counters = port->GetCountersNow();
        pauses += counters.pauses;
        paused += counters.paused;
        marks += counters.marks;
        queue = std::max(queue, counters.queueMaxBytes);
    }
    std::cout << std::left << std::setw(18) << name << std::right << std::setw(10) << last * 1e-6
              << std::setw(9) << pauses << std::setw(14) << paused * 1e-6 / incast.senders
              << std::setw(9) << marks << std::setw(14) << queue * 1e-3 << "\n";
    Simulator::Destroy();
}

} // namespace

int
main(int argc, char** argv)
{
    // Before anything that has a time: a byte at 400 Gbps takes 20 ps.
    Time::SetResolution(Time::PS);

    Incast incast;
    CommandLine cmd(__FILE__);
    cmd.AddValue("senders", "Servers that send, of one NIC each", incast.senders);
    cmd.AddValue("bytes", "What each of them sends", incast.bytes);
    cmd.AddValue("buffer", "Packet buffer of the switch in bytes", incast.buffer);
    cmd.Parse(argc, argv);

    Ptr<CongestionControl> none = CreateObject<NoneCongestionControl>();
    Ptr<CongestionControl> dcqcn = CreateObject<DcqcnCongestionControl>();
    Ptr<CongestionControl> paper = CreateObject<DcqcnCongestionControl>();
    paper->SetAttribute("Preset", StringValue("paper"));
    std::cout << std::fixed << std::setprecision(1)
              << "congestion control time [us]   pauses  paused [us] *    marks  longest [kB] **\n";
    try
    {
        RunIncast("none", incast, none);
        RunIncast("dcqcn", incast, dcqcn);
        RunIncast("dcqcn, paper", incast, paper);
    }
    catch (const ConfigurationError& error)
    {
        std::cerr << error.what() << std::endl;
        return 2;
    }
    std::cout << "*  in the mean of the senders   ** queue\n";
    return 0;
}
