// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCUIT_SEQUENCE_H
#define CIRCUIT_SEQUENCE_H

#include "circuit-plan.h"

#include "ns3/event-id.h"
#include "ns3/rails-units.h"
#include "ns3/rails-wiring.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace ns3::rails
{

/**
 * Lays the slots of a plan in a region, one after the other. Circuits are one-way, from a NIC to
 * the NIC with the same index at another server. The region is dark before each slot. A slot lasts
 * until the last server has sent its part, and its last bytes have passed the switch. A server that
 * finishes earlier continues with bytes of later slots for the same server; slots without bytes
 * left are skipped.
 */
class CircuitSequence
{
  public:
    /// Totals so far.
    struct Record
    {
        uint64_t slots{0};
        uint64_t circuits{0}; //!< one-way circuits, summed over slots
        TimePs dark{0};
    };

    /// \param nic number of a NIC \return payload bytes sent so far
    using SentCallback = std::function<uint64_t(uint32_t nic)>;

    /**
     * \param wiring with the region
     * \param nics by server of the region: NICs at its optical switch
     * \param rate of a circuit in bit/s
     * \param rules for frames on removed circuits
     * \param sent payload sent by a NIC so far
     */
    CircuitSequence(std::shared_ptr<Wiring> wiring,
                    std::vector<std::vector<uint32_t>> nics,
                    uint64_t rate,
                    CutRules rules,
                    SentCallback sent);
    ~CircuitSequence();

    CircuitSequence(const CircuitSequence&) = delete;
    CircuitSequence& operator=(const CircuitSequence&) = delete;

    /**
     * Starts a plan, and drops the rest of the previous one.
     * \param plan its slots together cover the demand
     * \param demand bytes between the servers of the region
     * \param dark time when the previous circuits are removed, not before now
     * \param delay dark time before each slot
     * \param known time when servers know of the plan; they send nothing before
     */
    void Start(CircuitPlan plan,
               const CircuitDemand& demand,
               TimePs dark,
               TimePs delay,
               TimePs known);

    /// \return true during a reconfiguration
    bool IsDark() const
    {
        return m_isDark;
    }

    const Record& GetRecord() const
    {
        return m_record;
    }

  private:
    /// Bytes from a server to another in a slot.
    struct Part
    {
        uint32_t from;
        uint32_t to;
        uint32_t circuits;
        uint64_t goal;   //!< bytes
        uint64_t before; //!< bytes sent by the NICs of `from` when the slot began
    };

    void Next();
    void GoLive();
    void Examine();
    std::vector<Part> FindParts(std::size_t slot) const;
    uint64_t CountSent(uint32_t server) const;
    uint64_t CountSent(const Part& part) const;

    std::shared_ptr<Wiring> m_wiring;
    std::vector<std::vector<uint32_t>> m_nics;
    uint64_t m_rate;
    CutRules m_rules;
    SentCallback m_sent;

    CircuitPlan m_plan;
    std::vector<std::vector<uint64_t>> m_left;         //!< bytes, by source and destination
    std::vector<std::vector<std::size_t>> m_lastSlots; //!< by source and destination
    TimePs m_delay{0};
    TimePs m_known{0};
    uint64_t m_seen{0};        //!< bytes sent in the slot at the last check
    TimePs m_pause{0};         //!< least time until the next check
    std::size_t m_slot{0};     //!< index of the next slot
    std::vector<Part> m_parts; //!< of the present slot
    bool m_isDark{false};
    EventId m_event;
    Record m_record;
};

} // namespace ns3::rails

#endif // CIRCUIT_SEQUENCE_H
