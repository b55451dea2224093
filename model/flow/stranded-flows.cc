// SPDX-License-Identifier: GPL-2.0-only
#include "stranded-flows.h"

#include <algorithm>
#include <cstddef>

namespace ns3::rails
{

StrandedFlows::StrandedFlows(const Wiring& wiring,
                             FlowQueues& queues,
                             FlowNetwork& network,
                             FlowClasses& classes,
                             TandemRates& tandemRates,
                             HostPipeline& pipeline,
                             CompletionTimes& completionTimes,
                             FlowNics& nics,
                             FlowCalendar& calendar)
    : m_wiring(wiring),
      m_queues(queues),
      m_network(network),
      m_classes(classes),
      m_tandemRates(tandemRates),
      m_pipeline(pipeline),
      m_completionTimes(completionTimes),
      m_nics(nics),
      m_calendar(calendar)
{
}

/// Strands flows whose circuit has gone, and resumes flows whose circuit has come. Where servers
/// may forward for others, as they do once links have failed, all flows are rerouted.
void
StrandedFlows::OnCircuit(uint32_t nic)
{
    m_network.OnCable(nic);
    if (!m_wiring.WasCut())
    {
        StrandOnDarkCircuit(nic);
        ResumeOnLiveCircuit(nic);
    }
    else if (m_network.IsUsed(nic) || !m_stranded.empty() || !m_dark.empty())
    {
        OnConverged();
    }
    m_calendar.AskToSettle(NowPs());
}

/// Strands the queue pairs of a NIC whose circuit has gone.
void
StrandedFlows::StrandOnDarkCircuit(uint32_t nic)
{
    const std::vector<uint32_t> busy = m_nics.GetBusy(nic);
    for (const uint32_t number : busy)
    {
        FlowQueue& queue = m_queues[number];
        if (queue.flowClass == FlowQueue::kNone ||
            m_wiring.GetCircuits().MayJoin(queue.route.from, queue.route.to))
        {
            continue;
        }
        m_classes.BringUp(queue.flowClass);
        m_classes.End(number);
        if (queue.HasWork())
        {
            const uint32_t fed = queue.entries[queue.drained].fed;
            if (fed != FlowQueue::kNone)
            {
                m_tandemRates.MarkForCheck(fed); // its supply has stopped
            }
            Strand(number);
        }
    }
}

/// Resumes the queues that wait for the present circuit of a NIC.
void
StrandedFlows::ResumeOnLiveCircuit(uint32_t nic)
{
    const auto waiting = m_dark.find({nic, m_wiring.GetCircuits().GetPeer(nic)});
    if (waiting == m_dark.end())
    {
        return;
    }
    const std::vector<uint32_t> led = std::move(waiting->second);
    m_dark.erase(waiting);
    for (const uint32_t number : led)
    {
        m_calendar.Arm(number, m_queues[number]);
    }
}

void
StrandedFlows::Strand(uint32_t number)
{
    const FlowRoute& route = m_queues[number].route;
    const bool isDark = !m_wiring.GetCircuits().MayJoin(route.from, route.to);
    std::vector<uint32_t>& waiting = isDark ? m_dark[{route.from, route.to}] : m_stranded;
    if (waiting.empty() || waiting.back() != number) // each further post strands the queue again
    {
        waiting.push_back(number);
    }
}

void
StrandedFlows::Forget(uint32_t number)
{
    const auto forget = [number](std::vector<uint32_t>& waiting) {
        waiting.erase(std::remove(waiting.begin(), waiting.end(), number), waiting.end());
    };
    const FlowRoute& route = m_queues[number].route;
    const auto dark = m_dark.find({route.from, route.to});
    if (dark != m_dark.end())
    {
        forget(dark->second);
    }
    forget(m_stranded);
}

void
StrandedFlows::OnConverged()
{
    std::vector<uint32_t> running = std::exchange(m_stranded, {});
    for (const auto& [nics, waiting] : std::exchange(m_dark, {}))
    {
        running.insert(running.end(), waiting.begin(), waiting.end());
    }
    for (uint32_t flowClass = 0; flowClass < m_classes.GetNumber(); ++flowClass)
    {
        m_classes.EndAll(flowClass, running);
    }
    m_network.Refresh();
    m_classes.TakeParted();
    std::sort(running.begin(), running.end());
    for (const uint32_t number : running)
    {
        m_calendar.Arm(number, m_queues[number]);
    }
    m_calendar.AskToSettle(NowPs());
}

void
StrandedFlows::TearDown(uint32_t number)
{
    FlowQueue& queue = m_queues[number];
    if (queue.flowClass != FlowQueue::kNone)
    {
        m_classes.BringUp(queue.flowClass);
        m_classes.End(number);
        m_calendar.AskToSettle(NowPs());
    }
    else
    {
        m_completionTimes.TellOfDrained(number);
    }
    m_nics.SetBusy(number, false);
    if (queue.sender != FlowQueue::kNone)
    {
        GiveUpSending(queue.sender);
    }
    for (std::size_t entry = queue.drained; entry < queue.entries.size(); ++entry)
    {
        if (queue.entries[entry].fed != FlowQueue::kNone)
        {
            GiveUpWriting(queue.entries[entry].fed);
        }
    }
    queue.unsentPayload = 0;
    queue.entries.resize(queue.drained);
    Forget(number);
}

/// Drops the messages of a Sending stage that the NIC has not sent whole.
void
StrandedFlows::GiveUpSending(uint32_t number)
{
    FlowQueue& queue = m_queues[number];
    if (queue.flowClass != FlowQueue::kNone)
    {
        m_classes.BringUp(queue.flowClass);
        m_classes.End(number);
    }
    queue.unsentPayload = 0;
    queue.entries.resize(queue.drained);
    queue.runEnd = std::min(queue.runEnd, queue.drained);
}

/// Drops the messages of a writer that the NIC has not received whole.
void
StrandedFlows::GiveUpWriting(uint32_t number)
{
    FlowQueue& queue = m_queues[number];
    if (queue.drained >= queue.received && queue.flowClass != FlowQueue::kNone)
    {
        m_classes.BringUp(queue.flowClass);
        m_classes.End(number);
    }
    m_pipeline.GiveUpUnreceived(number);
}

} // namespace ns3::rails
