// SPDX-License-Identifier: GPL-2.0-only
#include "frame-timeline.h"

#include "ns3/callback.h"

#include <algorithm>
#include <array>
#include <map>

namespace ns3::rails
{

namespace
{

// About the number of columns of a screen.
constexpr std::size_t kMostValues = 1024;

} // namespace

FrameTimeline::FrameTimeline(Ptr<FrameEngine> cluster, TimePs resolution)
    : TimelineRecorder(cluster->GetWiring()),
      m_cluster(cluster)
{
    const DownsampledSeries empty = resolution == kAutomatic
                                        ? DownsampledSeries(1'000, kMostValues)
                                        : DownsampledSeries(std::max<TimePs>(1, resolution));
    for (const Ptr<Port>& port : cluster->GetPorts())
    {
        m_probes.push_back({PeekPointer(port), empty, {}});
        Probe* probe = &m_probes.back();
        port->TraceConnectWithoutContext("Paused", MakeCallback(&Probe::OnPaused, probe));
        if (!m_cluster->IsNicPort(*port))
        {
            port->TraceConnectWithoutContext("QueueBytes", MakeCallback(&Probe::OnQueue, probe));
        }
    }
}

FrameTimeline::~FrameTimeline()
{
    for (Probe& probe : m_probes)
    {
        probe.port->TraceDisconnectWithoutContext("Paused", MakeCallback(&Probe::OnPaused, &probe));
        if (!m_cluster->IsNicPort(*probe.port))
        {
            probe.port->TraceDisconnectWithoutContext("QueueBytes",
                                                      MakeCallback(&Probe::OnQueue, &probe));
        }
    }
}

void
FrameTimeline::Probe::OnQueue(Time now, uint64_t /* before */, uint64_t after)
{
    queue.Change(now.GetTimeStep(), after);
}

void
FrameTimeline::Probe::OnPaused(Time now, uint8_t trafficClass, bool /* paused */)
{
    pauses.push_back({now.GetTimeStep(), trafficClass});
}

void
FrameTimeline::AddPauses(const Probe& probe,
                         ChromeTrace& trace,
                         ChromeTrace::Id process,
                         const std::string& name)
{
    static constexpr std::array<const char*, kTrafficClasses> kClassNames{"control", "data"};
    for (uint8_t trafficClass = 0; trafficClass < kTrafficClasses; ++trafficClass)
    {
        // Begins and ends alternate.
        std::vector<TimePs> times;
        for (const Pause& pause : probe.pauses)
        {
            if (pause.trafficClass == trafficClass)
            {
                times.push_back(pause.at);
            }
        }
        if (times.empty())
        {
            continue;
        }
        times.resize((times.size() + 1) / 2 * 2, NowPs()); // the last one may go on
        const std::string what = kClassNames[trafficClass] + std::string(" paused");
        const ChromeTrace::Id track = trace.AddTrack(process, name + " " + what);
        const ChromeTrace::Id label = trace.AddLabel(what, "pause");
        for (std::size_t i = 0; i < times.size(); i += 2)
        {
            trace.AddSlice(track, times[i], times[i + 1], label);
        }
    }
}

void
FrameTimeline::AddToNic(ChromeTrace& trace,
                        ChromeTrace::Id process,
                        uint32_t nic,
                        const std::string& name) const
{
    AddPauses(m_probes[nic], trace, process, name);
}

void
FrameTimeline::AddSwitches(ChromeTrace& trace) const
{
    std::map<uint32_t, ChromeTrace::Id> processes; // by node
    for (const Probe& probe : m_probes)
    {
        const Port::Identity& identity = probe.port->GetIdentity();
        if (m_cluster->IsNicPort(*probe.port))
        {
            continue;
        }
        if (processes.count(identity.node) == 0)
        {
            processes[identity.node] = trace.AddProcess(m_cluster->GetNodeName(identity.node));
        }
        const ChromeTrace::Id process = processes[identity.node];
        const std::string name = "port " + std::to_string(identity.index) + " to " +
                                 m_cluster->GetEndName(probe.port->GetPeer());
        AddPauses(probe, trace, process, name);
        const std::vector<DownsampledSeries::Point> points = probe.queue.GetPoints(NowPs());
        if (points.empty())
        {
            continue;
        }
        const ChromeTrace::Id counter = trace.AddCounter(process, "queue of " + name, "bytes");
        for (const DownsampledSeries::Point& point : points)
        {
            trace.AddValue(counter, point.at, point.value);
        }
    }
}

} // namespace ns3::rails
