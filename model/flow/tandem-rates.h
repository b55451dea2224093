// SPDX-License-Identifier: GPL-2.0-only
#ifndef TANDEM_RATES_H
#define TANDEM_RATES_H

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
 * Rates of queues in tandem: a queue may serve only bytes that the queue before it has served. A
 * NIC that reads a message over NVLink or PCIe sends no more than has come, and writes to a GPU
 * only bytes that it has received. A pace is a supply as well, from the post of its message on: a
 * message that waited in the network makes up for it, as packets do that wait in a switch.
 *
 * A queue with a backlog of supplied bytes goes at its fair share; a queue that has caught up is
 * limited to the rate of its supply.
 */
class TandemRates
{
  public:
    /**
     * \param queues all queues, by number
     * \param clocks count the bytes served, by class
     * \param network gets the supplies
     */
    TandemRates(const std::deque<FlowQueue>& queues,
                const FlowClocks& clocks,
                FlowNetwork& network);

    /// The supply or the rate of a queue may have changed: Examine() will check the queue.
    void MarkForCheck(uint32_t queue);

    /**
     * Checks all marked queues, and sets their supplies in the network.
     * \param now the time, up to which the queues' classes have their rates
     * \return largest relative change of a supply; rates have to be found anew when it is above 0
     */
    double Examine(TimePs now);

    /**
     * \return the byte at which a queue catches up with its supply, as of the last Examine();
     * FlowClocks::kNowhere when it never does
     */
    double GetCatchUp(uint32_t queue) const;

    /// Drops GetCatchUp() of a queue that has caught up, or that serves another message.
    void Forget(uint32_t queue);

    /// \return the queues that Examine() checked since the last call
    std::vector<uint32_t> TakeLooked();

    /// \return true when the feeder has served bytes of the message at the head of a queue, or
    /// serves it now
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

    /// Supplied bytes of the message at the head of a queue.
    struct Supply
    {
        double bytes; //!< so far
        double rate;  //!< in bytes per second
    };

    static Supply GetPaced(const FlowQueue& queue, TimePs now);
    double GetPartBrought(const FlowQueue::Entry& entry, TimePs now) const;
    double GetRateBrought(const FlowQueue::Entry& entry) const;
    State& GetState(uint32_t queue);

    const std::deque<FlowQueue>& m_queues;
    const FlowClocks& m_clocks;
    FlowNetwork& m_network;
    std::vector<State> m_states; // by queue; missing elements have their initial state
    std::vector<uint32_t> m_inDoubt;
    std::vector<uint32_t> m_looked;
};

} // namespace ns3::rails

#endif // TANDEM_RATES_H
