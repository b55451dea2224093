// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_ENGINE_H
#define RAILS_ENGINE_H

#include "message-service.h"

#include <cstdint>
#include <functional>

namespace ns3::rails
{

/**
 * A way to simulate how messages move over a wiring: frames, or flows. An engine is made from a
 * Wiring and a Router, and follows what changes in these two.
 */
class Engine : public MessageService
{
  public:
    static TypeId GetTypeId();

    /// \return by how much the clock of a server may be behind the simulator's time, at most
    virtual TimePs GetLookahead() const = 0;

    /// Makes every clock run with the simulator's time. Nothing that is simulated depends on that.
    virtual void SetPunctual() = 0;

    /// Brings all servers up to this instant, before somebody looks at them.
    virtual void CatchUp() = 0;

    /// Brings all servers up to the end of a run, the present instant included.
    virtual void Finish() = 0;

    /// \return payload that a NIC has sent up to now, also of messages that are under way; what is
    /// sent again counts once
    virtual uint64_t GetSentBytes(uint32_t nic) const = 0;

    /// \return when payload last came in somewhere, from a server or over NVLink; 0 before it does
    virtual TimePs GetLastArrival() const = 0;

    /// \param callback tells whether two NICs, by their numbers, are cut off from each other for
    /// good
    virtual void SetCutOffCallback(std::function<bool(uint32_t, uint32_t)> callback) = 0;

    /**
     * Fixes the random streams.
     * \param stream first stream to use
     * \return how many streams were used
     */
    virtual int64_t AssignStreams(int64_t stream) = 0;
};

} // namespace ns3::rails

#endif // RAILS_ENGINE_H
