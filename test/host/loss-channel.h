// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSS_CHANNEL_H
#define LOSS_CHANNEL_H

#include "ns3/nstime.h"
#include "ns3/receiver-recovery.h"
#include "ns3/sender-recovery.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <vector>

namespace ns3::rails::test
{

/// \return the time of so many ticks of the channel
inline TimePs
Ticks(uint64_t ticks)
{
    return NanoSeconds(ticks).GetTimeStep();
}

/// A queue pair over a channel that loses and delays: one frame a tick, replies likewise.
struct LossChannel
{
    /// Asked for each transmission of a data frame: its PSN and how often it was sent before.
    std::function<bool(uint64_t psn, uint32_t transmission)> losesData = [](uint64_t, uint32_t) {
        return false;
    };
    /// Asked for each reply, by its running number.
    std::function<bool(uint64_t number)> losesReply = [](uint64_t) { return false; };
    /// Ticks that a frame takes beyond the fixed delay; different ones reorder.
    std::function<uint32_t()> jitter = [] { return 0; };
    uint32_t delay{20}; //!< ticks, each way

    // Outcome.
    uint64_t sent{0};                //!< data frames
    uint64_t timeouts{0};            //!< calls of OnTimeout
    std::vector<uint32_t> delivered; //!< per PSN, how often it was delivered
    uint64_t largestAdvance{0};      //!< largest distance of a sent PSN from the unacknowledged one

    /**
     * Moves frames 0 to frames - 1.
     * \return true when all were acknowledged within the ticks
     */
    bool Run(SenderRecovery& sender, ReceiverRecovery& receiver, uint64_t frames, uint64_t ticks)
    {
        struct Packet
        {
            bool data;
            uint64_t psn;
            ReceiverRecovery::Verdict verdict;
        };

        std::multimap<uint64_t, Packet> inFlight;
        std::vector<uint32_t> transmissions(frames, 0);
        delivered.assign(frames, 0);
        uint64_t replies = 0;
        uint64_t progressAt = 0;
        for (uint64_t now = 0; now < ticks; ++now)
        {
            const TimePs time = Ticks(now);
            while (!inFlight.empty() && inFlight.begin()->first <= now)
            {
                const Packet packet = inFlight.begin()->second;
                inFlight.erase(inFlight.begin());
                if (packet.data)
                {
                    const ReceiverRecovery::Verdict verdict =
                        receiver.OnData(time, {packet.psn, 1, 1});
                    delivered[packet.psn] += verdict.bytes;
                    if (verdict.reply != ReceiverRecovery::Reply::None && !losesReply(replies++))
                    {
                        inFlight.emplace(now + delay + jitter(),
                                         Packet{false, packet.psn, verdict});
                    }
                }
                else
                {
                    const uint64_t cumulative = packet.verdict.cumulative;
                    const bool progress = packet.verdict.reply == ReceiverRecovery::Reply::Nak
                                              ? sender.OnNak(cumulative, packet.psn)
                                              : sender.OnAck(cumulative, packet.psn);
                    progressAt = progress ? now : progressAt;
                }
            }
            if (sender.GetUnacknowledged() == frames)
            {
                return true;
            }
            if (Ticks(now - progressAt) >= sender.GetTimeout())
            {
                sender.OnTimeout();
                ++timeouts;
                progressAt = now;
            }
            const uint64_t psn = sender.GetNext(frames);
            if (psn < frames)
            {
                sender.OnSent(psn, transmissions[psn] > 0);
                ++sent;
                largestAdvance = std::max(largestAdvance, psn - sender.GetUnacknowledged());
                if (!losesData(psn, transmissions[psn]++))
                {
                    inFlight.emplace(now + delay + jitter(), Packet{true, psn, {}});
                }
            }
        }
        return false;
    }

    /// \return true when each PSN was delivered exactly once
    bool DeliveredEachOnce() const
    {
        for (const uint32_t times : delivered)
        {
            if (times != 1)
            {
                return false;
            }
        }
        return true;
    }
};

/// \return whether this transmission is lost: the same answer for every sender that asks
inline bool
IsLostByPattern(uint64_t seed, uint64_t psn, uint32_t transmission, double probability)
{
    std::seed_seq mix{seed, psn, uint64_t{transmission}};
    uint32_t word = 0;
    mix.generate(&word, &word + 1);
    return word < probability * 0x1p32;
}

} // namespace ns3::rails::test

#endif // LOSS_CHANNEL_H
