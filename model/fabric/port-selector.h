// SPDX-License-Identifier: GPL-2.0-only
#ifndef PORT_SELECTOR_H
#define PORT_SELECTOR_H

#include "rails-frame.h"

#include "ns3/fabric-traits.h"
#include "ns3/next-hops.h"
#include "ns3/object.h"
#include "ns3/path-spread.h"

#include <cstdint>

namespace ns3::rails
{

class Switch;

/**
 * Chooses the port by which a switch sends a frame on, among those that lead to its destination:
 * the `balance.switch` component. A configured object serves as prototype; each switch has its own
 * by Fork().
 */
class PortSelector : public Object
{
  public:
    static TypeId GetTypeId();

    /// \throws ConfigurationError when the parameters cannot work, or not in such a fabric
    virtual void Check(const FabricTraits& fabric) const;

    /// \return a selector with the same parameters for one more switch
    virtual Ptr<PortSelector> Fork() const = 0;

    /**
     * \param at the switch
     * \param frame the frame
     * \param hops ports that lead to its destination, two at least
     * \return one of the ports
     */
    virtual uint16_t Select(const Switch& at, Frame& frame, const NextHops& hops) = 0;

    /**
     * \return true when frames that follow each other in a queue pair leave by several ports, so
     * that they overtake each other; by default false
     */
    virtual bool ScattersFrames() const;

    /**
     * How what goes to a destination spreads over the ports that lead there, for engines that move
     * no frames: Even when each port gets the same share in the long run; Weighted when each gets
     * that of its weight; OnePath when EcmpHash chooses the port, with the salt that it draws from
     * the first of the selector's streams; Adaptive when the choice depends on queues, marks, gaps
     * between frames or anything else, so that an engine without frames has to refuse it. Derived
     * classes inherit the answer.
     * \return the spread; by default Adaptive
     */
    virtual PathSpread GetSpread() const;

    /// \return true when OnForward() does anything, and frames have telemetry there; by default
    /// false
    virtual bool Observes() const;

    /**
     * A frame goes on by a port, whoever chose it, or to a NIC of this switch.
     * \param at the switch
     * \param frame the frame
     * \param port the port it leaves by
     */
    virtual void OnForward(const Switch& at, Frame& frame, uint16_t port);

    /// The next hops of the switch may have changed.
    virtual void OnRoutesChanged(const Switch& at);

    /**
     * Fixes the random streams.
     * \param stream first stream to use
     * \return how many streams were used
     */
    virtual int64_t AssignStreams(int64_t stream);
};

} // namespace ns3::rails

#endif // PORT_SELECTOR_H
