// SPDX-License-Identifier: GPL-2.0-only
#ifndef REACHABILITY_VIEW_H
#define REACHABILITY_VIEW_H

#include "ns3/balancer.h"
#include "ns3/rails-message.h"
#include "ns3/rails-router.h"
#include "ns3/server-layout.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// Knowledge of servers besides their own traffic: NICs, circuits and failures. Of their own NICs
/// servers know the current state, of all others what routing has announced.
class ReachabilityView
{
  public:
    /**
     * \param shape the cluster
     * \param crossesRails whether messages may leave on one rail and arrive on another; otherwise
     *     such paths count as failed
     * \param takesDetours whether a server with a circuit may forward messages, where no other path
     *     works
     */
    ReachabilityView(ClusterShape shape, bool crossesRails, bool takesDetours = false);

    /// \param router source of failures and NICs. Without a router no failures are known, and GPUs
    ///     and NICs are assigned to each other in order.
    void SetRouter(std::shared_ptr<const Router> router);

    /// \param frames sizes of frames and headers
    void SetFrames(const FrameFormat& frames);

    const FrameFormat& GetFrames() const
    {
        return m_frames;
    }

    /// \return announced rate of a NIC in bit/s; 0 when it has failed, or without a router
    uint64_t GetKnownRate(uint32_t nic) const;

    /// Fills in the view of a server: NICs (ServerView::layout), frames and rates
    /// (ServerView::frames, ServerView::getNicRate), working paths to the destinations of its
    /// demands (ServerView::reach), and circuits (ServerView::circuits).
    void ShowTo(ServerView& view) const;

    /// \return true when a server knows a path to every destination of its demands
    bool LeadsToAll(const ServerView& view) const;

    /// \return true when the sender knows that the path between the message's two NICs has failed
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

#endif // REACHABILITY_VIEW_H
