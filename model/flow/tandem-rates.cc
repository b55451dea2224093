// SPDX-License-Identifier: GPL-2.0-only
#include "tandem-rates.h"

#include "ns3/rails-units.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::rails
{

namespace
{

/// Backlog in bytes up to which a queue has caught up with its supply. Times are whole picoseconds,
/// in which less than a byte is served.
constexpr double kNothing = 4;

constexpr double kAll = std::numeric_limits<double>::infinity();

} // namespace

TandemRates::TandemRates(const std::deque<FlowQueue>& queues,
                         const FlowClocks& clocks,
                         FlowNetwork& network)
    : m_queues(queues),
      m_clocks(clocks),
      m_network(network)
{
}

TandemRates::State&
TandemRates::GetState(uint32_t queue)
{
    if (queue >= m_states.size())
    {
        m_states.resize(queue + 1);
    }
    return m_states[queue];
}

void
TandemRates::MarkForCheck(uint32_t queue)
{
    State& state = GetState(queue);
    if (!state.isInDoubt)
    {
        state.isInDoubt = true;
        m_inDoubt.push_back(queue);
    }
}

double
TandemRates::Examine(TimePs now)
{
    double most = 0;
    for (const uint32_t number : std::exchange(m_inDoubt, {}))
    {
        State& state = GetState(number);
        state.isInDoubt = false;
        state.catchUp = FlowClocks::kNowhere;
        const FlowQueue& queue = m_queues[number];
        if (queue.flowClass == FlowQueue::kNone || queue.drained == queue.runEnd)
        {
            continue;
        }
        if (!state.isLooked)
        {
            state.isLooked = true;
            m_looked.push_back(number);
        }
        if (!queue.route.isFed)
        {
            continue;
        }
        const FlowQueue::Entry& head = queue.entries[queue.drained];
        const double served = GetServed(queue, now);
        const double rate = m_clocks.GetRate(queue.flowClass);
        double feed = kAll;
        const auto hold = [&](const Supply& supply) {
            const double ahead = supply.bytes - (served - queue.GetHeadBegin());
            if (ahead <= kNothing)
            {
                feed = std::min(feed, supply.rate);
            }
            else if (rate > supply.rate)
            {
                state.catchUp =
                    std::min(state.catchUp, served + rate * ahead / (rate - supply.rate));
            }
        };
        const auto size = static_cast<double>(queue.GetSize(queue.drained));
        if (head.feeder != FlowQueue::kNone)
        {
            if (const double part = GetPartBrought(head, now); part < 1)
            {
                hold({part * size,
                      GetRateBrought(head) * size / static_cast<double>(head.feederBytes)});
            }
        }
        if (head.isPaced)
        {
            if (const Supply paced = GetPaced(queue, now); paced.bytes < size)
            {
                hold(paced);
            }
        }
        most = std::max(most, m_network.SetFeed(queue.flowClass, feed));
    }
    return most;
}

double
TandemRates::GetCatchUp(uint32_t queue) const
{
    return queue < m_states.size() ? m_states[queue].catchUp : FlowClocks::kNowhere;
}

void
TandemRates::Forget(uint32_t queue)
{
    GetState(queue).catchUp = FlowClocks::kNowhere;
}

std::vector<uint32_t>
TandemRates::TakeLooked()
{
    for (const uint32_t queue : m_looked)
    {
        m_states[queue].isLooked = false;
    }
    return std::exchange(m_looked, {});
}

/// \return the supply of the message at the head of a queue by its pace
TandemRates::Supply
TandemRates::GetPaced(const FlowQueue& queue, TimePs now)
{
    constexpr double kPicosecond = 1e-12; // seconds
    const double rate =
        static_cast<double>(queue.entries[queue.drained].message->paceBps) / kBitsPerByte;
    return {rate * kPicosecond * static_cast<double>(now - queue.GetPaceBegin()), rate};
}

bool
TandemRates::IsBegun(const FlowQueue& queue, TimePs now) const
{
    const FlowQueue::Entry& head = queue.entries[queue.drained];
    const FlowQueue& feeder = m_queues[head.feeder];
    const bool isServed =
        feeder.HasWork() && feeder.entries[feeder.drained].message == head.message;
    return isServed || GetPartBrought(head, now) > 0;
}

double
TandemRates::GetServed(const FlowQueue& queue, TimePs now) const
{
    if (queue.flowClass == FlowQueue::kNone)
    {
        return queue.joinedAt;
    }
    const auto end = static_cast<double>(queue.GetRunEnd());
    return queue.drained == queue.runEnd
               ? end
               : std::min(m_clocks.GetServedAt(queue.flowClass, now) - queue.offset, end);
}

/// \return the part of a message that its feeder has served
double
TandemRates::GetPartBrought(const FlowQueue::Entry& entry, TimePs now) const
{
    constexpr double kHalfAByte = 0.5; // more than the rounding error of sums of doubles
    const double left =
        static_cast<double>(entry.feederEnd) - GetServed(m_queues[entry.feeder], now);
    return left < kHalfAByte ? 1 : std::max(1 - left / static_cast<double>(entry.feederBytes), 0.0);
}

/// \return rate at which the feeder serves a message, in the feeder's bytes per second
double
TandemRates::GetRateBrought(const FlowQueue::Entry& entry) const
{
    const FlowQueue& feeder = m_queues[entry.feeder];
    const bool isServed = feeder.flowClass != FlowQueue::kNone && feeder.drained < feeder.runEnd &&
                          feeder.entries[feeder.drained].message == entry.message;
    return isServed ? m_clocks.GetRate(feeder.flowClass) : 0;
}

} // namespace ns3::rails
