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
 * Lays the slots of a plan in a region, one after the other: circuits of one direction, each from a
 * NIC to the one of its place at another server. The region is dark before each slot, and a slot
 * lasts until the last server has sent its part of it, and that has come through the switch. Who
 * is done before goes on with what later slots have for the same server, and slots that have
 * nothing left to do are left out.
 */
class CircuitSequence
{
  public:
    /// What has been laid.
    struct Record
    {
        uint64_t slots{0};
        uint64_t circuits{0}; //!< in them, each of one direction
        TimePs dark{0};
    };

    /// \param nic its number \return payload that it has sent up to now
    using SentCallback = std::function<uint64_t(uint32_t nic)>;

    /**
     * \param wiring with the region
     * \param nics by server of the region: those at its optical switch
     * \param rate of a circuit in bit/s
     * \param rules what becomes of what is on its way over a circuit that goes
     * \param sent says how much NICs have sent
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
     * Begins with a plan, in place of what is left of the one before.
     * \param plan of slots that together have all of the demand
     * \param demand what the servers of the region have for each other
     * \param dark when the circuits of before go, not before now
     * \param delay how long the region is dark before each slot
     * \param known when servers know of it, and nothing is sent before
     */
    void Start(CircuitPlan plan,
               const CircuitDemand& demand,
               TimePs dark,
               TimePs delay,
               TimePs known);

    /// \return true while circuits are being laid
    bool IsDark() const;

    const Record& GetRecord() const;

  private:
    /// What a server sends another in a slot.
    struct Part
    {
        uint32_t from;
        uint32_t to;
        uint32_t circuits;
        uint64_t goal;   //!< bytes
        uint64_t before; //!< what its NICs had sent when the slot began
    };

    void Next();
    void GoLive();
    void Look();
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
    std::vector<std::vector<std::size_t>> m_lastSlots; //!< of each pair, likewise
    TimePs m_delay{0};
    TimePs m_known{0};
    uint64_t m_seen{0};        //!< what had been sent of the slot when somebody last looked
    TimePs m_pause{0};         //!< until then, at least
    std::size_t m_slot{0};     //!< the next one
    std::vector<Part> m_parts; //!< of the one before
    bool m_isDark{false};
    EventId m_event;
    Record m_record;
};

} // namespace ns3::rails

#endif // CIRCUIT_SEQUENCE_H
