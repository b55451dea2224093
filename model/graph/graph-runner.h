// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_RUNNER_H
#define GRAPH_RUNNER_H

#include "graph-program.h"
#include "graph-record.h"
#include "graph-times.h"
#include "phase-log.h"
#include "stream-heads.h"

#include "ns3/balancer.h"
#include "ns3/event-id.h"
#include "ns3/message-service.h"
#include "ns3/phase-record.h"
#include "ns3/run-traffic.h"
#include "ns3/workload-schedule.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * Runs a program, from the first post to the last acknowledgement: begins each node when its
 * dependencies are over, has servers plan and post the steps of transfers, and keeps only nodes and
 * steps under way.
 *
 * A server plans a step for all of its GPUs together: when the first of them begins it, or the last
 * one where demands are data-dependent (CommOpTraits::isDataDependent). A GPU's part is posted once
 * the GPU has begun the step and the plan is ready; parts posted at once keep the order of the
 * plan. Messages to other servers come first, then messages inside the server.
 *
 * Actions of a server depend only on its own notifications, at its own clock. The delay of a
 * barrier must be at least the look-ahead of the service. Members of a barrier without delay go on
 * at the very end of the instant, when every server has caught up; the steps behind it, unless
 * data-dependent, are planned by step and server, so that no plan depends on another's sending.
 *
 * The runner is the client of the service for all servers. It posts for a server only within a
 * notification of that server, or at the end of an instant. The service stamps the times of
 * messages, and must not deliver a message within Post().
 */
class GraphRunner : private MessageClient
{
  public:
    /**
     * \param schedule the whole traffic of the program as phases, for bounds and results
     * \param program to run
     * \param service moves the messages
     * \param balancer places messages on rails
     */
    GraphRunner(WorkloadSchedule schedule,
                std::shared_ptr<const GraphProgram> program,
                Ptr<MessageService> service,
                Ptr<Balancer> balancer);

    /// Runs a program, with its own GraphProgram::GetSchedule().
    GraphRunner(const std::shared_ptr<const GraphProgram>& program,
                Ptr<MessageService> service,
                Ptr<Balancer> balancer);

    /// Runs the phases of a schedule (PhaseProgram).
    GraphRunner(WorkloadSchedule schedule, Ptr<MessageService> service, Ptr<Balancer> balancer);

    ~GraphRunner() override;

    GraphRunner(const GraphRunner&) = delete;
    GraphRunner& operator=(const GraphRunner&) = delete;

    /// \param subflows number of messages, each on its own queue pair, into which a chunk is split
    void SetSubflows(uint32_t subflows);

    /// \param router tells servers of failures; without it they know of none
    void SetRouter(std::shared_ptr<const Router> router);

    /// \param frames MTU and headers
    void SetFrames(const FrameFormat& frames);

    /// \param most see ExchangeMessages::ForgetBeyond()
    void ForgetMessagesBeyond(size_t most);

    /// \param callback called once, when all nodes are over and all messages acknowledged
    void SetFinishedCallback(std::function<void()> callback);

    /**
     * \param callback see PhaseLog::SetCallback(); for programs with phases. All servers have
     * caught up with the instant of the call
     */
    void SetPhaseCallback(std::function<void(bool)> callback);

    /// A barrier is full that reconfigures circuits before its members go on.
    struct CircuitMove
    {
        const GraphBarrier& barrier;
        CircuitPurpose purpose;
        std::vector<uint32_t> gpus; //!< its members
        TimePs full;                //!< arrival of the last member
    };

    /// Reconfigures circuits. Returns when each member goes on, after the delay of the barrier or
    /// later.
    using CircuitCallback = std::function<std::vector<TimePs>(const CircuitMove&)>;

    /// \param callback reconfigures circuits; without a callback circuits stay
    void SetCircuitCallback(CircuitCallback callback);

    /// \param callback returns true while messages under way may wait for dark circuits
    void SetPauseCallback(std::function<bool()> callback);

    /// \param watch hears of the messages of a program without phases; must outlive the runner
    void SetSegmentWatch(SegmentWatch* watch);

    /// Before the run: records when GPUs compute, and when they have nodes of a kind under way.
    void KeepSpans(uint16_t kind);

    /// \return the spans of KeepSpans(), by GPU; empty without that call
    const std::vector<GpuSpans>& GetSpans() const;

    /// \param callback called when a node is over, with its GPU, its stream, the number of nodes of
    /// the stream that are over, and the time
    void SetEndCallback(std::function<void(uint32_t, uint32_t, uint64_t, TimePs)> callback);

    /**
     * Starts now.
     * \throws std::logic_error when a plan does not cover a server's demands; also from later
     * events
     */
    void Start();

    /// To be called when the routing has converged after a failure (FailureRebalancer::Replan()).
    void Replan();

    /**
     * To be called after the run, before its results are read: gives messages ids that do not
     * depend on the order of servers within an instant.
     */
    void NumberMessages();

    /// \return true when all nodes are over and all messages acknowledged
    bool IsFinished() const
    {
        return m_finished;
    }

    /// \return true while no byte need move: nodes compute, plans are being made, or circuits are
    /// dark
    bool IsWaiting() const;

    const WorkloadSchedule& GetSchedule() const
    {
        return m_schedule;
    }

    /// \return all phases of the schedule; times still to come are kNever
    const std::vector<PhaseRecord>& GetPhases() const;

    /// \return all messages made so far
    const ExchangeMessages& GetMessages() const;

    /// \return bytes that the balancer has placed on circuits
    const CircuitTally& GetCircuitTally() const;

    /// \return the record of a finished run without phases
    GraphRecord GetRecord() const;

    /**
     * \param gpu the path to its last event counts as the critical path
     * \return the record up to this instant of a run that goes on
     */
    GraphRecord CountUpToNow(uint32_t gpu);

    /// \return the last segment of the critical path; null without messages or SegmentWatch
    std::shared_ptr<const PathSegment> GetLastSegment() const;

    const GraphProgram& GetProgram() const;

    /// Progress of a party.
    struct Progress
    {
        GraphParty party;
        uint64_t nodes{0};      //!< in all
        uint64_t over{0};       //!< nodes that are over
        uint32_t iterations{0}; //!< iterations that are over on all GPUs
    };

    /// \return the present progress of all parties, in the order of the program
    std::vector<Progress> FindProgress() const;

    /// \return the progress of the whole program, see GraphProgram::FindAdvance()
    std::optional<GraphAdvance> FindAdvance() const;

    /// \return the party of a GPU; nothing when the party is done or the GPU is idle
    std::optional<GraphParty> FindParty(uint32_t gpu) const;

    /// \return lines about streams that are not over
    std::string DescribeStuck() const;

  private:
    using Path = GraphTimes::Path;

    /// The node at the head of a stream.
    struct Stream
    {
        GraphNode node;
        uint64_t over{0};      //!< number of nodes that are over
        bool isLoaded{false};  //!< `node` is set
        bool isRunning{false}; //!< the node has begun, or is queued at its execution unit
        bool isEnded{false};   //!< there are no more nodes
        uint32_t open{0};      //!< of a transfer, lanes that are not over; of a timed one, steps
        uint64_t toKnow{0};    //!< of a transfer, sent bytes whose acknowledgements it needs
        bool hasGot{false};    //!< of a transfer: all bytes of its last steps have come
        TimePs endsAt{kNever}; //!< of compute: its end at the present speed
        Path path;             //!< path to its begin
    };

    /// Shares of a GPU's execution units that transfers take.
    struct Sharing
    {
        /// A compute node that is, or was, slowed down.
        struct Slowed
        {
            TimePs begun;
            TimePs since; //!< begin of the present speed
            double left;  //!< work left at `since`, in picoseconds times `of`
        };

        uint32_t taken{0};
        uint32_t of{1};
        std::map<uint32_t, Slowed> slowed{}; //!< by stream

        /// \return the share left for computing, at least 1
        uint32_t GetRest() const
        {
            return std::max(1U, of - std::min(of, taken));
        }
    };

    /// A GPU's part of a step that is under way, or of which bytes have come before it began.
    struct Part
    {
        std::shared_ptr<const CommOp> transfer; //!< null until it has begun
        uint32_t place{0};                      //!< index of the step in the transfer
        uint64_t toGet{0};                      //!< bytes to receive; 0 until it has begun
        uint64_t got{0};                        //!< bytes received
        uint64_t toKnow{0};                     //!< sent bytes that are not acknowledged
        uint32_t stream{0};
        bool isPosted{false};
        bool isPassed{false}; //!< the GPU has gone on to the next step
        TimePs postedAt{0};
        Path path; //!< path to its post, or to the begin of its step
    };

    using Parts = std::unordered_map<uint64_t, Part>; // by step and GPU

    /// A server's plan of a step, or a plan to be made.
    struct Plan
    {
        std::vector<uint32_t> members; //!< GPUs of this server that take part
        std::vector<uint32_t> waiting; //!< members that have begun the step and not posted
        std::size_t first{0};          //!< first message id; messages to other servers
        std::size_t inside{0};         //!< first message id inside the server
        std::size_t end{0};
        uint32_t posted{0}; //!< members whose part is posted
        bool isMade{false};
        bool isDue{false};      //!< its inputs are complete and its planning time has begun
        TimePs readyAt{kNever}; //!< from then on, members post when they begin the step
        Path path; //!< path to `readyAt`, for members that waited; null: each has its own path
    };

    /// An exchange of counts among the servers of a step, before any of them plans it.
    struct CountExchange
    {
        std::vector<uint32_t> servers; //!< servers that take part
        uint32_t missing{0};           //!< servers whose counts are missing
        TimePs latest{0};              //!< time of the latest counts
        uint32_t last{0};              //!< server of the latest counts; the lowest number of a tie
        Path path;                     //!< path to the latest counts
    };

    /// Exchanged counts, kept until all servers have planned.
    struct KnownCounts
    {
        std::unique_ptr<const ExchangeCounts> counts;
        uint32_t toPlan{0}; //!< servers that still have to plan
    };

    /// Event at an appointment.
    enum class Event : uint8_t
    {
        NodeEnds,   //!< of a compute node, or of a barrier's delay
        StepStarts, //!< of a timed transfer
        PlanIsReady //!< of a step
    };

    struct Appointment
    {
        TimePs at;
        uint32_t gpu;
        uint32_t stream;
        Event event{Event::NodeEnds};
        uint32_t step{0}; //!< of StepStarts and PlanIsReady

        bool operator>(const Appointment& other) const
        {
            return std::tie(at, gpu, stream, event, step) >
                   std::tie(other.at, other.gpu, other.stream, other.event, other.step);
        }
    };

    struct Barrier
    {
        using Member = std::pair<uint32_t, uint32_t>; // GPU and stream

        uint32_t missing{0};
        TimePs latest{0}; //!< latest arrival
        Member last{};    //!< member of the latest arrival; the lowest number of a tie
        Path path;        //!< path to the latest arrival
        std::vector<Member> waiting{};
        EventId release; //!< of a barrier without delay
    };

    /// State of a server.
    struct Server
    {
        Parts parts;
        std::unordered_map<uint32_t, Plan> plans; //!< by step
        std::priority_queue<Appointment, std::vector<Appointment>, std::greater<>> appointments;
        std::vector<uint32_t> changed; //!< GPUs with streams that may go on
        std::vector<uint32_t> ready;   //!< planned steps that GPUs have begun
    };

    using ExecutionUnit = std::deque<uint32_t>; //!< streams with a node there; the first one runs

    std::vector<GraphParty> GetParties() const;
    Stream& GetStream(uint32_t gpu, uint32_t stream);
    ExecutionUnit& GetExecutionUnit(uint32_t gpu, uint32_t unit);
    Server& GetServer(uint32_t gpu);
    Part& GetPart(uint32_t gpu, uint32_t step);

    void Advance(uint32_t server);
    void BeginNodes(uint32_t gpu);
    bool MayBegin(uint32_t gpu, const Stream& stream) const;
    void BeginInTurn(uint32_t gpu, uint32_t stream);
    void Begin(uint32_t gpu, uint32_t stream);
    void Meet(uint32_t gpu, uint32_t stream);
    void Release(uint32_t barrier);
    void PlanNext(const Barrier::Member& member);
    void Appoint(const Appointment& appointment);
    void Compute(uint32_t gpu, uint32_t stream, TimePs now);
    void Take(uint32_t gpu, const GraphNode::Share& share, bool isBack, TimePs at);
    void Continue(uint32_t gpu,
                  uint32_t stream,
                  const Sharing& sharing,
                  const Sharing::Slowed& left);
    void EndComputing(uint32_t gpu, uint32_t stream, TimePs at);
    void BeginLanes(uint32_t gpu, uint32_t stream);
    void BeginStep(uint32_t gpu, uint32_t stream, uint32_t step, const Path& path);
    void BeginTimedSteps(uint32_t gpu, uint32_t stream);
    void ComeTo(uint32_t gpu, uint32_t step);
    Plan& GetPlan(uint32_t server, uint32_t step, const GraphNode& node);
    const Balancer* FindBalancer(uint32_t step, const GraphNode& node, const Plan& plan);
    void BeginPlan(uint32_t server, uint32_t step, const GraphNode& node, Plan& plan);
    void Tell(uint32_t server, uint32_t step, const Plan& plan);
    std::vector<uint32_t> FindServers(uint32_t step, const GraphNode& node) const;
    const ExchangeCounts& GetCounts(uint32_t step, const GraphNode& node);
    void ForgetCounts(uint32_t step);
    void AppointPlan(uint32_t step, const Plan& plan);
    void EndPlanning(const Appointment& due);
    void MakePlan(uint32_t server, uint32_t step, const GraphNode& node, Plan& plan);
    void Fold(size_t first);
    GraphRecord CountAll() const;
    void PostReady(uint32_t server, uint32_t step);
    void PostParts(const std::vector<uint32_t>& gpus, uint32_t step, const Plan& plan);
    void Examine(uint32_t gpu, uint32_t step, const Path& path, TimePs at);
    void End(uint32_t gpu, uint32_t stream, const Path& path, TimePs at);

    void OnDelivered(Message& message) override;
    void OnAcknowledged(Message& message) override;
    void OnSent(Message& message) override;
    void OnAlarm(uint32_t server) override;
    void FinishIfDone();
    std::vector<uint32_t> FindMembers(uint32_t server, uint32_t step) const;

    WorkloadSchedule m_schedule;
    std::shared_ptr<const GraphProgram> m_program;
    ClusterShape m_shape;
    Ptr<MessageService> m_service;
    RunTraffic m_traffic;
    StreamHeads<Stream> m_heads;
    std::unordered_map<uint64_t, ExecutionUnit> m_units; //!< by GPU and unit; only shared units
    std::unordered_map<uint32_t, Sharing> m_sharing; //!< by GPU; only where transfers take a share
    std::vector<Server> m_servers;
    std::unordered_map<uint32_t, Barrier> m_barriers; //!< by number; only with waiting members
    std::unordered_map<uint32_t, CountExchange>
        m_countExchanges;                                    //!< by step; only incomplete exchanges
    std::unordered_map<uint32_t, KnownCounts> m_knownCounts; //!< by step
    GraphTimes m_times;
    std::vector<Path> m_latest; //!< by GPU: path to the end of the node that ended last
    uint64_t m_openStreams;
    uint64_t m_computing{0}; //!< compute nodes and barrier delays under way
    uint64_t m_due{0};       //!< appointments for posts of timed steps and for plans
    bool m_hasPhases;
    PhaseLog m_phases;
    CircuitCallback m_moveCircuits;
    std::function<bool()> m_isPaused;
    std::function<void(uint32_t, uint32_t, uint64_t, TimePs)> m_endCallback;
    std::function<void()> m_finishedCallback;
    bool m_finished{false};
};

} // namespace ns3::rails

#endif // GRAPH_RUNNER_H
