// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RESULT_H
#define RAILS_RESULT_H

#include "expert-study-record.h"

#include "ns3/circuit-record.h"
#include "ns3/engine-record.h"
#include "ns3/fast-forward.h"
#include "ns3/graph-record.h"
#include "ns3/phase-record.h"
#include "ns3/rails-explanation.h"
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

/// Which replicas of a training were run.
struct SymmetryRecord
{
    std::string mode{"none"}; //!< "exact" or "close" where some answer for all
    uint32_t replicas{1};
    uint32_t computed{1}; //!< how many of them were run
    std::string reason{}; //!< why all were run
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

    TimePs cct{0};                          //!< from the first post to the last byte delivered
    TimePs cctSender{0};                    //!< to the last covering ACK
    std::vector<PhaseRecord> phases;        //!< in order
    TimePs iteration{0};                    //!< mean time of an iteration; 0 when there is one only
    std::vector<JobRecord> jobs;            //!< of a graph of several jobs
    std::vector<std::string> graphKinds;    //!< of a graph: names by MessageRecord::kind
    std::optional<GraphRecord> graph;       //!< of a graph that is done
    std::optional<SymmetryRecord> symmetry; //!< where replicas might have answered for others
    std::optional<ShiftRecord> shift;       //!< where a tolerance bounds it
    std::optional<ForwardRecord> forward;   //!< of a graph that was run in part
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

    // As in nccl-tests, in bytes a second; nothing where no bandwidth is defined.
    std::optional<double> algorithmBandwidth;
    std::optional<double> busBandwidth;
    uint64_t bytes{0};
    uint64_t messages{0};
    std::optional<FrameCounters> frameCounters;    //!< nothing under an engine without frames
    std::vector<std::vector<uint64_t>> nicTxBytes; //!< payload, by server and rail
    std::vector<std::vector<uint64_t>> nicRxBytes; //!< payload, by server and rail

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
};

} // namespace ns3::rails

#endif // RAILS_RESULT_H
