// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_QUEUE_H
#define FLOW_QUEUE_H

#include "flow-network.h"

#include "ns3/rails-message.h"
#include "ns3/rails-units.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Size of messages on the wire.
struct FlowVolume
{
    uint64_t payload{0};
    uint64_t frames{0};
    uint64_t wire{0};
};

/**
 * A queue pair, or the messages from one end of a server to another, served one after the other.
 * Bytes are bytes on the wire (inside a server: payload), counted from the first message on. A run
 * is a batch of successive messages of one kind (MessageBatchRules); while a run is served, the
 * queue is a flow of a class.
 *
 * A message may be in several queues in tandem (TandemRates). Where links inside servers may be
 * bottlenecks, it is read from a GPU first and written to a GPU last. Where it is paced, its NIC
 * sends it in a stage before the rest of its path.
 */
struct FlowQueue
{
    static constexpr uint32_t kNone = 0xffffffff;

    /// A message of the queue.
    struct Entry
    {
        Message* message;
        uint64_t end; //!< one past its last byte

        uint32_t feeder{kNone};     //!< the queue before this one in tandem
        uint32_t fed{kNone};        //!< the queue after this one in tandem
        uint64_t feederEnd{0};      //!< one past its last byte in the feeder
        uint64_t feederBytes{0};    //!< its size in the feeder's bytes
        TimePs behind{0};           //!< of a writer: from the service of its last byte to its end
        bool isPaced{false};        //!< its pace limits this queue
        bool isDelivered{false};    //!< the receiver has been told
        bool isAcknowledged{false}; //!< the sender has been told
    };

    FlowRoute route; //!< of the run that is served
    /// Order of queues within one instant: by rails, or by GPUs in their servers, so that events of
    /// equal servers come in the same order.
    uint64_t turn{0};
    std::vector<Entry> entries{}; //!< cleared when all are told and another message comes
    uint32_t drained{0};          //!< entries whose last byte has been served
    uint32_t delivered{0};        //!< first entry whose receiver has not been told
    uint32_t acknowledged{0};     //!< first entry whose sender has not been told
    uint32_t received{0};         //!< of a writer: entries whose last byte the NIC has
    uint32_t ended{0};            //!< of a writer: entries whose end is known
    uint32_t runEnd{0};           //!< one past the last entry of the run
    uint64_t begin{0};            //!< the first byte of the first entry
    uint64_t posted{0};           //!< bytes of all messages so far
    uint64_t unsentPayload{0};    //!< payload bytes of the messages not drained yet

    uint32_t flowClass{kNone};   //!< while a run is served
    uint32_t nextInClass{kNone}; //!< the next queue of its class
    uint32_t previousInClass{kNone};
    uint32_t sender{kNone};        //!< of a pair: the queue of its Sending stage, if there is one
    uint32_t placeAtNic{kNone};    //!< index among the NIC's busy queue pairs
    double offset{0};              //!< bytes served by the class, less bytes served by the queue
    double joinedAt{0};            //!< bytes served by the queue when its run began
    double acks{0};                //!< bytes of ACKs for the drained messages of the run
    FlowVolume volume{};           //!< of a pair: messages of the run that are not drained
    TimePs pacedUntil{0};          //!< when the messages before its head end by their paces
    TimePs headSince{0};           //!< when service of the message at its head began
    TimePs lastArrival{0};         //!< when the last byte of the last drained message is at the NIC
    TimePs lastAcknowledgement{0}; //!< latest acknowledgement of a drained message
    bool isArmed{false};           //!< its next run is about to begin
    bool isHeadBegun{false};       //!< an earlier run served a part of the message at its head
    bool isHeadSent{false};        //!< the stop at which the message at its head is sent has passed

    uint64_t bytes{0};         //!< payload bytes of all drained messages
    uint32_t backlogs{0};      //!< how often it became busy
    TimePs firstStart{kNever}; //!< post time of its first message
    TimePs lastEnd{0};         //!< latest delivery of a drained message

    /// \return true when there is a message to serve
    bool HasWork() const
    {
        return drained < entries.size();
    }

    /// \return the first byte of the message at its head; the queue must not be empty
    double GetHeadBegin() const
    {
        return static_cast<double>(drained > 0 ? entries[drained - 1].end : begin);
    }

    /// \return bytes of an entry
    uint64_t GetSize(std::size_t entry) const
    {
        return entries[entry].end - (entry > 0 ? entries[entry - 1].end : begin);
    }

    /// \return true when the queue before this one, or a pace, limits a message
    bool IsHeld(const Entry& entry) const
    {
        return entry.feeder != kNone || entry.isPaced;
    }

    /// \return true when a message has a Sending stage before this queue
    bool IsBehindNic(const Entry& entry) const
    {
        return sender != kNone && entry.feeder == sender;
    }

    /// \return the time from which the pace of the message at its head counts
    TimePs GetPaceBegin() const
    {
        return std::max(pacedUntil, entries[drained].message->start);
    }

    /// \return true when the message at its head is limited by a supply, or supplies another queue
    bool IsInTandem() const
    {
        return HasWork() && (IsHeld(entries[drained]) || entries[drained].fed != kNone);
    }

    /// \return one past the last byte of its run
    uint64_t GetRunEnd() const
    {
        return entries[runEnd - 1].end;
    }
};

} // namespace ns3::rails

#endif // FLOW_QUEUE_H
