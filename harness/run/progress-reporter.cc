// SPDX-License-Identifier: GPL-2.0-only
#include "progress-reporter.h"

#include "ns3/replica-fold.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace ns3::rails
{

namespace
{

/// \return "3 of 8" when two are done
std::string
FormatPlace(uint32_t over, uint32_t all)
{
    return std::to_string(std::min(over + 1, all)) + " of " + std::to_string(all);
}

std::string
DescribePlace(const GraphAdvance& advance)
{
    std::string text;
    if (advance.iterations > 1)
    {
        text = "iteration " + FormatPlace(advance.iteration, advance.iterations) + ", ";
    }
    // The gradients of the last iteration follow its last micro-batch.
    const uint32_t round =
        advance.iteration == advance.iterations ? advance.rounds : advance.inRound;
    return text + advance.round + " " + FormatPlace(round, advance.rounds);
}

} // namespace

ProgressReporter::ProgressReporter(const GraphRunner& runner,
                                   ProgressCallback callback,
                                   std::function<TimePoint()> clock)
    : m_runner(runner),
      m_callback(std::move(callback)),
      m_clock(std::move(clock)),
      m_totalBytes(runner.GetSchedule().GetTotalBytes()),
      m_reportedAt(m_clock())
{
    if (m_callback)
    {
        Report();
    }
}

ProgressReporter::~ProgressReporter()
{
    m_event.Cancel();
}

void
ProgressReporter::OnEvent()
{
    ++m_events;
    Report();
}

// The interval follows the wall clock, as simulated time says little about it.
void
ProgressReporter::Report()
{
    const TimePoint now = m_clock();
    const double wall = std::chrono::duration<double>(now - m_reportedAt).count();
    if (wall < 0.05)
    {
        m_interval = m_interval * 2;
    }
    else if (wall > 0.2 && m_interval > NanoSeconds(100))
    {
        m_interval = TimeStep(m_interval.GetTimeStep() / 2);
    }
    m_reportedAt = now;
    m_callback(FindProgress());
    m_event = Simulator::Schedule(m_interval, &ProgressReporter::OnEvent, this);
}

RunProgress
ProgressReporter::FindProgress() const
{
    const auto& messages = m_runner.GetMessages();
    RunProgress progress;
    progress.now = NowPs();
    const ReplicaFold* fold = m_runner.GetProgram().GetFold();
    const auto countAll = [fold](uint64_t count) { return fold ? fold->Multiply(count) : count; };
    progress.messagesTotal = countAll(messages.GetSize());
    progress.messagesDone = countAll(messages.GetDelivered());
    progress.done = m_totalBytes == 0
                        ? 0
                        : static_cast<double>(countAll(messages.GetDeliveredBytes())) /
                              static_cast<double>(m_totalBytes);
    if (const std::optional<GraphAdvance> advance = m_runner.FindAdvance())
    {
        // Either many small or few large messages dominate the cost: an estimate from bytes was off
        // by a factor of six towards the end of trainings, one from nodes by a factor of four.
        progress.done = (progress.done + advance->work) / 2;
        progress.messagesTotal = 0; // messages are created during the run
        progress.place = DescribePlace(*advance);
    }
    return progress;
}

} // namespace ns3::rails
