// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCUIT_TABLE_H
#define CIRCUIT_TABLE_H

#include "cut-rules.h"

#include "ns3/cluster-shape.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace ns3::rails
{

/**
 * The present circuits between NICs of the optical switches of a wiring. A circuit leads light from
 * one NIC to another of its switch; a full-duplex circuit is a pair of opposite circuits.
 */
class CircuitTable
{
  public:
    /// Tells listeners of the wiring that the circuit of a NIC came or went.
    using Tell = std::function<void(uint32_t nic, const CutRules& rules)>;

    /// Finds the optical switch of a NIC, if any.
    using FindSwitch = std::function<std::optional<uint32_t>(uint32_t nic)>;

    CircuitTable(const ClusterShape& shape, FindSwitch findSwitch, Tell tell);

    /**
     * Joins two NICs by a full-duplex circuit at their rate. Neither NIC may have a circuit.
     * \throws std::logic_error when they are not NICs of one optical switch, or have a circuit
     */
    void Join(uint32_t nic, uint32_t other);

    /**
     * Adds a one-way circuit; ACKs take the packet fabric.
     * \throws std::logic_error when they are not two NICs of one optical switch, the first already
     * sends over a circuit, or the other already receives over a circuit
     */
    void JoinOneWay(uint32_t nic, uint32_t other);

    /**
     * Ends the circuit over which a NIC sends, if any; a full-duplex circuit ends in both
     * directions.
     * \param nic number of the sending NIC
     * \param rules for frames on the circuit
     */
    void End(uint32_t nic, const CutRules& rules);

    /// \return the NIC at the far end of a NIC's circuit; the NIC itself without a circuit
    uint32_t GetPeer(uint32_t nic) const;

    /// \return the NIC whose circuit leads to `nic`; `nic` itself without such a circuit
    uint32_t GetSource(uint32_t nic) const;

    /// Circuits lead from each NIC to all others of its rail and optical switch in turn: messages
    /// for all of these may be posted at the NIC, and wait there for their time slot.
    void SetTimeSlotted();

    bool AreTimeSlotted() const
    {
        return m_areTimeSlotted;
    }

    /// \return false for two NICs of an optical switch while no circuit leads from one to the other
    bool MayJoin(uint32_t fromNic, uint32_t toNic) const;

    /// \return like MayJoin(), but true where a circuit follows in a later time slot
    bool WillJoin(uint32_t fromNic, uint32_t toNic) const;

    /// NICs by which a server forwards messages of other servers.
    struct Detour
    {
        uint32_t in;
        uint32_t out;
    };

    /**
     * \param fromNic one NIC
     * \param toNic the other NIC; exactly one of the two must be on an optical switch
     * \return NICs of the server at the far end of the circuit. This server forwards between the
     * circuit and the packet fabric, by its NIC on the rail of the NIC on a packet switch. Empty
     * without a circuit.
     */
    std::optional<Detour> FindDetour(uint32_t fromNic, uint32_t toNic) const;

  private:
    void Check(uint32_t nic, uint32_t other, bool isFree) const;
    void Set(uint32_t nic, uint32_t other, const CutRules& rules);

    ClusterShape m_shape;
    FindSwitch m_findSwitch;
    Tell m_tell;
    std::vector<uint32_t> m_peers;   //!< by NIC: receiver; empty before the first circuit
    std::vector<uint32_t> m_sources; //!< by NIC: sender; empty before the first circuit
    bool m_areTimeSlotted{false};
};

} // namespace ns3::rails

#endif // CIRCUIT_TABLE_H
