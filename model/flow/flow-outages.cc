// SPDX-License-Identifier: GPL-2.0-only
#include "flow-outages.h"

#include <algorithm>
#include <cstddef>

namespace ns3::rails
{

FlowOutages::FlowOutages(const Wiring& wiring,
                         FlowQueues& queues,
                         FlowNetwork& network,
                         FlowClasses& classes,
                         FlowFeeds& feeds,
                         FlowStages& stages,
                         FlowEnds& ends,
                         FlowNics& nics,
                         FlowCalendar& calendar)
    : m_wiring(wiring),
      m_queues(queues),
      m_network(network),
      m_classes(classes),
      m_feeds(feeds),
      m_stages(stages),
      m_ends(ends),
      m_nics(nics),
      m_calendar(calendar)
{
}

/// Flows that are under way over a circuit that goes, or that wait for one, find their ways anew:
/// all of them where servers may pass on what is for others, as they do when cables are cut.
void
FlowOutages::OnCircuit(uint32_t nic)
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

/// What a NIC sends by a circuit that is gone waits.
void
FlowOutages::StrandOnDarkCircuit(uint32_t nic)
{
    const std::vector<uint32_t> busy = m_nics.GetBusy(nic);
    for (const uint32_t number : busy)
    {
        FlowQueue& queue = m_queues[number];
        if (queue.flowClass == FlowQueue::kNone ||
            m_wiring.MayJoin(queue.route.from, queue.route.to))
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
                m_feeds.MarkForCheck(fed); // nothing is brought to it any more
            }
            Strand(number);
        }
    }
}

/// What waits for the circuit that a NIC has now goes on.
void
FlowOutages::ResumeOnLiveCircuit(uint32_t nic)
{
    const auto waiting = m_dark.find({nic, m_wiring.GetCircuit(nic)});
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
FlowOutages::Strand(uint32_t number)
{
    const FlowRoute& route = m_queues[number].route;
    const bool isDark = !m_wiring.MayJoin(route.from, route.to);
    std::vector<uint32_t>& waiting = isDark ? m_dark[{route.from, route.to}] : m_stranded;
    if (waiting.empty() || waiting.back() != number) // posts one after the other try it again
    {
        waiting.push_back(number);
    }
}

void
FlowOutages::Forget(uint32_t number)
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
FlowOutages::OnConverged()
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
FlowOutages::TearDown(uint32_t number)
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
        m_ends.TellOfDrained(number);
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

/// What the NIC has not sent whole is not sent any more.
void
FlowOutages::GiveUpSending(uint32_t number)
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

/// What the NIC has not received whole will not come any more.
void
FlowOutages::GiveUpWriting(uint32_t number)
{
    FlowQueue& queue = m_queues[number];
    if (queue.drained >= queue.received && queue.flowClass != FlowQueue::kNone)
    {
        m_classes.BringUp(queue.flowClass);
        m_classes.End(number);
    }
    m_stages.GiveUpUnreceived(number);
}

} // namespace ns3::rails
