// SPDX-License-Identifier: GPL-2.0-only
#include "stall-detector.h"

#include "ns3/graph-runner.h"
#include "ns3/log.h"
#include "ns3/rails-quantity.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::rails
{

NS_LOG_COMPONENT_DEFINE("RailsStallDetector");

StallDetector::StallDetector(TimePs patience,
                             const GraphRunner& runner,
                             std::function<TimePs()> getLastArrival,
                             std::function<void()> onStandstill)
    : m_patience(patience),
      m_runner(runner),
      m_getLastArrival(std::move(getLastArrival)),
      m_onStandstill(std::move(onStandstill))
{
    ExamineAfter(m_patience + 1);
}

StallDetector::~StallDetector()
{
    m_event.Cancel();
}

void
StallDetector::ExamineAfter(TimePs time)
{
    m_event = Simulator::Schedule(TimeStep(time), &StallDetector::Examine, this);
}

void
StallDetector::Examine()
{
    const TimePs now = NowPs();
    TimePs last = m_getLastArrival();
    if (m_runner.GetMessages().GetLastPost() != kNever)
    {
        last = std::max(last, m_runner.GetMessages().GetLastPost());
    }
    if (m_runner.IsWaiting() || m_runner.IsFinished())
    {
        last = now;
    }
    NS_LOG_LOGIC("at " << FormatTime(now) << " the last sign of progress is "
                       << FormatTime(now - last) << " old");
    if (now <= last + m_patience)
    {
        ExamineAfter(last + m_patience + 1 - now);
        return;
    }
    m_onStandstill();
    Simulator::Stop();
}

std::string
DescribeCut(const Wiring& wiring, uint32_t fromNic, uint32_t toNic)
{
    return "no path is left between " + wiring.GetNicName(fromNic) + " and " +
           wiring.GetNicName(toNic);
}

std::string
DescribeCuts(const Wiring& wiring, const std::vector<std::pair<uint32_t, uint32_t>>& pairs)
{
    if (pairs.empty())
    {
        return "";
    }
    const auto [from, to] = pairs.front();
    const std::size_t others = pairs.size() - 1;
    return DescribeCut(wiring, from, to) +
           (others > 0 ? " (and " + std::to_string(others) + " other pairs)" : "") +
           ", which have traffic, and nothing is to happen that could mend it; " +
           (wiring.HasOptical() ? "round NICs of the packet fabric, by circuits and other servers, "
                                  "leads balance.other: {type: delegates, uses_circuits: false} "
                                  "alone (engine: flow); "
                                : "");
}

} // namespace ns3::rails
