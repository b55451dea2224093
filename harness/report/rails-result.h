// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RESULT_H
#define RAILS_RESULT_H

#include "ns3/circuit-record.h"
#include "ns3/engine-record.h"
#include "ns3/expert-study-record.h"
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

struct Experiment;

class ChromeTrace;

/// How a run ended; the numbers are exit statuses.
enum class RunStatus
{
    Done = 0,            //!< every byte was delivered and every invariant held
    BadDescriptor = 2,   //!< nothing was run
    NotFinished = 3,     //!< the watchdog ended the run
    InvariantBroken = 4, //!< the result cannot be right
};

/// A row of messages.csv.
struct MessageRecord
{
    uint64_t id{0};
    uint32_t pair{0};
    uint32_t source{0};
    uint32_t destination{0};
    uint16_t kind{0};
    uint16_t rail{kNoRail}; //!< sending NIC of the server
    uint64_t bytes{0};
    TimePs start{kNever};
    TimePs end{kNever}; //!< kNever without delivery

    MessageRecord() = default;
    explicit MessageRecord(const Message& message);
};

/// A failure or recovery.
struct FailureRecord
{
    TimePs at{0};
    std::string what;   //!< "link leaf0, spine1", "random", "gpu 12"
    std::string state;  //!< "down", "up" or a rate
    uint32_t cables{0}; //!< number of links that changed
};

/// Versions of the program and the libraries of a run.
struct VersionInfo
{
    std::string module;
    std::string ns3;
    std::string compiler;
    std::string build;   //!< optimized, release, debug, ...
    std::string program; //!< SHA-256 of the program and its library
    /// SHA-256 of further libraries with components of the run, by name.
    std::map<std::string, std::string> libraries;
};

/// Which data-parallel replicas of a training were simulated.
struct SymmetryRecord
{
    std::string mode{"none"}; //!< "exact" or "close" when some stand for all
    uint32_t replicas{1};
    uint32_t computed{1}; //!< number of simulated replicas
    std::string reason{}; //!< why all replicas were simulated
};

/// The output of one run.
struct Result
{
    std::string name;
    RunStatus status{RunStatus::Done};
    std::string report;             //!< the error, unless status is Done
    std::vector<std::string> notes; //!< notes to the user about a finished run
    uint64_t seed{0};
    std::vector<std::pair<std::string, std::string>> axes; //!< of the sweep, by key
    std::map<std::string, std::string> labels;             //!< that the user gave, by key
    VersionInfo version;
    std::string engine;         //!< type of the engine: "frames"
    std::string resolvedConfig; //!< effective configuration as JSON
    std::string key;            //!< identifies the run, see RunKeys

    std::string matrixHash;
    std::string fingerprint; //!< hash of events, see rails-fingerprint.h

    TimePs cct{0};                              //!< from the first post to the last byte delivered
    TimePs cctSender{0};                        //!< to the last covering ACK
    std::vector<PhaseRecord> phases;            //!< in order
    TimePs iteration{0};                        //!< mean iteration time; 0 with one iteration
    std::vector<JobRecord> jobs;                //!< of a graph of several jobs
    std::vector<std::string> graphKinds;        //!< of a graph: names by MessageRecord::kind
    std::optional<GraphRecord> graph;           //!< of a graph that is done
    std::optional<SymmetryRecord> symmetry;     //!< when replicas could stand for others
    std::optional<CompletionErrorRecord> shift; //!< with a tolerance of rates
    std::optional<ForwardRecord> forward;       //!< of a graph that was simulated in part
    std::vector<std::pair<std::string, double>> optical; //!< of circuits, by names of keys
    std::vector<std::pair<std::string, std::string>> opticalRules; //!< to reconfigure by
    std::optional<std::vector<CircuitRecord>> circuitRecords;      //!< if circuits.csv is wanted
    /// Figures from the iteration time, by key: tokens_per_s, ...
    std::vector<std::pair<std::string, double>> graphFigures;

    TimePs slowestFlow{0};      //!< longest time from a message's first frame to its covering ACK
    TimePs lowerBound{0};       //!< of cct
    TimePs lowerBoundAcks{0};   //!< of cct, with ACKs on the NICs
    TimePs lowerBoundSender{0}; //!< of cctSender
    std::map<std::string, TimePs> lowerBoundParts;
    std::string lowerBoundBinding; //!< name of the binding part

    std::optional<TimePs> publishedBound; //!< of slowestFlow, as arXiv 2507.21372 has it
    std::optional<double> rhoMax;         //!< fraction of their rate at which hosts may send

    // As in nccl-tests, in bytes a second; nothing where no bandwidth is defined.
    std::optional<double> algorithmBandwidth;
    std::optional<double> busBandwidth;
    uint64_t bytes{0};
    uint64_t messages{0};
    std::optional<FrameCounters> frameCounters;    //!< nothing under an engine without frames
    std::vector<std::vector<uint64_t>> nicTxBytes; //!< payload, by server and rail
    std::vector<std::vector<uint64_t>> nicRxBytes; //!< payload, by server and rail

    std::vector<FailureRecord> failures; //!< failures that happened, in order
    std::vector<TimePs> convergences;    //!< when the routing converged after failures
    uint64_t abandonedMessages{0};       //!< abandoned and replaced by others; no end time
    uint32_t failedCables{0};            //!< distinct links that were down or slower at some time

    std::optional<ExpertStudyRecord> expertStudy; //!< of a study, without a simulation

    std::optional<Explanation> explanation; //!< of the completion time; only of a finished run

    uint64_t events{0};
    TimePs simulated{0};
    double wallSeconds{0};
    uint64_t peakRssBytes{0};

    std::vector<MessageRecord> messageRecords;      //!< in order of id; empty unless recorded
    std::vector<PortRecord> portRecords;            //!< in order of (node, port)
    std::optional<std::vector<QueueBin>> queueBins; //!< nothing unless they were recorded
    bool writesMessages{true};                      //!< messages.csv is wanted
    bool writesLinks{true};                         //!< links.csv is wanted
    std::shared_ptr<ChromeTrace> timeline;          //!< timeline.json, if recorded

    /// \return completion time over its lower bound; 0 without a bound
    double GetCctOverBound() const;
    /// \return time of the slowest flow over the published bound, minus 1; nothing without a bound,
    /// or when the run did not end well
    std::optional<double> GetCctIncrease() const;
};

/// Copies the identity of an experiment (name, key, ...) into its result.
void Identify(const Experiment& experiment, Result& result);

} // namespace ns3::rails

#endif // RAILS_RESULT_H
