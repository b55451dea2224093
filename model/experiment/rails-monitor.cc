// SPDX-License-Identifier: GPL-2.0-only
#include "rails-monitor.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <sstream>
#include <utility>

namespace ns3::rails
{

namespace
{

// Lists in reports end after so many entries.
constexpr uint32_t kReported = 20;

std::string
InMicroseconds(TimePs time)
{
    std::ostringstream text;
    text << static_cast<double>(time) * 1e-6 << " us";
    return text.str();
}

} // namespace

Monitor::Monitor(Ptr<GpuCluster> cluster,
                 Ptr<const WatchdogOptions> options,
                 std::function<bool()> isWaiting,
                 const Failures* failures)
    : m_cluster(cluster),
      m_options(options),
      m_isWaiting(std::move(isWaiting)),
      m_failures(failures),
      m_interval(
          std::min({options->m_noProgressAfter, options->m_deadlockAfter, options->m_stormAfter}))
{
    // Often enough to tell a standstill from a short stop.
    m_interval = std::max(TimeStep(m_interval.GetTimeStep() / 4), NanoSeconds(1));
    m_event = Simulator::Schedule(m_interval, &Monitor::Check, this);
}

Monitor::~Monitor()
{
    m_event.Cancel();
}

const std::string&
Monitor::GetVerdict() const
{
    return m_verdict;
}

const std::vector<std::string>&
Monitor::GetStorms() const
{
    return m_storms;
}

void
Monitor::Check()
{
    m_cluster->CatchUp();
    CheckStorms();
    if (CheckDeadlock() && CheckCuts() && CheckProgress())
    {
        m_event = Simulator::Schedule(m_interval, &Monitor::Check, this);
        return;
    }
    Simulator::Stop();
}

void
Monitor::LookForCuts()
{
    if (!CheckCuts())
    {
        Simulator::Stop();
    }
}

bool
Monitor::CheckCuts()
{
    if (!m_failures || m_failures->GetEvents().empty() || !m_failures->IsSettled())
    {
        return true;
    }
    for (const Ptr<GpuServer>& server : m_cluster->GetServers())
    {
        for (uint32_t rail = 0; rail < m_cluster->GetConfiguration().gpusPerDomain; ++rail)
        {
            for (const auto& queue : server->GetNic(rail).GetSendQueues())
            {
                const std::string cut =
                    queue->GetOldest() ? DescribeCut(*server, rail, *queue) : "";
                if (!cut.empty())
                {
                    m_verdict = cut + ", which have traffic, and nothing is to happen that could "
                                      "mend it";
                    return false;
                }
            }
        }
    }
    return true;
}

// Empty when the two are not cut off.
std::string
Monitor::DescribeCut(const GpuServer& server, uint32_t rail, const SendQueue& queue) const
{
    const uint32_t rails = m_cluster->GetConfiguration().gpusPerDomain;
    const uint32_t peer = queue.GetPeer().nic;
    if (!m_failures || !m_failures->IsCutOff(server.GetDomain(), rail, peer / rails, peer % rails))
    {
        return "";
    }
    const auto name = [](uint32_t domain, uint32_t nic) {
        return "server" + std::to_string(domain) + "-nic" + std::to_string(nic);
    };
    return "no path is left between " + name(server.GetDomain(), rail) + " and " +
           name(peer / rails, peer % rails);
}

bool
Monitor::CheckProgress()
{
    const TimePs now = NowPs();
    const uint64_t bytes = m_cluster->GetReceivedBytes();
    if (bytes != m_lastBytes || m_isWaiting())
    {
        m_lastBytes = bytes;
        m_progressAt = now;
    }
    if (now - m_progressAt < m_options->m_noProgressAfter.GetPicoSeconds())
    {
        return true;
    }
    m_verdict = "no payload byte arrived for " + InMicroseconds(now - m_progressAt) +
                " (watchdog.no_progress_after)";
    return false;
}

std::vector<Monitor::Waiting>
Monitor::FindPaused() const
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
Monitor::FindSwitch(const Port& port) const
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

std::vector<Monitor::Waiting>
Monitor::FindNext(const Waiting& waiting) const
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
                // What waits here can move, and the pause will end.
                return {};
            }
            next.push_back({PeekPointer(egress), waiting.trafficClass});
            break;
        }
    }
    return next;
}

std::vector<std::vector<Monitor::Waiting>>
Monitor::FindCircles() const
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
Monitor::CheckDeadlock()
{
    const TimePs now = NowPs();
    std::map<Waiting, Standstill> standstills;
    for (const std::vector<Waiting>& circle : FindCircles())
    {
        TimePs since = 0;
        for (const Waiting& waiting : circle)
        {
            // While it is paused a class moves nothing; other classes may.
            const TimePs pausedSince = waiting.port->GetPausedSince(waiting.trafficClass);
            const auto known = m_standstills.find(waiting);
            const bool still =
                known != m_standstills.end() && known->second.pausedSince == pausedSince;
            const Standstill standstill = still ? known->second : Standstill{pausedSince, now};
            standstills[waiting] = standstill;
            since = std::max(since, standstill.since);
        }
        if (now - since >= m_options->m_deadlockAfter.GetPicoSeconds())
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
            return false;
        }
    }
    m_standstills = std::move(standstills);
    return true;
}

void
Monitor::CheckStorms()
{
    const TimePs now = NowPs();
    for (const Waiting& waiting : FindPaused())
    {
        const TimePs since = waiting.port->GetPausedSince(waiting.trafficClass);
        const auto known = m_storming.find(waiting.port);
        const bool isNew = known == m_storming.end() || known->second != since;
        if (now - since >= m_options->m_stormAfter.GetPicoSeconds() && isNew)
        {
            m_storming[waiting.port] = since;
            m_storms.push_back("pause storm: " + Describe(*waiting.port) + " was paused from " +
                               InMicroseconds(since) + " for more than " +
                               InMicroseconds(m_options->m_stormAfter.GetPicoSeconds()));
        }
    }
}

std::string
Monitor::Describe(const Port& port) const
{
    std::ostringstream text;
    text << m_cluster->GetNodeName(port.GetIdentity().node) << " port " << port.GetIndex() << " ("
         << port.GetIdentity().portClass << ")";
    return text.str();
}

std::string
Monitor::DescribeStuck() const
{
    std::ostringstream text;
    uint32_t stuck = 0;
    for (const Ptr<GpuServer>& server : m_cluster->GetServers())
    {
        for (uint32_t rail = 0; rail < m_cluster->GetConfiguration().gpusPerDomain; ++rail)
        {
            for (const auto& queue : server->GetNic(rail).GetSendQueues())
            {
                const Message* message = queue->GetOldest();
                if (message && stuck++ < kReported)
                {
                    text << "  queue pair " << queue->GetNumber() << " of server"
                         << server->GetDomain() << " NIC " << rail << " to NIC "
                         << queue->GetPeer().nic << ": message " << message->id << " of GPU "
                         << message->source << " for GPU " << message->destination << ", "
                         << message->received << " of " << message->bytes << " B arrived, "
                         << message->staged << " B staged, first unacknowledged PSN "
                         << queue->GetLossRecovery().GetUnacknowledged();
                    const std::string cut = DescribeCut(*server, rail, *queue);
                    text << (cut.empty() ? "" : "; ") << cut << "\n";
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
    return text.str();
}

} // namespace ns3::rails
