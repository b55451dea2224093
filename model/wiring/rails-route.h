// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_ROUTE_H
#define RAILS_ROUTE_H

#include <array>
#include <cstdint>

namespace ns3::rails
{

/// A path through the fabric: the output port of each switch, first to last.
struct Route
{
    std::array<uint16_t, 4> ports{}; //!< of all switches but the destination's edge switch
    uint8_t length{0};               //!< ports in use
};

} // namespace ns3::rails

#endif // RAILS_ROUTE_H
