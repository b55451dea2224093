// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_EXPLANATION_H
#define RAILS_EXPLANATION_H

#include "ns3/rails-units.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

/// What a port did, or waited for.
enum class PortState : uint8_t
{
    Busy,        //!< sends
    Paused,      //!< has data, and the far end holds it back
    Rate,        //!< of a NIC: rates or windows of its queue pairs hold data back
    NotThereYet, //!< of a NIC: what is posted is not there yet; of a switch: no data has come yet
    Down,        //!< its cable is down
    Idle,        //!< has nothing to send
    Count
};

constexpr std::size_t kPortStates = static_cast<std::size_t>(PortState::Count);

/// What results call the states of a port, in their order.
constexpr std::array<const char*, kPortStates> kPortStateNames{"busy",
                                                               "paused",
                                                               "rate_or_window",
                                                               "not_there_yet",
                                                               "down",
                                                               "idle"};

/// How long a port was in each state, where all of them are recorded.
using PortStateTimes = std::array<TimePs, kPortStates>;

/**
 * Why a run took longer than its lower bound, as a chain of times of which none is below the one
 * before it; each is a sum over the phases with traffic, and the waits between them count in all:
 *
 * - T0: the lower bound;
 * - T1: also the wire time of the messages delivered, as they were cut, over each NIC and NVLink
 *   port and direction (what the plan costs);
 * - T2: also the wire time on each cable and direction of data frames sent for the first time (what
 *   their routes cost);
 * - T3: also of everything that got through it: ACKs, retransmissions (repeats);
 * - T4: also the time in which that cable was down or lost to a lower rate, before the last frame
 *   that it carried (outages);
 * - T5: from the first post to the last delivery (waiting).
 *
 * Of a graph the chain is that of the transfers on its critical path, one after the other, each
 * held against what its own step has put on the ports that it took; what else there is on the path
 * counts in all six.
 *
 * Who waited is told by two ports of the phase in which T5 - T4 is largest: the NIC that sent data
 * last, and the port of a switch that did, each with the states that it was in.
 */
struct Explanation
{
    /// How long a port was in each state in the phase that waited longest.
    struct Shares
    {
        Shares() = default;
        Shares(std::string port, const PortStateTimes& recorded);

        std::string name; //!< "server3-nic2", "rail0-leaf0 to rail0-spine1"
        /// By state; nothing for a state that the engine does not know.
        std::array<std::optional<TimePs>, kPortStates> times{};
    };

    static constexpr std::size_t kTimes = 6;
    /// Names of the factors, each of a time over the one before it.
    static constexpr std::array<const char*, kTimes - 1> kFactors{"plan",
                                                                  "routes",
                                                                  "repeats",
                                                                  "outages",
                                                                  "waiting"};

    /// Factors below are not worth a word.
    static constexpr double kNotable = 1.02;

    /// \return a factor in a sentence
    static std::string FormatFactor(double factor);

    /// T0 to T5, as far as they are known.
    using Times = std::array<std::optional<TimePs>, kTimes>;

    /// Of a graph: what transfers of one kind take on its critical path, in the same chain.
    struct Kind
    {
        std::string name;
        uint64_t transfers{0}; //!< messages on the path
        Times times;
    };

    Times times;                            //!< T0 to T5; T2 to T4 only if recorded
    std::optional<Shares> nic;              //!< if recorded, and a NIC sent data
    std::optional<Shares> cable;            //!< if recorded, and a switch sent data
    std::string sentence;                   //!< the largest cause; empty if not recorded
    std::optional<std::vector<Kind>> kinds; //!< of a graph: those on its critical path

    /// \return a time over the one before it; nothing when one of them is not known
    std::optional<double> GetFactor(std::size_t factor) const;

    /// \return the same of other times. Where one of the times alone is not known, as that of
    /// repeats is not with flows, the factor behind it goes by the time before it.
    static std::optional<double> GetFactor(const Times& times, std::size_t factor);
};

} // namespace ns3::rails

#endif // RAILS_EXPLANATION_H
