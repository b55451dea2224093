// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_PORTS_H
#define FABRIC_PORTS_H

#include "rails-wiring.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::rails
{

/// \return the direction of a link in which its lower end sends
constexpr uint32_t
GetUpDirection(uint32_t cable)
{
    return 2 * cable;
}

/// \return the direction of a link in which its upper end sends
constexpr uint32_t
GetDownDirection(uint32_t cable)
{
    return 2 * cable + 1;
}

/// \return the link that a direction belongs to
constexpr uint32_t
GetCableOfDirection(uint32_t direction)
{
    return direction / 2;
}

/// Neighbours of the ports of all switches of a wiring, contiguous in memory for following millions
/// of paths.
class FabricPorts
{
  public:
    /// The neighbour of a port that leads to a NIC.
    static constexpr uint32_t kNoSwitch = std::numeric_limits<uint32_t>::max();

    struct Place
    {
        uint32_t neighbour; //!< number of the switch at the other end, or kNoSwitch
        uint32_t direction; //!< direction of the link away from the port
    };

    /// \param wiring laid out in full
    explicit FabricPorts(const Wiring& wiring);

    /// \return the number of a port among all ports of the fabric; the ports of a switch are
    /// consecutive
    uint32_t GetNumber(uint32_t at, uint16_t port) const
    {
        return m_first[at] + port;
    }

    /// \return the far end of a port, by its number among all ports
    const Place& Get(uint32_t number) const
    {
        return m_places[number];
    }

    /// \return the far end of a port of a switch
    const Place& Get(uint32_t at, uint16_t port) const
    {
        return m_places[GetNumber(at, port)];
    }

    /// \return the number of switches
    uint32_t GetSwitches() const
    {
        return static_cast<uint32_t>(m_first.size());
    }

    /// \return the number of ports of all switches
    uint32_t GetCount() const
    {
        return static_cast<uint32_t>(m_places.size());
    }

  private:
    std::vector<uint32_t> m_first; // by switch, index of its first place
    std::vector<Place> m_places;
};

} // namespace ns3::rails

#endif // FABRIC_PORTS_H
