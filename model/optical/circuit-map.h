// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCUIT_MAP_H
#define CIRCUIT_MAP_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * How many circuits lead from each server of a region to each other. Light goes one way; a circuit
 * that is full-duplex, as those of MixNet (section 5.2), is one each way.
 */
class CircuitMap
{
  public:
    explicit CircuitMap(uint32_t servers);

    uint32_t GetServers() const;

    /// Adds full-duplex circuits between two different servers.
    void Join(uint32_t one, uint32_t other, uint32_t circuits = 1);

    /// Adds circuits from a server to a different one, and none back.
    void Lead(uint32_t from, uint32_t to, uint32_t circuits = 1);

    /// \return how many lead from a server to another
    uint32_t Count(uint32_t from, uint32_t to) const;

    /// \return how many leave a server
    uint32_t CountLeaving(uint32_t server) const;

    /// \return how many arrive at a server
    uint32_t CountArriving(uint32_t server) const;

    /// \return how many there are, counted one way: a full-duplex circuit is two
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
