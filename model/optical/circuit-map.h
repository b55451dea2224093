// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCUIT_MAP_H
#define CIRCUIT_MAP_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Number of circuits from each server of a region to each other. Circuits are one-way; a
 * full-duplex circuit, as in MixNet (section 5.2), counts once in each direction.
 */
class CircuitMap
{
  public:
    explicit CircuitMap(uint32_t servers);

    uint32_t GetServers() const
    {
        return m_servers;
    }

    /// Adds full-duplex circuits between two different servers.
    void Join(uint32_t one, uint32_t other, uint32_t circuits = 1);

    /// Adds one-way circuits from a server to a different one.
    void Lead(uint32_t from, uint32_t to, uint32_t circuits = 1);

    /// \return the number of circuits from a server to another
    uint32_t Count(uint32_t from, uint32_t to) const;

    /// \return the number of circuits from a server
    uint32_t CountLeaving(uint32_t server) const;

    /// \return the number of circuits to a server
    uint32_t CountArriving(uint32_t server) const;

    /// \return the number of one-way circuits: a full-duplex circuit counts as two
    uint32_t GetTotal() const;

    bool operator==(const CircuitMap& other) const;

  private:
    uint32_t m_servers;
    std::vector<uint32_t> m_circuits; //!< by from * servers + to
    std::vector<uint32_t> m_leaving;  //!< by server
    std::vector<uint32_t> m_arriving; //!< by server
};

} // namespace ns3::rails

#endif // CIRCUIT_MAP_H
