// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_PORTS_H
#define FABRIC_PORTS_H

#include "rails-wiring.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::rails
{

/// \return the direction of a cable in which its lower end sends
constexpr uint32_t
GetUpDirection(uint32_t cable)
{
    return 2 * cable;
}

/// \return the direction of a cable in which its upper end sends
constexpr uint32_t
GetDownDirection(uint32_t cable)
{
    return 2 * cable + 1;
}

/// \return the cable that a direction belongs to
constexpr uint32_t
GetCableOfDirection(uint32_t direction)
{
    return direction / 2;
}

/// Where the ports of all switches lead: a wiring's answer, side by side in memory for those who
/// follow millions of paths.
class FabricPorts
{
  public:
    /// What is at the other end of a port that leads to a NIC.
    static constexpr uint32_t kNoSwitch = std::numeric_limits<uint32_t>::max();

    struct Place
    {
        uint32_t neighbour; //!< number of the switch at the other end, or kNoSwitch
        uint32_t direction; //!< of the cable, away from the port
    };

    /// \param wiring laid out in full
    explicit FabricPorts(const Wiring& wiring);

    /// \return the number of a port of a switch among all ports: those of a switch follow each
    /// other
    uint32_t GetNumber(uint32_t at, uint16_t port) const
    {
        return m_first[at] + port;
    }

    /// \return where a port leads, by its number among all ports
    const Place& Get(uint32_t number) const
    {
        return m_places[number];
    }

    /// \return where a port of a switch leads
    const Place& Get(uint32_t at, uint16_t port) const
    {
        return m_places[GetNumber(at, port)];
    }

    /// \return how many switches there are
    uint32_t GetSwitches() const
    {
        return static_cast<uint32_t>(m_first.size());
    }

    /// \return how many ports all switches have
    uint32_t GetCount() const
    {
        return static_cast<uint32_t>(m_places.size());
    }

  private:
    std::vector<uint32_t> m_first; // of the places, by number of the switch
    std::vector<Place> m_places;
};

} // namespace ns3::rails

#endif // FABRIC_PORTS_H
