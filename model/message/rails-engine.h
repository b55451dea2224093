// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_ENGINE_H
#define RAILS_ENGINE_H

#include "message-service.h"

#include <cstdint>
#include <functional>

namespace ns3::rails
{

/**
 * A simulation of messages over a wiring: packet-level or flow-level. An engine is made from a
 * Wiring and a Router, and follows their changes.
 */
class Engine : public MessageService
{
  public:
    static TypeId GetTypeId();

    /// \return the largest lag of a server's clock behind the simulator's time
    virtual TimePs GetLookahead() const = 0;

    /// Makes every clock run with the simulator's time; simulated results do not change.
    virtual void SetPunctual() = 0;

    /// Brings all servers up to this instant; to be called before they are read.
    virtual void CatchUp() = 0;

    /// Brings all servers up to the end of a run, including the present instant.
    virtual void Finish() = 0;

    /// \return payload bytes that a NIC has sent so far, including messages in flight, and without
    /// retransmissions
    virtual uint64_t GetSentBytes(uint32_t nic) const = 0;

    /// \return time of the last arrival of payload at any server or over NVLink; 0 before the first
    virtual TimePs GetLastArrival() const = 0;

    /// \param callback returns true when two NICs, by number, are permanently cut off
    virtual void SetCutOffCallback(std::function<bool(uint32_t, uint32_t)> callback) = 0;

    /**
     * Fixes the random streams.
     * \param stream first stream to use
     * \return the number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream) = 0;
};

} // namespace ns3::rails

#endif // RAILS_ENGINE_H
