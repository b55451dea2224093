// SPDX-License-Identifier: GPL-2.0-only
#ifndef HOST_PIPELINE_H
#define HOST_PIPELINE_H

#include "flow-calendar.h"
#include "flow-interior.h"
#include "flow-queues.h"
#include "tandem-rates.h"

#include "ns3/cluster-shape.h"
#include "ns3/frame-format.h"
#include "ns3/rails-message.h"
#include "ns3/rails-units.h"
#include "ns3/rails-wiring.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * Moves messages through queues in tandem: read from a GPU, sent by a NIC, carried by the network,
 * written to a GPU. Links the entries of a message (FlowQueue::Entry::feeder and fed), and has
 * TandemRates check a queue and its successor when either comes to another message.
 */
class HostPipeline
{
  public:
    /**
     * \param wiring the cluster
     * \param frames MTU and headers
     * \param interior of the servers
     * \param queues all queues
     * \param tandemRates limit each queue to its supply
     * \param calendar gets the ends of messages that are written to GPUs
     */
    HostPipeline(const Wiring& wiring,
                 const FrameFormat& frames,
                 const FlowInterior& interior,
                 FlowQueues& queues,
                 TandemRates& tandemRates,
                 FlowCalendar& calendar);

    /// Queues of the stages before a queue pair; FlowQueue::kNone: no such stage.
    struct Ahead
    {
        uint32_t reader{FlowQueue::kNone};
        uint32_t sender{FlowQueue::kNone};
    };

    /**
     * Adds the stages before and behind the last message of a queue pair. Where links inside a
     * server may be bottlenecks, it is read first and written last. A paced message has a Sending
     * stage: bytes that wait in the network have left the NIC, and must not slow down what the NIC
     * sends later.
     * \return the stages before
     */
    Ahead Add(uint32_t pair, Message& message);

    /**
     * A queue in tandem has served a message.
     * \param at when, not after now
     */
    void PassOn(uint32_t queue, TimePs at);

    /// A queue begins the message at its head, or continues it at another rate.
    void BeginHead(uint32_t queue);

    /// Drops the messages of a writer that its NIC has not received whole. The writer must be in no
    /// class if it waits for such a message.
    void GiveUpUnreceived(uint32_t queue);

  private:
    bool IsSentApart(const FlowQueue& pair) const;
    void EndWritten(uint32_t queue, TimePs at);

    const Wiring& m_wiring;
    ClusterShape m_shape;
    FrameFormat m_frames;
    const FlowInterior& m_interior;
    FlowQueues& m_queues;
    TandemRates& m_tandemRates;
    FlowCalendar& m_calendar;
};

} // namespace ns3::rails

#endif // HOST_PIPELINE_H
