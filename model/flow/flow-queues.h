// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_QUEUES_H
#define FLOW_QUEUES_H

#include "flow-interior.h"
#include "flow-queue.h"
#include "flow-settings.h"

#include "ns3/cluster-shape.h"
#include "ns3/rails-message.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace ns3::rails
{

/// All queues of a cluster, numbered in the order of their first messages. Maps messages to queues.
class FlowQueues
{
  public:
    /**
     * \param shape the cluster
     * \param settings which messages share a queue pair
     * \param interior of the servers
     */
    FlowQueues(const ClusterShape& shape,
               const FlowSettings& settings,
               const FlowInterior& interior);

    FlowQueue& operator[](uint32_t number)
    {
        return m_queues[number];
    }

    const FlowQueue& operator[](uint32_t number) const
    {
        return m_queues[number];
    }

    const std::deque<FlowQueue>& GetAll() const
    {
        return m_queues;
    }

    /// \return number of the queue pair of a message, or of its queue inside a server; makes the
    /// queue if need be
    uint32_t Find(const Message& message);

    /// \return as Find(), or FlowQueue::kNone when there is no such queue
    uint32_t FindKnown(const Message& message) const;

    /// The next message with the key of this one gets a new queue pair.
    void Forget(const Message& message);

    /// Adds a message at the end of a queue. \param bytes its size in the queue's unit
    void Add(uint32_t queue, Message& message, uint64_t bytes);

    /**
     * \param pair the message's queue pair
     * \return the queue of a message's Reading stage: one for each queue pair where the NIC reads
     * itself; one for each source GPU and destination server where the NIC's own GPU hands it data
     * from NVLink
     */
    uint32_t FindReader(uint32_t pair, const Message& message);

    /// \return the queue of a queue pair's Sending stage
    uint32_t FindSender(uint32_t pair);

    /// \return the queue of the Writing stage of a queue pair's message
    uint32_t FindWriter(uint32_t pair, const Message& message);

  private:
    /// Messages of equal keys share a queue.
    struct Key
    {
        uint64_t ends; // of NICs, or of GPUs inside a server
        uint64_t kind; // 0 inside a server; else 1 and the GPUs, subflow or message; or a stage;
                       // and the channel
        uint32_t crossing{0}; // of messages between NICs
        bool operator==(const Key& other) const;
    };

    struct KeyHash
    {
        std::size_t operator()(const Key& key) const;
    };

    Key MakeKey(const Message& message) const;
    uint64_t MakeTurn(const Key& key, const FlowRoute& route) const;
    uint32_t Find(const Key& key, const FlowRoute& route);

    ClusterShape m_shape;
    FlowSettings m_settings;
    const FlowInterior& m_interior;
    std::deque<FlowQueue> m_queues;
    std::unordered_map<Key, uint32_t, KeyHash> m_numbers;
    std::vector<uint32_t> m_pairs; // queue pairs made so far, by NIC
};

} // namespace ns3::rails

#endif // FLOW_QUEUES_H
