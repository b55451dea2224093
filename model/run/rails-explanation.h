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

/// State of a port.
enum class PortState : uint8_t
{
    Busy,        //!< sends
    Paused,      //!< has data, and is paused by the far end (PFC)
    Rate,        //!< of a NIC: rates or windows limit its queue pairs
    NotThereYet, //!< of a NIC: posted data has not reached it; of a switch: no data has come yet
    Down,        //!< its link is down
    Idle,        //!< has nothing to send
    Count
};

constexpr std::size_t kPortStates = static_cast<std::size_t>(PortState::Count);

/// Names of the states in results, in the order of PortState.
constexpr std::array<const char*, kPortStates> kPortStateNames{"busy",
                                                               "paused",
                                                               "rate_or_window",
                                                               "not_there_yet",
                                                               "down",
                                                               "idle"};

/// Time of a port in each state, where all states are recorded.
using PortStateTimes = std::array<TimePs, kPortStates>;

/**
 * Why a run took longer than its lower bound, as a chain of non-decreasing times. Each is a sum
 * over the phases with traffic; the time between phases counts in all six:
 *
 * - T0: the lower bound;
 * - T1: also the wire time of the delivered messages, as they were cut, over each NIC and NVLink
 *   port and direction (the cost of the plan);
 * - T2: also the wire time on each link and direction of data frames, without retransmissions (the
 *   cost of their routes);
 * - T3: also of all traffic that got through: ACKs, retransmissions (repeats);
 * - T4: also the time in which that link was down or lost to a lower rate, before the last frame
 *   that it carried (outages);
 * - T5: from the first post to the last delivery (waiting).
 *
 * For a graph the chain is that of the transfers on its critical path, one after the other. Each is
 * compared with the loads of its own step on its ports; other time on the path counts in all six.
 *
 * Two ports of the phase with the largest T5 - T4 show the cause of waiting: the NIC and the switch
 * port that sent data last, with the times of their states.
 */
struct Explanation
{
    /// Time of a port in each state, in the phase that waited longest.
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

    /// Least factor that a sentence mentions.
    static constexpr double kNotable = 1.02;

    /// \return a factor formatted for a sentence
    static std::string FormatFactor(double factor);

    /// T0 to T5, as far as they are known.
    using Times = std::array<std::optional<TimePs>, kTimes>;

    /// For a graph: the chain of the transfers of one kind on its critical path.
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
    std::optional<std::vector<Kind>> kinds; //!< for a graph: the kinds on its critical path

    /// \return the ratio of a time to the time before it; nothing when one of them is unknown
    std::optional<double> GetFactor(std::size_t factor) const;

    /// \return a factor of other times. Behind a single unknown time (T3 in flow-level simulation),
    /// the factor uses the time before the unknown one.
    static std::optional<double> GetFactor(const Times& times, std::size_t factor);
};

} // namespace ns3::rails

#endif // RAILS_EXPLANATION_H
