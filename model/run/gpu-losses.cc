// SPDX-License-Identifier: GPL-2.0-only
#include "gpu-losses.h"

#include "ns3/graph-runner.h"
#include "ns3/log.h"
#include "ns3/rails-failures.h"
#include "ns3/rails-quantity.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::rails
{

NS_LOG_COMPONENT_DEFINE("RailsGpuLosses");

namespace
{

std::string
DescribeShare(uint64_t part, uint64_t all)
{
    const double percent = all == 0 ? 0 : 100.0 * static_cast<double>(part) / double(all);
    return std::to_string(part) + " of " + std::to_string(all) + " (" + FormatFixed(percent, 1) +
           " %)";
}

std::string
DescribeIterations(uint32_t complete, uint32_t all)
{
    return all > 1 ? std::to_string(complete) + " of " + std::to_string(all) +
                         " iterations were complete; "
                   : "";
}

/// \return a line on the progress of phases
std::string
DescribePhases(const std::vector<PhaseRecord>& phases, uint32_t iterations)
{
    const auto isComplete = [](const PhaseRecord& phase) { return phase.end != kNever; };
    const auto current = std::find_if_not(phases.begin(), phases.end(), isComplete);
    // Phases are in order of time, iteration by iteration.
    const uint32_t complete = current == phases.end() ? iterations : current->iteration;
    std::string text = "  " + DescribeIterations(complete, iterations) +
                       std::to_string(current - phases.begin()) + " of " +
                       std::to_string(phases.size()) + " phases were complete";
    if (current != phases.end() && current->start != kNever)
    {
        text += ", " + current->name + " was under way";
    }
    return text + "\n";
}

} // namespace

GpuLosses::GpuLosses(const FailureSchedule& schedule,
                     Failures& failures,
                     const GraphRunner& runner,
                     Ptr<Engine> engine)
    : m_schedule(schedule),
      m_failures(failures),
      m_runner(runner),
      m_engine(engine)
{
    for (uint32_t entry = 0; entry < m_schedule.entries.size(); ++entry)
    {
        if (m_schedule.entries[entry].IsOfGpus())
        {
            m_instants[m_schedule.entries[entry].at].push_back(entry);
        }
    }
}

void
GpuLosses::Start()
{
    for (const auto& [at, entries] : m_instants)
    {
        Simulator::Schedule(TimeStep(static_cast<uint64_t>(at)),
                            [this, &entries = entries] { Fail(entries); });
    }
}

void
GpuLosses::Fail(const std::vector<uint32_t>& entries)
{
    m_engine->CatchUp();
    for (const uint32_t number : entries)
    {
        const FailureEntry& entry = m_schedule.entries[number];
        m_failures.AddEvent(entry.DescribeTarget(), "down", 0);
        const std::optional<std::string> lost = FindLost(entry);
        if (!lost)
        {
            m_idle.push_back(number);
        }
        else if (!m_last)
        {
            m_last = number;
            m_lost = *lost;
        }
    }
    m_until = NowPs();
    if (m_last)
    {
        NS_LOG_WARN(FormatTime(NowPs()) << ": " << Name(*m_last) << " failed");
        Simulator::Stop();
    }
}

/// \return the job that is lost by a failure; nothing if no job is
std::optional<std::string>
GpuLosses::FindLost(const FailureEntry& entry) const
{
    const ClusterShape& shape = m_runner.GetSchedule().shape;
    const bool isServer = entry.target == FailureEntry::Target::Server;
    const uint32_t first = isServer ? entry.number * shape.gpusPerServer : entry.number;
    for (uint32_t gpu = first; gpu < first + (isServer ? shape.gpusPerServer : 1); ++gpu)
    {
        if (const std::optional<GraphParty> party = m_runner.FindParty(gpu))
        {
            return party->name;
        }
    }
    return std::nullopt;
}

bool
GpuLosses::HasEndedRun() const
{
    return m_last.has_value();
}

std::string
GpuLosses::Name(uint32_t number) const
{
    const FailureEntry& entry = m_schedule.entries[number];
    const ClusterShape& shape = m_runner.GetSchedule().shape;
    return entry.target == FailureEntry::Target::Server
               ? "server " + std::to_string(entry.number)
               : "GPU " + std::to_string(entry.number) + " of server " +
                     std::to_string(shape.GetServer(entry.number));
}

std::string
GpuLosses::Describe(uint64_t bytes) const
{
    const FailureEntry& entry = m_schedule.entries[*m_last];
    const uint64_t messages =
        m_runner.GetMessages().GetSize() - m_runner.GetMessages().GetAbandoned();
    uint64_t delivered = m_runner.GetMessages().GetDelivered();
    uint64_t inMessages = m_runner.GetMessages().GetDeliveredBytes();
    for (const Message& message : m_runner.GetMessages().GetAll())
    {
        // The runner may not know yet of the end of a message that is not awaited.
        if (!message.isDeliveryKnown && !message.isAbandoned && message.end <= entry.at)
        {
            ++delivered;
            inMessages += message.bytes;
        }
    }
    return Name(*m_last) + " failed at " + FormatTime(entry.at) + " (failures.schedule." +
           std::to_string(*m_last) + "), which ended the run" +
           (m_lost.empty() ? "" : " with job " + m_lost) +
           "; what it had done is lost, as no restart is simulated:\n" + DescribeWork() + "  " +
           DescribeShare(delivered, messages) +
           " of the messages made so far were complete, with " +
           DescribeShare(inMessages, m_runner.GetSchedule().GetTotalBytes()) + " B" +
           (bytes > inMessages ? "; " + std::to_string(bytes - inMessages) + " B of others had come"
                               : "") +
           "\n";
}

std::string
GpuLosses::DescribeWork() const
{
    if (m_runner.GetProgram().HasPhases())
    {
        return DescribePhases(m_runner.GetPhases(), m_runner.GetSchedule().iterations);
    }
    std::string text;
    for (const GraphRunner::Progress& progress : m_runner.FindProgress())
    {
        const GraphParty& party = progress.party;
        text += (party.name.empty() ? "  " : "  job " + party.name + ": ") +
                DescribeIterations(progress.iterations, party.iterations) +
                DescribeShare(progress.over, progress.nodes) + " operations were complete\n";
    }
    return text;
}

std::vector<std::string>
GpuLosses::GetNotes() const
{
    std::vector<std::string> notes;
    for (const uint32_t entry : m_idle)
    {
        notes.push_back(Name(entry) + " failed at " + FormatTime(m_schedule.entries[entry].at) +
                        " without an effect: it has no work, or had done it");
    }
    for (const auto& [at, entries] : m_instants)
    {
        for (const uint32_t entry : entries)
        {
            if (at > m_until)
            {
                notes.push_back(Name(entry) + " did not fail: the run was over before " +
                                FormatTime(at) + " (failures.schedule." + std::to_string(entry) +
                                ")");
            }
        }
    }
    return notes;
}

} // namespace ns3::rails
