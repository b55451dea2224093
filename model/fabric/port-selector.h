// SPDX-License-Identifier: GPL-2.0-only
#ifndef PORT_SELECTOR_H
#define PORT_SELECTOR_H

#include "rails-frame.h"

#include "ns3/object.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

class Switch;

/**
 * Chooses the port by which a switch sends a frame on, among those that lead to its destination. A
 * configured object serves as prototype; each switch has its own by Fork().
 */
class PortSelector : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return a selector with the same parameters for one more switch
    virtual Ptr<PortSelector> Fork() const = 0;

    /**
     * \param at the switch
     * \param frame the frame
     * \param candidates ports that lead to its destination, two at least
     * \return one of the candidates
     */
    virtual uint16_t Select(const Switch& at,
                            const Frame& frame,
                            const std::vector<uint16_t>& candidates) = 0;

    /**
     * Fixes the random streams.
     * \param stream first stream to use
     * \return how many streams were used
     */
    virtual int64_t AssignStreams(int64_t stream);
};

} // namespace ns3::rails

#endif // PORT_SELECTOR_H
