// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_STAGES_H
#define FLOW_STAGES_H

#include "flow-calendar.h"
#include "flow-feeds.h"
#include "flow-interior.h"
#include "flow-queues.h"

#include "ns3/cluster-shape.h"
#include "ns3/frame-format.h"
#include "ns3/rails-message.h"
#include "ns3/rails-units.h"
#include "ns3/rails-wiring.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * A message's way through queues in tandem: read from a GPU, sent by a NIC, moved on, written to a
 * GPU. Owns, of a
 * queue, how far it got on that way (FlowQueue::received and ended, the feeders of its entries and
 * whom they feed), and sees to it that what comes next of a queue, or of the one that it feeds, is
 * looked at: FlowFeeds has how fast it may be.
 */
class FlowStages
{
  public:
    /**
     * \param wiring the cluster
     * \param frames how bytes become frames
     * \param interior of the servers
     * \param queues all queues
     * \param feeds what one brings to the other
     * \param calendar gets the ends of what is written
     */
    FlowStages(const Wiring& wiring,
               const FrameFormat& frames,
               const FlowInterior& interior,
               FlowQueues& queues,
               FlowFeeds& feeds,
               FlowCalendar& calendar);

    /// Queues that are to be served before a queue pair is; FlowQueue::kNone: there is none.
    struct Ahead
    {
        uint32_t reader{FlowQueue::kNone};
        uint32_t sender{FlowQueue::kNone};
    };

    /**
     * Adds the stages before and behind a message that was added to a queue pair last: where the
     * inside of a server may hold it back it is read first, and written last; one with a pace is
     * sent before it is moved on, as what the network holds back of it has left its NIC, and takes
     * nothing from what the NIC sends later.
     * \return those before
     */
    Ahead Add(uint32_t pair, Message& message);

    /**
     * A queue in tandem has served a message.
     * \param at when, not after now
     */
    void PassOn(uint32_t queue, TimePs at);

    /// A queue begins with the message at its head, or goes on with it at another rate.
    void BeginHead(uint32_t queue);

    /// What the NIC has not received whole does not come any more to a queue that writes, which is
    /// in no class if it waits for that.
    void GiveUpUnreceived(uint32_t queue);

  private:
    bool IsSentApart(const FlowQueue& pair) const;
    void EndWritten(uint32_t queue, TimePs at);

    const Wiring& m_wiring;
    ClusterShape m_shape;
    FrameFormat m_frames;
    const FlowInterior& m_interior;
    FlowQueues& m_queues;
    FlowFeeds& m_feeds;
    FlowCalendar& m_calendar;
};

} // namespace ns3::rails

#endif // FLOW_STAGES_H
