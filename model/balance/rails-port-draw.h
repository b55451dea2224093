// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_PORT_DRAW_H
#define RAILS_PORT_DRAW_H

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

class Switch;

/// Choices among ports by lot, with a random stream of their own; a copy has another stream.
class PortDraw
{
  public:
    PortDraw();
    PortDraw(const PortDraw& other);
    PortDraw& operator=(const PortDraw&) = delete;

    /// \return a number from 0 to `end` - 1, each as likely as the others
    uint32_t Below(uint32_t end);

    /// \return one of the ports, each as likely as the others
    uint16_t Any(const std::vector<uint16_t>& ports);

    /// \return the port of a switch with the shortest queue (Port::GetQueueBytes()); among several,
    /// each is as likely as the others
    uint16_t Shortest(const Switch& at, const std::vector<uint16_t>& ports);

    /// Brings ports into an order by lot, all orders being as likely (Fisher and Yates).
    void Shuffle(std::vector<uint16_t>& ports, std::size_t from = 0);

    /**
     * Fixes the random stream.
     * \param stream the stream
     * \return how many streams were used: 1
     */
    int64_t AssignStreams(int64_t stream);

  private:
    Ptr<UniformRandomVariable> m_random;
};

} // namespace ns3::rails

#endif // RAILS_PORT_DRAW_H
