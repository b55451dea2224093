// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_FEEDS_H
#define FLOW_FEEDS_H

#include "flow-clocks.h"
#include "flow-network.h"
#include "flow-queue.h"

#include "ns3/rails-units.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3::rails
{

/**
 * Queues in tandem: what one has served is what the next one may serve. A NIC that reads a message
 * over NVLink or PCIe sends no more of it than has come, and what is written into a GPU has been
 * received before. A pace lets bytes go likewise, from the post of their message on: what had to
 * wait in the network makes up for it, as frames do that were sent at their pace and wait in a
 * switch. A queue that is ahead of what it needs goes at its own rate; one that has caught up goes
 * as fast as its bytes come.
 */
class FlowFeeds
{
  public:
    /**
     * \param queues all queues, by number
     * \param clocks what their classes have served
     * \param network where they flow
     */
    FlowFeeds(const std::deque<FlowQueue>& queues, const FlowClocks& clocks, FlowNetwork& network);

    /// What is brought to a queue may have changed, or its rate has: Look() is to look at it.
    void MarkForCheck(uint32_t queue);

    /**
     * Looks at all queues that are marked, and tells the network what is brought to them.
     * \param now the time, up to which the queues' classes have their rates
     * \return by which part that moves a flow's rate at most; over 0 rates have to be found anew
     */
    double Look(TimePs now);

    /**
     * \return the byte of a queue at which it will have caught up with what is brought, as of the
     * last Look(); FlowClocks::kNowhere when that is not to come
     */
    double GetCatchUp(uint32_t queue) const;

    /// The queue has come to where it catches up, or serves something else now.
    void Forget(uint32_t queue);

    /// \return the queues that were looked at since the last call
    std::vector<uint32_t> TakeLooked();

    /// \return true when bytes of the message at the head of a queue come, or have come
    bool IsBegun(const FlowQueue& queue, TimePs now) const;

    /// \return bytes that a queue has served up to a time
    double GetServed(const FlowQueue& queue, TimePs now) const;

  private:
    struct State
    {
        double catchUp{FlowClocks::kNowhere};
        bool isInDoubt{false};
        bool isLooked{false};
    };

    /// What a queue may have served of the message at its head.
    struct Supply
    {
        double bytes; //!< now
        double rate;  //!< by which they grow, in bytes per second
    };

    static Supply GetPaced(const FlowQueue& queue, TimePs now);
    double GetPartBrought(const FlowQueue::Entry& entry, TimePs now) const;
    double GetRateBrought(const FlowQueue::Entry& entry) const;
    State& GetState(uint32_t queue);

    const std::deque<FlowQueue>& m_queues;
    const FlowClocks& m_clocks;
    FlowNetwork& m_network;
    std::vector<State> m_states; // by queue; those behind are as at first
    std::vector<uint32_t> m_inDoubt;
    std::vector<uint32_t> m_looked;
};

} // namespace ns3::rails

#endif // FLOW_FEEDS_H
