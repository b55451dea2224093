// SPDX-License-Identifier: GPL-2.0-only
#include "flow-watchdog.h"

#include "ns3/rails-failures.h"
#include "ns3/rails-quantity.h"
#include "ns3/simulator.h"

namespace ns3::rails
{

namespace
{

// More lines say nothing new.
constexpr std::size_t kMostLines = 20;

} // namespace

FlowWatchdog::FlowWatchdog(Ptr<FlowEngine> engine,
                           Ptr<const WatchdogOptions> options,
                           const GraphRunner& runner,
                           const Failures& failures)
    : m_engine(engine),
      m_failures(failures),
      m_stallDetector(
          options->GetNoProgressAfter(),
          runner,
          [this] { return m_engine->GetLastArrival(); },
          [this, options] {
              m_verdict = DescribeCuts(m_engine->GetWiring(), FindCuts()) + "no byte moved for " +
                          FormatTime(options->GetNoProgressAfter()) +
                          " (watchdog.no_progress_after)";
          })
{
    m_engine->SetStuckCallback([this] { OnStuck(); });
}

void
FlowWatchdog::OnStuck()
{
    m_verdict = "rates were found anew without end at " + FormatTime(NowPs()) +
                ", where nothing got further: a fault of the engine of flows, which "
                "engine: frames has not";
    Simulator::Stop();
}

FlowWatchdog::~FlowWatchdog()
{
    m_engine->SetStuckCallback(nullptr);
}

// Finds pairs of NICs with traffic that are cut off from each other.
std::vector<std::pair<uint32_t, uint32_t>>
FlowWatchdog::FindCuts() const
{
    std::vector<std::pair<uint32_t, uint32_t>> cuts;
    for (const FlowQueue& queue : m_engine->GetQueues())
    {
        const FlowRoute& route = queue.route;
        if (queue.HasWork() && route.IsPair() && m_failures.IsCutOff(route.from, route.to))
        {
            cuts.emplace_back(route.from, route.to);
        }
    }
    return cuts;
}

std::string
FlowWatchdog::DescribeStuck() const
{
    const Wiring& wiring = m_engine->GetWiring();
    std::string text;
    std::size_t pairs = 0;
    for (const FlowQueue& queue : m_engine->GetQueues())
    {
        const FlowRoute& route = queue.route;
        if (!queue.HasWork() || queue.route.IsStage() || ++pairs > kMostLines)
        {
            continue;
        }
        text +=
            (route.IsPair()
                 ? "queue pair " + std::to_string(route.number) + " of " +
                       wiring.GetNicName(route.from) + " to " + wiring.GetNicName(route.to)
                 : "GPU " + std::to_string(route.from) + " to GPU " + std::to_string(route.to)) +
            ": " + std::to_string(queue.entries.size() - queue.drained) + " messages, " +
            std::to_string(queue.unsentPayload) + " B not sent; " +
            (queue.flowClass == FlowQueue::kNone ? "no way is known\n"
                                                 : "a cable on its way is down\n");
    }
    return pairs > kMostLines
               ? text + "and " + std::to_string(pairs - kMostLines) + " other queue pairs\n"
               : text;
}

} // namespace ns3::rails
