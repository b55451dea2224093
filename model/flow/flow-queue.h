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

/// What messages are on the wire.
struct FlowVolume
{
    uint64_t payload{0};
    uint64_t frames{0};
    uint64_t wire{0};
};

/**
 * A queue pair, or what goes from one end of a server to another: messages that are served one
 * after the other. Its bytes are those on the wire (inside a server payload), counted from its
 * first message on. Successive messages that flow alike make a run; while a run is served, the
 * queue is a flow of a class. A message may be in several queues in tandem: where links inside
 * servers may hold NICs back it is read from a GPU first, and written to a GPU last; where it has a
 * pace its NIC sends it before the queue pair moves it on (see FlowFeeds).
 */
struct FlowQueue
{
    static constexpr uint32_t kNone = 0xffffffff;

    /// A message of the queue.
    struct Entry
    {
        Message* message;
        uint64_t end; //!< the byte behind its last one

        uint32_t feeder{kNone};     //!< the queue that brings its bytes
        uint32_t fed{kNone};        //!< the queue that gets them from here
        uint64_t feederEnd{0};      //!< the byte of the feeder behind its last one
        uint64_t feederBytes{0};    //!< how many of the feeder's bytes it is
        TimePs behind{0};           //!< when written: from its last byte's being served to its end
        bool isPaced{false};        //!< it keeps to its pace here
        bool isDelivered{false};    //!< its delivery has been told
        bool isAcknowledged{false}; //!< its acknowledgement has been told
    };

    FlowRoute route; //!< of the run that is served
    /// Of what happens in one instant: by rails, or GPUs in their servers, so that what equal
    /// servers do comes in the same order.
    uint64_t turn{0};
    std::vector<Entry> entries{}; //!< those of which not everything is told yet
    uint32_t drained{0};          //!< of these, those whose last byte has been served
    uint32_t delivered{0};        //!< the first of those whose delivery has not been told
    uint32_t acknowledged{0};     //!< the first of those whose acknowledgement has not been told
    uint32_t received{0};         //!< when written: those whose last byte the NIC has
    uint32_t ended{0};            //!< when written: those of which the end is known
    uint32_t runEnd{0};           //!< one past the last of the run
    uint64_t begin{0};            //!< the first byte of the first entry
    uint64_t posted{0};           //!< bytes of all messages so far
    uint64_t unsentPayload{0};    //!< of the messages not drained yet

    uint32_t flowClass{kNone};   //!< while a run is served
    uint32_t nextInClass{kNone}; //!< the queue behind it in its class
    uint32_t previousInClass{kNone};
    uint32_t sender{kNone};        //!< of a pair: the queue by which its NIC sends, if there is one
    uint32_t placeAtNic{kNone};    //!< among the NIC's busy queues
    double offset{0};              //!< what the class had served at the queue's byte 0
    double joinedAt{0};            //!< the byte that it had come to when the run began
    double acks{0};                //!< bytes of ACKs for what was drained of the run
    FlowVolume volume{};           //!< of a pair: what is not drained of the run
    TimePs pacedUntil{0};          //!< when the messages before its head end by their paces
    TimePs headSince{0};           //!< from when the message at its head has been served
    TimePs lastArrival{0};         //!< when the last byte of the last drained one is at the NIC
    TimePs lastAcknowledgement{0}; //!< of the drained ones, the latest
    bool isArmed{false};           //!< its next run is about to begin
    bool isHeadBegun{false};       //!< the message at its head was served in part in a run before
    bool isHeadSent{false};        //!< that the message at its head is sent has been told

    uint64_t bytes{0};         //!< payload of all that was drained
    uint32_t backlogs{0};      //!< how often it got something to serve when it had nothing
    TimePs firstStart{kNever}; //!< of its first message
    TimePs lastEnd{0};         //!< of all that was drained, the latest delivery

    /// \return true when there is something to serve
    bool HasWork() const
    {
        return drained < entries.size();
    }

    /// \return the first byte of the message at its head, of which there must be one
    double GetHeadBegin() const
    {
        return static_cast<double>(drained > 0 ? entries[drained - 1].end : begin);
    }

    /// \return bytes of a message
    uint64_t GetSize(std::size_t entry) const
    {
        return entries[entry].end - (entry > 0 ? entries[entry - 1].end : begin);
    }

    /// \return true when a message gets no more than somebody brings, or than its pace
    bool IsHeld(const Entry& entry) const
    {
        return entry.feeder != kNone || entry.isPaced;
    }

    /// \return true when the NIC sends a message before it is moved on from here
    bool IsBehindNic(const Entry& entry) const
    {
        return sender != kNone && entry.feeder == sender;
    }

    /// \return from when the pace of the message at its head counts
    TimePs GetPaceBegin() const
    {
        return std::max(pacedUntil, entries[drained].message->start);
    }

    /// \return true when what it serves now is held, or brings something to another queue
    bool IsInTandem() const
    {
        return HasWork() && (IsHeld(entries[drained]) || entries[drained].fed != kNone);
    }

    /// \return the byte at which its run ends
    uint64_t GetRunEnd() const
    {
        return entries[runEnd - 1].end;
    }
};

} // namespace ns3::rails

#endif // FLOW_QUEUE_H
