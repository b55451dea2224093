// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCUIT_LOG_H
#define CIRCUIT_LOG_H

#include "circuit-sequence.h"

#include "ns3/rails-units.h"
#include "ns3/rails-wiring.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// Circuits between two servers with the same start and end.
struct CircuitSpan
{
    TimePs start{0};
    TimePs end{0};
    uint32_t from{0};     //!< server; with full-duplex circuits the lower number
    uint32_t to{0};       //!< server
    uint32_t circuits{0}; //!< full-duplex circuits; time-slotted: one-way circuits
    uint64_t bytes{0};    //!< payload carried
    TimePs dark{0};       //!< dark time of the reconfiguration before
};

/// Records the circuits of a wiring, with their times and payload.
class CircuitLog : public WiringListener
{
  public:
    /**
     * \param wiring with optical switches, before it has circuits
     * \param sent payload sent by a NIC so far
     */
    CircuitLog(std::shared_ptr<Wiring> wiring, CircuitSequence::SentCallback sent);
    ~CircuitLog() override;

    CircuitLog(const CircuitLog&) = delete;
    CircuitLog& operator=(const CircuitLog&) = delete;

    void BeforeChange() override;
    void OnCableUp(uint32_t cable, const CutRules& rules) override;
    void OnCableRate(uint32_t cable) override;
    void OnCircuit(uint32_t nic, const CutRules& rules) override;

    /// \return all spans up to now, by start, end and servers
    std::vector<CircuitSpan> Collect() const;

  private:
    /// The circuit from a NIC to another.
    struct Light
    {
        uint32_t nic{0};
        uint32_t to{0};
        TimePs start{0};
        TimePs end{0};
        uint64_t before{0}; //!< bytes that the NIC had sent at the start
        uint64_t bytes{0};
        TimePs dark{0};
    };

    /// Times of the last changes of the circuits of a switch.
    struct Moves
    {
        TimePs ended{-1};
        TimePs lit{-1};
        TimePs dark{0}; //!< dark time before the last start
    };

    Light End(const Light& light) const;

    std::shared_ptr<Wiring> m_wiring;
    CircuitSequence::SentCallback m_sent;
    std::vector<Light> m_now;          //!< by NIC; without a circuit, `to` is the NIC itself
    std::vector<Light> m_ended;        //!< in the order of their ends
    std::map<uint32_t, Moves> m_moves; //!< by optical switch
};

} // namespace ns3::rails

#endif // CIRCUIT_LOG_H
