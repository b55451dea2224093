// SPDX-License-Identifier: GPL-2.0-only
#ifndef PIECE_SENDER_H
#define PIECE_SENDER_H

#include "plan-maker.h"

#include "ns3/rails-message.h"

#include <cstddef>

namespace ns3::rails
{

/// Posts the planned messages of all servers: all at once (EagerSender), or each when one of its
/// server's NICs has room for it (ChoosingSender).
class PieceSender
{
  public:
    virtual ~PieceSender() = default;

    /// A phase with traffic begins: all plans of earlier phases are done with.
    virtual void StartPhase() = 0;

    /**
     * A plan has been made, and its messages come to Send() later.
     * \param plan the plan of a server
     * \param first id of the message of its first piece; those of the others follow one by one, and
     * ids grow from plan to plan
     */
    virtual void OnPlanned(ServerPlan&& plan, size_t first) = 0;

    /// Posts a planned message to another server, now or when its NIC has room.
    virtual void Send(Message& message) = 0;

    /// \return true when the rails of a planned message are chosen already
    virtual bool HasRails(const Message& message) const = 0;

    /// The last byte of a message to another server has begun to leave its own.
    virtual void OnSent(Message& message) = 0;

    /// A posted message is about to be given up.
    virtual void OnAbandoning(const Message& message) = 0;

    /// The routing has converged: servers know of other failures than before.
    virtual void OnConverged() = 0;

    /// Posts what had no working rail with room before, and has one now.
    virtual void SendWaiting() = 0;
};

} // namespace ns3::rails

#endif // PIECE_SENDER_H
