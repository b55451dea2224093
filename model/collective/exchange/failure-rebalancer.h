// SPDX-License-Identifier: GPL-2.0-only
#ifndef FAILURE_REBALANCER_H
#define FAILURE_REBALANCER_H

#include "exchange-messages.h"
#include "piece-sender.h"
#include "traffic-balancers.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

namespace ns3::rails
{

/// Replans traffic that failed paths leave stranded.
class FailureRebalancer
{
  public:
    /**
     * \param shape the cluster
     * \param balancers make plans, and know the failures known to servers
     * \param messages all messages
     * \param sender posts messages to other servers. All three must outlive this object
     * \param findMembers returns the GPUs of a server that take part in a step
     *     (ServerView::SetGroup())
     */
    FailureRebalancer(ClusterShape shape,
                      const TrafficBalancers& balancers,
                      ExchangeMessages& messages,
                      PieceSender& sender,
                      std::function<std::vector<uint32_t>(uint32_t, uint32_t)> findMembers);

    /**
     * To be called when routing has converged after a failure. A posted, undelivered message on a
     * failed path, as far as its server knows, is abandoned; its bytes are replanned and posted
     * over working paths. Without a working path it stays. If a balancer paces, messages on slower
     * paths are replanned, too. A planned message that is not posted yet moves to the next working
     * rail. Communication between servers about this takes no time.
     */
    void Replan();

    /// Records the current NIC rates as the basis of paces.
    void NoteRates();

  private:
    /// Bytes to be replanned: by kind of traffic (Message::kind), step, server and message traits;
    /// then by source GPU, destination GPU, and rail and queue pair if these are pinned.
    using Stranded = std::map<std::tuple<uint16_t, uint32_t, uint32_t, MessageTraits>,
                              std::map<std::tuple<uint32_t, uint32_t, RailQueue>, uint64_t>>;

    void PassFinished();
    bool IsSlower(const Message& message) const;
    ServerView MakeView(const Message& message) const;
    /// Moves a message to another rail, or abandons it, when its path has failed. \return true when
    /// abandoned
    bool GiveUp(Message& message);
    Stranded GiveUpAll();
    ExchangeCounts CountStep(const Stranded& stranded, uint16_t kind, uint32_t step) const;
    /// Posts a new plan for a step.
    void Post(const MessageTraits& traits, uint32_t step, ServerPlan plan);

    ClusterShape m_shape;
    const TrafficBalancers& m_balancers;
    ExchangeMessages& m_messages;
    PieceSender& m_sender;
    std::function<std::vector<uint32_t>(uint32_t, uint32_t)> m_findMembers;
    size_t m_firstOpen{0};           //!< all earlier messages are acknowledged or abandoned
    std::vector<uint64_t> m_rates{}; //!< known NIC rates when routing last converged
};

} // namespace ns3::rails

#endif // FAILURE_REBALANCER_H
