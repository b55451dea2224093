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

/// Counters of a port that only packet-level simulation has.
struct PortFrames
{
    uint64_t queueMaxBytes{0};
    uint64_t pauses{0};     //!< PFC pauses that it obeyed
    TimePs pausedPs{0};     //!< time during which it was paused
    uint64_t marks{0};      //!< frames that it marked (ECN)
    uint64_t drops{0};      //!< frames dropped because the buffer was full
    uint64_t linkLosses{0}; //!< frames lost on its link
    uint64_t dataFrames{0}; //!< data frames sent
    /// Mean length of its queue in bytes while NICs had something new to send, if recorded.
    std::optional<double> queueMeanBytes;
};

/// Data of a port for links.csv and the fingerprint; all counters count sent frames.
struct PortRecord
{
    uint32_t node{0};
    uint32_t port{0};
    uint32_t peer{0};      //!< node at the far end
    uint32_t peerPort{0};  //!< port there
    std::string portClass; //!< nic_tx, leaf_down, leaf_up, spine_down, ...
    uint64_t rateBps{0};
    uint64_t bytes{0}; //!< on the wire: all frames, with preamble and gap
    /// Time during which it was sending, up to the last delivery; nothing when the run is not done.
    std::optional<TimePs> busy;
    std::optional<PortFrames> frames; //!< nothing in flow-level simulation
};

/// Time that the queues of a class of ports spent at lengths from bytesLow to below bytesHigh.
struct QueueBin
{
    std::string portClass;
    uint64_t bytesLow{0};
    uint64_t bytesHigh{0};
    double seconds{0};
};

/// Counters that only packet-level simulation has.
struct FrameCounters
{
    uint64_t frames{0};      //!< data frames, with retransmissions
    uint64_t frameHops{0};   //!< links crossed by all frames but pause frames
    uint64_t pauseFrames{0}; //!< pause frames, once for each link
    uint64_t drops{0};       //!< frames dropped because a buffer was full
    uint64_t linkLosses{0};  //!< frames lost on failed links, or by chance
    uint64_t unroutable{0};  //!< frames for which a switch had no next hop
    uint64_t retransmittedFrames{0};
    uint64_t ecnMarks{0};
    uint64_t cnps{0};
    uint64_t pfcPauses{0};
    TimePs pfcPaused{0};
    uint64_t queueMaxBytes{0}; //!< largest switch egress queue
};

/// Bound of the error of completion times under a tolerance (CompletionErrorBound).
struct CompletionErrorRecord
{
    double part{0}; //!< as a part of the message's time, the largest
    TimePs time{0}; //!< the largest
};

/// Results of an engine after a run.
struct EngineRecord
{
    uint64_t messages{0};                           //!< posted to NICs
    std::optional<FrameCounters> frameCounters;     //!< nothing in flow-level simulation
    std::vector<std::vector<uint64_t>> nicTxBytes;  //!< payload, by server and rail
    std::vector<std::vector<uint64_t>> nicRxBytes;  //!< payload, by server and rail
    std::vector<PortRecord> ports;                  //!< in order of (node, port)
    std::optional<std::vector<QueueBin>> queueBins; //!< nothing unless they were recorded
    std::optional<CompletionErrorRecord> shift;     //!< where a tolerance bounds the error
    std::vector<std::string> notes;                 //!< notes of the result
    std::string fingerprint;                        //!< hash of the events: rails-fingerprint.h
};

} // namespace ns3::rails

#endif // ENGINE_RECORD_H
