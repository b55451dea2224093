// SPDX-License-Identifier: GPL-2.0-only
#ifndef ENGINE_RECORD_H
#define ENGINE_RECORD_H

#include "ns3/rails-units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

/// What only an engine that moves frames knows of a port.
struct PortFrames
{
    uint64_t queueMaxBytes{0};
    uint64_t pauses{0};     //!< pauses that it obeyed
    TimePs pausedPs{0};     //!< time during which it was paused
    uint64_t marks{0};      //!< frames that it marked
    uint64_t drops{0};      //!< frames dropped for want of buffer
    uint64_t linkLosses{0}; //!< frames lost on its link
    uint64_t dataFrames{0}; //!< data frames sent
    /// Mean length of its queue in bytes while NICs had something new to send, if recorded.
    std::optional<double> queueMeanBytes;
};

/// What links.csv and the fingerprint need of a port; all counters are of what it sent.
struct PortRecord
{
    uint32_t node{0};
    uint32_t port{0};
    uint32_t peer{0};      //!< node at the far end
    uint32_t peerPort{0};  //!< port there
    std::string portClass; //!< nic_tx, leaf_down, leaf_up, spine_down, ...
    uint64_t rateBps{0};
    uint64_t bytes{0}; //!< on the wire: all frames, with preamble and gap
    /// Time during which it was sending, up to the last delivery; nothing when there was none.
    std::optional<TimePs> busy;
    std::optional<PortFrames> frames; //!< nothing under an engine without frames
};

/// Time that the queues of a class of ports spent at lengths from bytesLow to below bytesHigh.
struct QueueBin
{
    std::string portClass;
    uint64_t bytesLow{0};
    uint64_t bytesHigh{0};
    double seconds{0};
};

/// What only an engine that moves frames counts.
struct FrameCounters
{
    uint64_t frames{0};      //!< data frames, with those that were sent again
    uint64_t frameHops{0};   //!< cables crossed by all frames but pause frames
    uint64_t pauseFrames{0}; //!< by cable
    uint64_t drops{0};       //!< for want of buffer
    uint64_t linkLosses{0};  //!< on cables that failed, or by chance
    uint64_t unroutable{0};  //!< frames that a switch knew no way for
    uint64_t retransmittedFrames{0};
    uint64_t ecnMarks{0};
    uint64_t cnps{0};
    uint64_t pfcPauses{0};
    TimePs pfcPaused{0};
    uint64_t queueMaxBytes{0}; //!< largest switch egress queue
};

/// By how much ends of messages may be off, as an engine took some together.
struct ShiftRecord
{
    double part{0}; //!< of a message's own time, the largest
    TimePs time{0}; //!< the largest
};

/// What an engine knows of a run that is over.
struct EngineRecord
{
    uint64_t messages{0};                           //!< that NICs sent
    std::optional<FrameCounters> frameCounters;     //!< nothing under an engine without frames
    std::vector<std::vector<uint64_t>> nicTxBytes;  //!< payload, by server and rail
    std::vector<std::vector<uint64_t>> nicRxBytes;  //!< payload, by server and rail
    std::vector<PortRecord> ports;                  //!< in order of (node, port)
    std::optional<std::vector<QueueBin>> queueBins; //!< nothing unless they were recorded
    std::optional<ShiftRecord> shift;               //!< where a tolerance bounds it
    std::vector<std::string> notes;                 //!< what a user should know of the run
    std::string fingerprint;                        //!< hash of what happened: rails-fingerprint.h
};

} // namespace ns3::rails

#endif // ENGINE_RECORD_H
