// SPDX-License-Identifier: GPL-2.0-only
#ifndef SERVER_KNOWLEDGE_H
#define SERVER_KNOWLEDGE_H

#include "ns3/planner.h"
#include "ns3/rails-message.h"
#include "ns3/rails-router.h"
#include "ns3/server-layout.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// What servers know besides their own traffic: their NICs, and of failures what the routing has
/// told them and the state of their own NICs.
class ServerKnowledge
{
  public:
    /**
     * \param shape the cluster
     * \param crossesRails true when messages may leave by one rail and arrive by another; otherwise
     * such ways count as not working
     * \param takesDetours true when messages may be passed on by a server that a circuit leads to,
     * where no other way works
     */
    ServerKnowledge(ClusterShape shape, bool crossesRails, bool takesDetours = false);

    /// \param router where servers learn of failures, and what their NICs are; without a router
    /// they know of no failure, and GPUs and NICs are dealt to each other in order
    void SetRouter(std::shared_ptr<const Router> router);

    /// \param frames how bytes become frames
    void SetFrames(const FrameFormat& frames);

    const FrameFormat& GetFrames() const;

    /// \return the rate of a NIC as the routing has told it, bit/s; 0 when it is cut, or without a
    /// router
    uint64_t GetKnownRate(uint32_t nic) const;

    /// Writes into the view of a server what its NICs are (ServerView::layout), what frames and
    /// rates are (ServerView::frames, ServerView::getNicRate), which of the ways to the servers
    /// that it has something for do not work (ServerView::reach), and which circuits it has
    /// (ServerView::circuits).
    void ShowTo(ServerView& view) const;

    /// \return true when a server knows of a way to every server that it has something for; the
    /// view is left as it is
    bool LeadsToAll(const ServerView& view) const;

    /// \return true when its sender knows that the way between a message's two NICs is cut
    bool IsCut(const Message& message) const;

  private:
    using Ways = std::vector<bool>; //!< see ServerView::reach

    void ShowCircuitsTo(ServerView& view) const;
    uint64_t GetNicRate(uint32_t self, uint32_t server, uint32_t rail) const;
    Ways FindWays(uint32_t from, uint32_t to) const;
    Ways FindDetours(uint32_t from, uint32_t to) const;

    ClusterShape m_shape;
    bool m_crossesRails;
    bool m_takesDetours;
    FrameFormat m_frames;
    std::shared_ptr<const Router> m_router;
    std::shared_ptr<const ServerLayout> m_layout;
};

} // namespace ns3::rails

#endif // SERVER_KNOWLEDGE_H
