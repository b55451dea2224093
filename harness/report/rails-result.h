// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RESULT_H
#define RAILS_RESULT_H

#include "expert-study-record.h"
#include "rails-explanation.h"

#include "ns3/graph-record.h"
#include "ns3/phase-record.h"
#include "ns3/rails-message.h"
#include "ns3/rails-units.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

class ChromeTrace;

/// How a run ended; the numbers are exit statuses.
enum class RunStatus
{
    Done = 0,            //!< every byte was delivered and every invariant held
    BadDescriptor = 2,   //!< nothing was run
    NotFinished = 3,     //!< the watchdog ended it
    InvariantBroken = 4, //!< what came out cannot be right
};

/// What messages.csv needs of a message.
struct MessageRecord
{
    uint64_t id{0};
    uint32_t pair{0};
    uint32_t source{0};
    uint32_t destination{0};
    uint16_t kind{0};
    uint16_t rail{kNoRail}; //!< NIC that sent it
    uint64_t bytes{0};
    TimePs start{kNever};
    TimePs end{kNever}; //!< kNever when it was not delivered

    MessageRecord() = default;
    explicit MessageRecord(const Message& message);
};

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

/// Something that failed or came back.
struct FailureRecord
{
    TimePs at{0};
    std::string what;   //!< "link leaf0, spine1", "random", "gpu 12"
    std::string state;  //!< "down", "up" or a rate
    uint32_t cables{0}; //!< how many cables changed
};

/// What a run was made with.
struct VersionInfo
{
    std::string module;
    std::string ns3;
    std::string compiler;
    std::string build;   //!< optimized, release, debug, ...
    std::string program; //!< SHA-256 of the program and its library: another one, other code
    /// SHA-256 of further libraries that components of the run come from, by name.
    std::map<std::string, std::string> libraries;
};

/// Circuits between two servers that came and went together: a line of circuits.csv.
struct CircuitRecord
{
    TimePs start{0};
    TimePs end{0};
    uint32_t region{0};
    uint32_t from{0}; //!< server
    uint32_t to{0};   //!< server
    uint32_t circuits{0};
    uint64_t bytes{0}; //!< payload
    TimePs dark{0};    //!< how long the move took that laid them
};

/// Everything that comes out of one run.
struct Result
{
    std::string name;
    RunStatus status{RunStatus::Done};
    std::string report;             //!< what went wrong, when status is not Done
    std::vector<std::string> notes; //!< what a user should know of a run that is done
    uint64_t seed{0};
    std::vector<std::pair<std::string, std::string>> axes; //!< of the sweep, by key
    std::map<std::string, std::string> labels;             //!< that the user gave, by key
    VersionInfo version;
    std::string engine;    //!< type of the engine: "frames"
    std::string effective; //!< effective configuration as JSON
    std::string key;       //!< what the run is known by, see RunKeys

    std::string matrixHash;
    std::string fingerprint; //!< hash of what happened, as its engine has it: rails-fingerprint.h

    TimePs cct{0};                       //!< from the first post to the last byte delivered
    TimePs cctSender{0};                 //!< to the last covering ACK
    std::vector<PhaseRecord> phases;     //!< in order
    TimePs iteration{0};                 //!< mean time of an iteration; 0 when there is one only
    std::vector<JobRecord> jobs;         //!< of a graph of several jobs
    std::vector<std::string> graphKinds; //!< of a graph: names by MessageRecord::kind
    std::optional<GraphRecord> graph;    //!< of a graph that is done
    std::vector<std::pair<std::string, double>> optical; //!< of circuits, by names of keys
    std::vector<std::pair<std::string, std::string>> opticalRules; //!< they move by, likewise
    std::optional<std::vector<CircuitRecord>> circuitRecords;      //!< if circuits.csv is wanted
    /// What follows from the time of its iteration, by keys: tokens_per_s.
    std::vector<std::pair<std::string, double>> graphFigures;

    TimePs slowestFlow{0};      //!< longest time from a message's first frame to its covering ACK
    TimePs lowerBound{0};       //!< of cct
    TimePs lowerBoundAcks{0};   //!< of cct, with ACKs on the NICs
    TimePs lowerBoundSender{0}; //!< of cctSender
    std::map<std::string, TimePs> lowerBoundParts;
    std::string lowerBoundBinding; //!< name of the part that makes the bound

    std::optional<TimePs> publishedBound; //!< of slowestFlow, as arXiv 2507.21372 has it
    std::optional<double> rhoMax;         //!< part of their rate at which hosts can send

    uint64_t busiestSourceBytes{0}; //!< S of the algorithm bandwidth
    double busFactor{0};            //!< bus over algorithm bandwidth; 0: (n - 1) / n
    uint32_t gpus{0};
    uint64_t bytes{0};
    uint64_t messages{0};
    std::optional<FrameCounters> frameCounters;    //!< nothing under an engine without frames
    std::vector<std::vector<uint64_t>> nicTxBytes; //!< payload, by domain and rail
    std::vector<std::vector<uint64_t>> nicRxBytes; //!< payload, by domain and rail

    std::vector<FailureRecord> failures; //!< those that took place, in order
    std::vector<TimePs> convergences;    //!< when the routing converged after failures
    uint64_t abandonedMessages{0};       //!< given up and replaced by others; they have no end
    uint32_t failedCables{0};            //!< down or slower for some time, each counted once

    std::optional<ExpertStudyRecord> expertStudy; //!< of a study, which simulates nothing

    std::optional<Explanation> explanation; //!< why it took as long; only of a run that is done

    uint64_t events{0};
    TimePs simulated{0};
    double wallSeconds{0};
    uint64_t peakRssBytes{0};

    std::vector<MessageRecord> messageRecords;      //!< in order of id; empty when not wanted
    std::vector<PortRecord> portRecords;            //!< in order of (node, port)
    std::optional<std::vector<QueueBin>> queueBins; //!< nothing unless they were recorded
    bool writesMessages{true};                      //!< messages.csv is wanted
    bool writesLinks{true};                         //!< links.csv is wanted
    std::shared_ptr<ChromeTrace> timeline;          //!< timeline.json, if recorded

    /// \return completion time over its lower bound; 0 without a bound
    double GetCctOverBound() const;
    /// \return time of the slowest flow over the published bound, less 1; nothing without one, or
    /// when the run did not end well
    std::optional<double> GetCctIncrease() const;
    /// \return bytes that the busiest GPU sends, per second (nccl-tests)
    double GetAlgorithmBandwidth() const;
    /// \return algorithm bandwidth * (n - 1) / n for n GPUs, or what the collective has instead
    /// (nccl-tests)
    double GetBusBandwidth() const;
};

} // namespace ns3::rails

#endif // RAILS_RESULT_H
