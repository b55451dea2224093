// SPDX-License-Identifier: GPL-2.0-only
#ifndef PORT_SELECTOR_H
#define PORT_SELECTOR_H

#include "rails-frame.h"

#include "ns3/fabric-traits.h"
#include "ns3/next-hops.h"
#include "ns3/object.h"
#include "ns3/path-spread.h"
#include "ns3/rails-forkable.h"

#include <cstdint>

namespace ns3::rails
{

class Switch;

/**
 * Chooses the output port of a frame among the next hops to its destination: the `balance.switch`
 * component. A configured object is a prototype; each switch has a selector from Fork(), which
 * Forkable implements.
 */
class PortSelector : public Object
{
  public:
    /// Constant properties of a class.
    struct Traits
    {
        /// Successive frames of a queue pair leave by several ports, so that they may overtake each
        /// other.
        bool scattersFrames{false};
        /**
         * Spread of the traffic to a destination over its next hops, for engines without frames.
         * Even: each port gets the same share in the long run. Weighted: each port gets a share by
         * its weight. OnePath: EcmpHash chooses the port, with the salt from the first of the
         * selector's streams. Adaptive: the choice depends on queues, marks, gaps between frames or
         * anything else, so that engines without frames do not support it.
         */
        PathSpread spread{PathSpread::Adaptive};
        bool observes{false}; //!< the switch calls OnForward(), with telemetry in its frames
    };

    static TypeId GetTypeId();

    const Traits& GetTraits() const
    {
        return m_traits;
    }

    /// \throws ConfigurationError when the parameters cannot work in this fabric
    virtual void Check(const FabricTraits& fabric) const;

    /// \return a selector with the same parameters for one more switch
    virtual Ptr<PortSelector> Fork() const = 0;

    /**
     * \param at the switch
     * \param frame the frame
     * \param hops ports that lead to its destination, at least two
     * \return one of the ports
     */
    virtual uint16_t Select(const Switch& at, Frame& frame, const NextHops& hops) = 0;

    /**
     * The switch forwards a frame: to next hops of any number, by a source route, or to its NIC.
     * \param at the switch
     * \param frame the frame
     * \param port the output port
     */
    virtual void OnForward(const Switch& at, Frame& frame, uint16_t port);

    /// The next hops of the switch may have changed.
    virtual void OnRoutesChanged(const Switch& at);

    /**
     * Fixes the random streams.
     * \param stream first stream to use
     * \return the number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);

  protected:
    Traits m_traits; //!< set by constructors alone
};

} // namespace ns3::rails

#endif // PORT_SELECTOR_H
