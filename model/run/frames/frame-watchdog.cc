// SPDX-License-Identifier: GPL-2.0-only
#include "frame-watchdog.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <sstream>
#include <utility>

namespace ns3::rails
{

NS_LOG_COMPONENT_DEFINE("RailsFrameWatchdog");

namespace
{

// Largest number of entries of a list in a report.
constexpr uint32_t kReported = 20;

std::string
InMicroseconds(TimePs time)
{
    std::ostringstream text;
    text << static_cast<double>(time) * 1e-6 << " us";
    return text.str();
}

} // namespace

FrameWatchdog::FrameWatchdog(Ptr<FrameEngine> cluster,
                             Ptr<const WatchdogOptions> options,
                             const GraphRunner& runner,
                             const Failures& failures)
    : m_cluster(cluster),
      m_options(options),
      m_failures(failures),
      m_stallDetector(
          options->GetNoProgressAfter(),
          runner,
          [this] {
              m_cluster->CatchUp();
              return m_cluster->GetLastArrival();
          },
          [this] {
              m_verdict = DescribeCuts(m_cluster->GetWiring(), FindCuts()) +
                          "no payload byte arrived for " +
                          InMicroseconds(m_options->GetNoProgressAfter()) +
                          " (watchdog.no_progress_after)";
              NS_LOG_WARN(m_verdict);
          }),
      // Often enough to tell a deadlock from a short stop.
      m_interval(std::max(TimeStep(static_cast<uint64_t>(options->GetDeadlockAfter() / 4)),
                          NanoSeconds(1)))
{
    const std::vector<Ptr<Port>>& ports = cluster->GetPorts();
    for (std::size_t port = 0; port < ports.size(); ++port)
    {
        m_pauseProbes.push_back({this, port, {}});
        ports[port]->TraceConnectWithoutContext(
            "Paused",
            MakeCallback(&PauseProbe::OnPaused, &m_pauseProbes.back()));
    }
}

FrameWatchdog::~FrameWatchdog()
{
    m_deadlockEvent.Cancel();
    for (PauseProbe& probe : m_pauseProbes)
    {
        m_cluster->GetPorts()[probe.port]->TraceDisconnectWithoutContext(
            "Paused",
            MakeCallback(&PauseProbe::OnPaused, &probe));
    }
}

void
FrameWatchdog::PauseProbe::OnPaused(Time at, uint8_t trafficClass, bool paused)
{
    const TimePs now = at.GetTimeStep();
    if (paused)
    {
        since[trafficClass] = now;
        ++monitor->m_paused;
        monitor->ExamineSoon();
    }
    else
    {
        --monitor->m_paused;
        monitor->NoteStorm(port, since[trafficClass], now);
    }
}

void
FrameWatchdog::NoteStorm(std::size_t port, TimePs since, TimePs until)
{
    if (until - since >= m_options->GetStormAfter())
    {
        m_storms.push_back({since, port});
        NS_LOG_WARN("pause storm: " << Describe(*m_cluster->GetPorts()[port]) << " was paused from "
                                    << InMicroseconds(since) << " until " << InMicroseconds(until));
    }
}

std::vector<std::string>
FrameWatchdog::GetStorms() const
{
    std::vector<Storm> storms = m_storms;
    const std::vector<Ptr<Port>>& ports = m_cluster->GetPorts();
    for (const PauseProbe& probe : m_pauseProbes)
    {
        for (uint8_t trafficClass = 0; trafficClass < kTrafficClasses; ++trafficClass)
        {
            const TimePs since = probe.since[trafficClass];
            if (ports[probe.port]->IsPaused(trafficClass) &&
                NowPs() - since >= m_options->GetStormAfter())
            {
                storms.push_back({since, probe.port});
            }
        }
    }
    std::sort(storms.begin(), storms.end(), [](const Storm& a, const Storm& b) {
        return std::tie(a.since, a.port) < std::tie(b.since, b.port);
    });
    std::vector<std::string> lines;
    for (const Storm& storm : storms)
    {
        lines.push_back("pause storm: " + Describe(*ports[storm.port]) + " was paused from " +
                        InMicroseconds(storm.since) + " for more than " +
                        InMicroseconds(m_options->GetStormAfter()));
    }
    return lines;
}

/// Checks at the next multiple of the interval, so that checks do not depend on when pauses begin.
void
FrameWatchdog::ExamineSoon()
{
    if (m_deadlockEvent.IsExpired())
    {
        const TimePs interval = m_interval.GetPicoSeconds();
        m_deadlockEvent = Simulator::Schedule(TimeStep(interval - NowPs() % interval),
                                              &FrameWatchdog::FindDeadlock,
                                              this);
    }
}

void
FrameWatchdog::FindDeadlock()
{
    m_cluster->CatchUp();
    if (!CheckDeadlock())
    {
        Simulator::Stop();
    }
    else if (m_paused > 0) // without pauses there is no deadlock
    {
        ExamineSoon();
    }
}

// Finds pairs of NICs with traffic that are cut off from each other.
std::vector<std::pair<uint32_t, uint32_t>>
FrameWatchdog::FindCuts() const
{
    std::vector<std::pair<uint32_t, uint32_t>> cuts;
    const uint32_t rails = m_cluster->GetConfiguration().shape.nicsPerServer;
    for (const Ptr<GpuServer>& server : m_cluster->GetServers())
    {
        for (uint32_t rail = 0; rail < rails; ++rail)
        {
            const uint32_t nic = server->GetServer() * rails + rail;
            for (const auto& queue : server->GetNic(rail).GetSendQueues())
            {
                const uint32_t peer = queue->GetPeer().nic;
                if (queue->GetOldest() && m_failures.IsCutOff(nic, peer))
                {
                    cuts.emplace_back(nic, peer);
                }
            }
        }
    }
    return cuts;
}

std::vector<FrameWatchdog::Waiting>
FrameWatchdog::FindPaused() const
{
    std::vector<Waiting> paused;
    for (const Ptr<Port>& port : m_cluster->GetPorts())
    {
        for (uint8_t trafficClass = 0; trafficClass < kTrafficClasses; ++trafficClass)
        {
            if (port->IsPaused(trafficClass))
            {
                paused.push_back({PeekPointer(port), trafficClass});
            }
        }
    }
    return paused;
}

const Switch*
FrameWatchdog::FindSwitch(const Port& port) const
{
    for (const Ptr<Switch>& at : m_cluster->GetSwitches())
    {
        const std::vector<Ptr<Port>>& ports = at->GetPorts();
        if (port.GetIndex() < ports.size() && PeekPointer(ports[port.GetIndex()]) == &port)
        {
            return PeekPointer(at);
        }
    }
    return nullptr;
}

std::vector<FrameWatchdog::Waiting>
FrameWatchdog::FindNext(const Waiting& waiting) const
{
    const Port& ingress = waiting.port->GetPeer();
    const Switch* at = FindSwitch(ingress);
    std::vector<Waiting> next;
    if (!at)
    {
        return next;
    }
    for (const Ptr<Port>& egress : at->GetPorts())
    {
        for (const Frame* frame = egress->PeekQueue(waiting.trafficClass); frame;
             frame = frame->next)
        {
            if (frame->ingress != ingress.GetIndex())
            {
                continue;
            }
            if (!egress->IsPaused(waiting.trafficClass))
            {
                // These frames can move, so the pause will end.
                return {};
            }
            next.push_back({PeekPointer(egress), waiting.trafficClass});
            break;
        }
    }
    return next;
}

std::vector<std::vector<FrameWatchdog::Waiting>>
FrameWatchdog::FindCircles() const
{
    const std::vector<Waiting> paused = FindPaused();
    std::map<Waiting, std::size_t> numbers;
    for (const Waiting& waiting : paused)
    {
        numbers.emplace(waiting, numbers.size());
    }
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(numbers.size());
    std::vector<bool> waitsForItself(numbers.size());
    for (const Waiting& waiting : paused)
    {
        const std::size_t number = numbers[waiting];
        for (const Waiting& next : FindNext(waiting))
        {
            boost::add_edge(number, numbers[next], graph);
            waitsForItself[number] = waitsForItself[number] || numbers[next] == number;
        }
    }
    std::vector<std::size_t> component(numbers.size());
    const std::size_t components = boost::strong_components(graph, component.data());
    std::vector<std::vector<Waiting>> circles(components);
    for (const Waiting& waiting : paused)
    {
        circles[component[numbers[waiting]]].push_back(waiting);
    }
    circles.erase(std::remove_if(circles.begin(),
                                 circles.end(),
                                 [&](const std::vector<Waiting>& circle) {
                                     return circle.size() < 2 &&
                                            !waitsForItself[numbers[circle.front()]];
                                 }),
                  circles.end());
    return circles;
}

bool
FrameWatchdog::CheckDeadlock()
{
    const TimePs now = NowPs();
    std::map<Waiting, Standstill> standstills;
    for (const std::vector<Waiting>& circle : FindCircles())
    {
        TimePs since = 0;
        for (const Waiting& waiting : circle)
        {
            // A paused class moves nothing; other classes of the port may.
            const TimePs pausedSince = waiting.port->GetPausedSince(waiting.trafficClass);
            const auto known = m_standstills.find(waiting);
            const bool still =
                known != m_standstills.end() && known->second.pausedSince == pausedSince;
            const Standstill standstill = still ? known->second : Standstill{pausedSince, now};
            standstills[waiting] = standstill;
            since = std::max(since, standstill.since);
        }
        if (now - since >= m_options->GetDeadlockAfter())
        {
            std::ostringstream text;
            text << "PFC deadlock: a circle of " << circle.size()
                 << " paused ports has moved no data for " << InMicroseconds(now - since)
                 << " (watchdog.deadlock_after):";
            for (const Waiting& waiting : circle)
            {
                text << "\n  " << Describe(*waiting.port) << " waits for "
                     << m_cluster->GetNodeName(waiting.port->GetPeer().GetIdentity().node);
            }
            m_verdict = text.str();
            NS_LOG_WARN(m_verdict);
            return false;
        }
    }
    m_standstills = std::move(standstills);
    return true;
}

std::string
FrameWatchdog::Describe(const Port& port) const
{
    std::ostringstream text;
    text << m_cluster->GetNodeName(port.GetIdentity().node) << " port " << port.GetIndex() << " ("
         << port.GetIdentity().portClass << ")";
    return text.str();
}

std::string
FrameWatchdog::DescribeStuck() const
{
    std::ostringstream text;
    uint32_t stuck = 0;
    const uint32_t rails = m_cluster->GetConfiguration().shape.nicsPerServer;
    for (const Ptr<GpuServer>& server : m_cluster->GetServers())
    {
        for (uint32_t rail = 0; rail < rails; ++rail)
        {
            const uint32_t nic = server->GetServer() * rails + rail;
            for (const auto& queue : server->GetNic(rail).GetSendQueues())
            {
                const MessageState* transfer = queue->GetOldest();
                if (transfer && stuck++ < kReported)
                {
                    const Message& message = *transfer->message;
                    text << "  queue pair " << queue->GetNumber() << " of server"
                         << server->GetServer() << " NIC " << rail << " to NIC "
                         << queue->GetPeer().nic << ": message " << message.id << " of GPU "
                         << message.source << " for GPU " << message.destination << ", "
                         << transfer->received << " of " << message.bytes << " B arrived, "
                         << transfer->staged << " B staged, first unacknowledged PSN "
                         << queue->GetLossRecovery().GetUnacknowledged();
                    if (m_failures.IsCutOff(nic, queue->GetPeer().nic))
                    {
                        text << "; "
                             << DescribeCut(m_cluster->GetWiring(), nic, queue->GetPeer().nic);
                    }
                    text << "\n";
                }
            }
        }
    }
    const std::vector<Waiting> paused = FindPaused();
    text << "  " << stuck << " queue pairs stuck in all; " << paused.size() << " ports paused\n";
    for (std::size_t i = 0; i < std::min<std::size_t>(paused.size(), kReported); ++i)
    {
        text << "  paused: " << Describe(*paused[i].port) << " since "
             << InMicroseconds(paused[i].port->GetPausedSince(paused[i].trafficClass)) << "\n";
    }
    uint32_t held = 0;
    for (const Ptr<Port>& port : m_cluster->GetPorts())
    {
        if (port->IsHeld() && held++ < kReported)
        {
            text << "  held: " << Describe(*port)
                 << " keeps what it has to send, as its cable is down (failures.queued: held); "
                 << port->GetQueueBytes() << " B wait\n";
        }
    }
    return text.str();
}

} // namespace ns3::rails
