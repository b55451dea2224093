// SPDX-License-Identifier: GPL-2.0-only
#ifndef FAILURE_KNOWLEDGE_H
#define FAILURE_KNOWLEDGE_H

#include "ns3/planner.h"
#include "ns3/rails-message.h"
#include "ns3/rails-router.h"

#include <memory>

namespace ns3::rails
{

/// What servers know of failures: what the routing has told them, and the state of their own NICs.
class FailureKnowledge
{
  public:
    /**
     * \param shape the cluster
     * \param crossesRails true when messages may leave by one rail and arrive by another; otherwise
     * such ways count as not working
     */
    FailureKnowledge(ClusterShape shape, bool crossesRails);

    /// \param router where servers learn of failures; without a router they know of none
    void SetRouter(std::shared_ptr<const Router> router);

    /// Writes into the view of a server (ServerView::reach) which of the ways to the servers that
    /// it has something for do not work.
    void ShowTo(ServerView& view) const;

    /// \return true when its sender knows that the way between a message's two NICs is cut
    bool IsCut(const Message& message) const;

  private:
    ClusterShape m_shape;
    bool m_crossesRails;
    std::shared_ptr<const Router> m_router;
};

} // namespace ns3::rails

#endif // FAILURE_KNOWLEDGE_H
