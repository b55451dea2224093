// SPDX-License-Identifier: GPL-2.0-only
#include "flow-progress.h"

#include "ns3/collective-runner.h"
#include "ns3/rails-failures.h"
#include "ns3/rails-quantity.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::rails
{

namespace
{

// More lines say nothing new.
constexpr std::size_t kMostLines = 20;

} // namespace

FlowProgress::FlowProgress(Ptr<FlowEngine> engine,
                           Ptr<const WatchdogOptions> options,
                           const CollectiveRunner& runner,
                           const Failures& failures)
    : m_engine(engine),
      m_options(options),
      m_runner(runner),
      m_failures(failures)
{
    m_event = Simulator::Schedule(TimeStep(m_options->GetNoProgressAfter()), [this] { Look(); });
}

FlowProgress::~FlowProgress()
{
    m_event.Cancel();
}

void
FlowProgress::Look()
{
    const TimePs now = NowPs();
    const TimePs patience = m_options->GetNoProgressAfter();
    TimePs last = m_engine->GetLastArrival();
    if (m_runner.GetLastPost() != kNever)
    {
        last = std::max(last, m_runner.GetLastPost());
    }
    if (m_runner.IsWaiting() || m_runner.IsFinished())
    {
        last = now;
    }
    if (now > last + patience)
    {
        m_verdict = DescribeCuts() + "no byte moved for " + FormatTime(patience) +
                    " (watchdog.no_progress_after)";
        Simulator::Stop();
        return;
    }
    m_event = Simulator::Schedule(TimeStep(last + patience + 1 - now), [this] { Look(); });
}

const std::string&
FlowProgress::GetVerdict() const
{
    return m_verdict;
}

// Who is cut off and has traffic; empty, or a text that goes on.
std::string
FlowProgress::DescribeCuts() const
{
    const Wiring& wiring = m_engine->GetWiring();
    std::string first;
    std::size_t pairs = 0;
    for (const FlowQueue& queue : m_engine->GetQueues())
    {
        const FlowRoute& route = queue.route;
        if (queue.HasWork() && route.IsPair() && m_failures.IsCutOff(route.from, route.to))
        {
            first = pairs++ > 0 ? first
                                : "no path is left between " + wiring.GetNicName(route.from) +
                                      " and " + wiring.GetNicName(route.to);
        }
    }
    return pairs == 0
               ? ""
               : first + (pairs > 1 ? " (and " + std::to_string(pairs - 1) + " other pairs)" : "") +
                     ", which have traffic, and nothing is to happen that could mend it; ";
}

std::string
FlowProgress::DescribeStuck() const
{
    const Wiring& wiring = m_engine->GetWiring();
    std::string text;
    std::size_t pairs = 0;
    for (const FlowQueue& queue : m_engine->GetQueues())
    {
        const FlowRoute& route = queue.route;
        if (!queue.HasWork() || queue.IsStage() || ++pairs > kMostLines)
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
