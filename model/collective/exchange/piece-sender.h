// SPDX-License-Identifier: GPL-2.0-only
#ifndef PIECE_SENDER_H
#define PIECE_SENDER_H

#include "plan-maker.h"

#include "ns3/rails-message.h"

#include <cstddef>

namespace ns3::rails
{

/// Posts the planned messages of all servers: immediately (EagerSender), or when a NIC of the
/// server has room (ChoosingSender).
class PieceSender
{
  public:
    virtual ~PieceSender() = default;

    /// Starts a phase with traffic; all plans of earlier phases are finished.
    virtual void StartPhase() = 0;

    /**
     * Announces a plan whose messages will be passed to Send().
     * \param plan the plan of a server
     * \param first message id of its first chunk; the others have consecutive ids. Ids grow from
     *     plan to plan
     */
    virtual void OnPlanned(ServerPlan&& plan, size_t first) = 0;

    /// Posts a planned message to another server, now or when a NIC has room.
    virtual void Send(Message& message) = 0;

    /// \return true when the rails of a planned message are chosen already
    virtual bool HasRails(const Message& message) const = 0;

    /// Called when the last byte of a message to another server starts to leave its server.
    virtual void OnSent(Message& message) = 0;

    /// Called before a posted message is abandoned.
    virtual void OnAbandoning(const Message& message) = 0;

    /// Called when routing has converged and servers know of new failures.
    virtual void OnConverged() = 0;

    /// Posts waiting messages that now have a working rail with room.
    virtual void SendWaiting() = 0;
};

} // namespace ns3::rails

#endif // PIECE_SENDER_H
