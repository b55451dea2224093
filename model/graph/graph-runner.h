// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_RUNNER_H
#define GRAPH_RUNNER_H

#include "graph-program.h"
#include "graph-record.h"
#include "graph-times.h"
#include "phase-log.h"
#include "stream-heads.h"

#include "ns3/event-id.h"
#include "ns3/message-service.h"
#include "ns3/phase-record.h"
#include "ns3/planner.h"
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
 * Runs a program, from the first post to the last acknowledgement: begins each node when what it
 * waits for is over, plans what a server sends in a step, posts it, and remembers only what is
 * under way.
 *
 * A server plans a step for all of its GPUs together: when the first of them comes to it, or the
 * last where what they send is drawn (TransferTraits::isDrawn). Each GPU's part is posted when the
 * GPU has come to it and the plan is made; parts that can be posted at once are posted in the order
 * of the plan. What goes to other servers comes first, then what stays inside.
 *
 * All that a server does depends on what it has been told, at its own clock; a barrier tells its
 * members after a delay that must be at least the look-ahead of the service. A barrier without
 * delay lets them go on behind all else of the instant, when every server has done all that it does
 * up to then; the steps that follow it, if they are not drawn, are planned by step and server, so
 * that no plan can depend on another's sending.
 *
 * It is the client of the service for all servers, and posts for a server from within what that
 * server is told, or behind all else of an instant; the service stamps the times of messages, and
 * must not deliver one within Post().
 */
class GraphRunner : private MessageClient
{
  public:
    /**
     * \param schedule everything that the program moves, as one phase: for bounds and results
     * \param program what to do
     * \param service what moves the messages
     * \param planner what places them on rails
     */
    GraphRunner(WorkloadSchedule schedule,
                std::shared_ptr<const GraphProgram> program,
                Ptr<MessageService> service,
                Ptr<Planner> planner);

    /// The same for all that a program moves.
    GraphRunner(const std::shared_ptr<const GraphProgram>& program,
                Ptr<MessageService> service,
                Ptr<Planner> planner);

    /// The same for the phases of a schedule (PhaseProgram).
    GraphRunner(WorkloadSchedule schedule, Ptr<MessageService> service, Ptr<Planner> planner);

    ~GraphRunner() override;

    GraphRunner(const GraphRunner&) = delete;
    GraphRunner& operator=(const GraphRunner&) = delete;

    /// \param subflows into how many messages, each on a queue pair of its own, a piece is split
    void SetSubflows(uint32_t subflows);

    /// \param router what servers know of failures; without it they know of none
    void SetRouter(std::shared_ptr<const Router> router);

    /// \param frames how bytes become frames
    void SetFrames(const FrameFormat& frames);

    /// \param most see ExchangeMessages::ForgetBeyond()
    void ForgetMessagesBeyond(size_t most);

    /// \param callback called once, when all is done and all messages are acknowledged
    void SetFinishedCallback(std::function<void()> callback);

    /**
     * \param callback told of the phases of a program that has them (PhaseLog::SetCallback()); all
     * servers have done what they do up to the instant
     */
    void SetPhaseCallback(std::function<void(bool)> callback);

    /// A barrier that moves circuits is full, and lets its members go on later.
    struct CircuitMove
    {
        const GraphBarrier& barrier;
        CircuitPurpose purpose;
        std::vector<uint32_t> gpus; //!< its members
        TimePs full;                //!< when the last of them came
    };

    /// Moves circuits, and says when each member goes on, not before the delay of the barrier.
    using CircuitCallback = std::function<std::vector<TimePs>(const CircuitMove&)>;

    /// \param callback moves circuits; without one nothing is moved
    void SetCircuitCallback(CircuitCallback callback);

    /// \param callback says whether what is under way may wait for circuits that are dark
    void SetPauseCallback(std::function<bool()> callback);

    /// \param watch told of what is moved for the steps of a program without phases; it has to live
    /// as long as the runner
    void SetLegWatch(LegWatch* watch);

    /// Before the run: keeps when GPUs compute, and when they have nodes of a kind under way.
    void KeepSpans(uint16_t kind);

    /// \return that, by GPU; empty unless it is kept
    const std::vector<GpuSpans>& GetSpans() const;

    /// \param callback told of every node that is over: GPU, stream, how many of it are, and when
    void SetEndCallback(std::function<void(uint32_t, uint32_t, uint64_t, TimePs)> callback);

    /**
     * Starts now. A plan that does not cover what a server has to send throws std::logic_error,
     * here or later.
     */
    void Start();

    /// To be called when the routing has converged after a failure (FailureReplanner::Replan()).
    void Replan();

    /**
     * To be called when the run is over, before somebody reads what came of it: messages get ids
     * that do not depend on the order in which servers were called at the same time.
     */
    void NumberMessages();

    /// \return true when all is done and all messages are acknowledged
    bool IsFinished() const;

    /// \return true while no byte moves, and none should
    bool IsWaiting() const;

    const WorkloadSchedule& GetSchedule() const;

    /// \return all phases of the schedule; times that have not come yet are kNever
    const std::vector<PhaseRecord>& GetPhases() const;

    /// \return all messages made so far, and what has become of them
    const ExchangeMessages& GetMessages() const;

    /// \return what the planner has given to circuits
    const CircuitTally& GetCircuitTally() const;

    /// \return what has become of the nodes; of a run without phases that is finished
    GraphRecord GetRecord() const;

    /**
     * \param gpu whose way is the critical one
     * \return the same up to this instant, of a run that goes on
     */
    GraphRecord CountUpToNow(uint32_t gpu);

    /// \return the last message on the critical path; null when it has none, or nobody watches
    std::shared_ptr<const GraphLeg> GetLastLeg() const;

    const GraphProgram& GetProgram() const;

    /// How far those have come that do something together.
    struct Progress
    {
        GraphParty party;
        uint64_t nodes{0};      //!< in all
        uint64_t over{0};       //!< nodes
        uint32_t iterations{0}; //!< that are over on all GPUs
    };

    /// \return all that have something to do, in the order of the program, as far as they are now
    std::vector<Progress> FindProgress() const;

    /// \return how far all of it is, where the program can tell quickly
    std::optional<GraphAdvance> FindAdvance() const;

    /// \return who does something together with a GPU and is not done; nothing: it is done, or has
    /// nothing to do
    std::optional<GraphParty> FindParty(uint32_t gpu) const;

    /// \return who has not come to an end and waits for what, in lines
    std::string DescribeStuck() const;

  private:
    using Path = GraphTimes::Path;

    /// The node at the head of a stream.
    struct Stream
    {
        GraphNode node;
        uint64_t over{0};      //!< how many nodes are
        bool isLoaded{false};  //!< the node is known
        bool isRunning{false}; //!< it has begun
        bool isEnded{false};   //!< there are no more nodes
        uint32_t open{0};      //!< of a transfer, lanes that are not over; of a timed one, steps
        uint64_t toKnow{0};    //!< of a transfer, own bytes that it has to know to have arrived
        bool hasGot{false};    //!< of a transfer, that all bytes of its last step have come
        TimePs endsAt{kNever}; //!< when what computes is over, as far as that is known
        Path path;             //!< what made it begin
    };

    /// What transfers take of a GPU's computing.
    struct Sharing
    {
        /// Computing that is, or was, slowed.
        struct Slowed
        {
            TimePs begun;
            TimePs since; //!< from then on it is as slow as now
            double left;  //!< then, in picoseconds times all of the GPU's computing
        };

        uint32_t taken{0};
        uint32_t of{1};
        std::map<uint32_t, Slowed> slowed{}; //!< by stream

        /// \return what is left for computing; a little always is
        uint32_t GetRest() const
        {
            return std::max(1U, of - std::min(of, taken));
        }
    };

    /// What a GPU has of a step that is under way, or of which bytes have come before it began.
    struct Part
    {
        std::shared_ptr<const GraphTransfer> transfer; //!< once it has begun
        uint32_t place{0};                             //!< of the step in the transfer
        uint64_t toGet{0};                             //!< bytes, once it has begun
        uint64_t got{0};                               //!< bytes
        uint64_t toKnow{0}; //!< own bytes of which the GPU does not know that they have arrived
        uint32_t stream{0};
        bool isPosted{false};
        bool isPassed{false}; //!< the GPU has gone on to the next step
        TimePs postedAt{0};
        Path path; //!< what made it be posted, or ready for that
    };

    using Parts = std::unordered_map<uint64_t, Part>; // by step and GPU

    /// A step that a server has planned, or will.
    struct Plan
    {
        std::vector<uint32_t> members; //!< GPUs of this server that take part
        std::vector<uint32_t> waiting; //!< those that have come to it, until it is posted
        std::size_t first{0};          //!< message ids of what goes to other servers
        std::size_t inside{0};         //!< and of what stays inside
        std::size_t end{0};
        uint32_t posted{0}; //!< members whose part is posted
        bool isMade{false};
        bool isDue{false};      //!< nothing is missing for it, so that it takes its time
        TimePs readyAt{kNever}; //!< when the plan is there; then parts are posted as GPUs come
        Path path; //!< what made it be ready, for those that came before; null: their own
    };

    /// What servers tell each other of a step before any of them plans it.
    struct Telling
    {
        std::vector<uint32_t> servers; //!< those that take part
        uint32_t missing{0};           //!< how many of them have not told yet
        TimePs latest{0};
        uint32_t last{0}; //!< server that told then; of several the first in number
        Path path;        //!< of that one
    };

    /// What they have told, as long as somebody needs it.
    struct Told
    {
        std::unique_ptr<const ExchangeCounts> counts;
        uint32_t toPlan{0}; //!< servers
    };

    /// What happens at a time that is known before.
    enum class Event : uint8_t
    {
        NodeEnds,   //!< of a compute node, or a barrier's delay
        StepStarts, //!< of a timed transfer
        PlanIsReady //!< of a step
    };

    struct Appointment
    {
        TimePs at;
        uint32_t gpu;
        uint32_t stream;
        Event event{Event::NodeEnds};
        uint32_t step{0}; //!< that starts or is planned

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
        TimePs latest{0};
        Member last{}; //!< came then; of several the first in number
        Path path;     //!< of that one
        std::vector<Member> waiting{};
        EventId release; //!< of one without delay
    };

    /// All that one server knows.
    struct Server
    {
        Parts parts;
        std::unordered_map<uint32_t, Plan> plans; //!< by step
        std::priority_queue<Appointment, std::vector<Appointment>, std::greater<>> appointments;
        std::vector<uint32_t> changed; //!< GPUs with streams that may go on
        std::vector<uint32_t> ready;   //!< steps that are planned, and that GPUs have come to
    };

    using Unit = std::deque<uint32_t>; //!< streams whose nodes it does, the first one now

    std::vector<GraphParty> GetParties() const;
    Stream& GetStream(uint32_t gpu, uint32_t stream);
    Unit& GetUnit(uint32_t gpu, uint32_t unit);
    Server& GetServer(uint32_t gpu);
    Part& GetPart(uint32_t gpu, uint32_t step);

    void GoOn(uint32_t server);
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
    const Planner* FindPlanner(uint32_t step, const GraphNode& node, const Plan& plan);
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
    void Look(uint32_t gpu, uint32_t step, const Path& path, TimePs at);
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
    std::unordered_map<uint64_t, Unit> m_units;      //!< by GPU and unit; those that streams share
    std::unordered_map<uint32_t, Sharing> m_sharing; //!< by GPU; those where transfers take a share
    std::vector<Server> m_servers;
    std::unordered_map<uint32_t, Barrier> m_barriers; //!< by number; those that somebody is at
    std::unordered_map<uint32_t, Telling> m_tellings; //!< by step; those that somebody waits for
    std::unordered_map<uint32_t, Told> m_told;        //!< by step
    GraphTimes m_times;
    std::vector<Path> m_latest; //!< by GPU: the path to the end of its node that was over last
    uint64_t m_openStreams;
    uint64_t m_computing{0}; //!< compute nodes and delays that go on
    uint64_t m_due{0};       //!< parts and plans of which it is known when they are posted or ready
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
