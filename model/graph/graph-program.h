// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_PROGRAM_H
#define GRAPH_PROGRAM_H

#include "graph-barrier.h"
#include "graph-record.h"
#include "graph-repetition.h"
#include "graph-scaling.h"
#include "graph-transfer.h"

#include "ns3/cluster-shape.h"
#include "ns3/collective-record.h"
#include "ns3/rails-units.h"
#include "ns3/traffic-matrix.h"
#include "ns3/workload-schedule.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// One thing that a GPU does on one of its streams.
struct GraphNode
{
    /// What it does.
    enum class Type : uint8_t
    {
        Compute,  //!< takes a time, whatever others do
        Transfer, //!< sends to other GPUs and gets from them, in steps that follow each other
        Barrier   //!< waits for the other members, and then for a delay; without a delay all go on
                  //!< behind all else of an instant, and what they send next is planned together
    };

    /// A node of another stream of the same GPU that has to be over: an edge of data.
    struct Wait
    {
        uint32_t stream;
        uint64_t count; //!< how many nodes of that stream have to be over
    };

    /// A part of what a GPU computes with.
    struct Share
    {
        uint32_t taken{0};
        uint32_t of{1}; //!< the same for all nodes of a GPU that take something
    };

    static constexpr uint32_t kOwnUnit = std::numeric_limits<uint32_t>::max(); //!< its stream

    Type type{Type::Compute};
    uint16_t kind{0};        //!< what its time and its bytes count as, see GraphProgram::GetKinds()
    TimePs duration{0};      //!< of compute; delay of a barrier
    bool isOnHost{false};    //!< of compute: the server's CPU does it, the GPU may wait meanwhile
    uint32_t unit{kOwnUnit}; //!< of compute: which unit of the GPU, shared with other streams, does
                             //!< it; nodes that could begin follow each other, first come first
    /// Of a transfer: the number of its first step, the others follow; of a barrier: its number.
    /// All GPUs that take part have the same, and no other transfer or barrier of the run has it.
    uint32_t step{0};
    std::shared_ptr<const GraphTransfer> transfer{};
    std::shared_ptr<const GraphBarrier> barrier{};
    Share share{}; //!< of a transfer, that it takes from the GPU's computing while it is under way
    std::vector<Wait> waits{};

    /// Makes it a node of a transfer.
    void Move(std::shared_ptr<const GraphTransfer> what)
    {
        type = Type::Transfer;
        transfer = std::move(what);
    }

    /// Makes it a node of a barrier. \param delay from the last member's coming
    void Meet(std::shared_ptr<const GraphBarrier> where, TimePs delay)
    {
        type = Type::Barrier;
        barrier = std::move(where);
        duration = delay;
    }
};

/// What a run of a program has to do, about.
struct GraphWork
{
    double bytes{0};    //!< of payload, the mean over all draws
    double outside{0};  //!< of these, those that go to other servers
    double messages{0}; //!< from GPU to GPU
    double cost{0};     //!< of messages and nodes, in messages of an exchange among few
    double cut{0};      //!< of these, those of exchanges, which planners cut
    double cutBytes{0}; //!< that these have
    double seconds{0};  //!< of a processor, for what is decided before the run
};

class ReplicaFold;

/// GPUs that do something together: when one of them fails, what all have done is lost.
struct GraphParty
{
    std::string name;           //!< of a job; empty where all GPUs are one
    std::vector<uint32_t> gpus; //!< of the cluster
    uint32_t iterations{1};     //!< of equally many nodes on each stream
};

/// How far a program is, for people who wait for it.
struct GraphAdvance
{
    double work{0};         //!< part of all that a run has to do for it, from 0 to 1, about
    uint32_t iteration{0};  //!< how many are over on all GPUs
    uint32_t iterations{1}; //!< in all
    std::string round{};    //!< what the parts of an iteration are called: "micro-batch"
    uint32_t rounds{1};     //!< parts of an iteration
    uint32_t inRound{0};    //!< how many of the iteration are over on all GPUs
};

/**
 * What the GPUs of a cluster do: for each GPU streams of nodes. A node begins when the node before
 * it on its stream is over, and those of other streams of the same GPU that it waits for. GPUs wait
 * for each other through transfers and barriers alone.
 *
 * Nodes are asked for one after the other as the run comes to them, and nothing is kept of them
 * behind that: a program may unroll layers and micro-batches as it goes. Answers depend on nothing
 * but the arguments, so they do not depend on who asks first.
 */
class GraphProgram
{
  public:
    virtual ~GraphProgram() = default;

    virtual const ClusterShape& GetShape() const = 0;

    /// \return names of what nodes count as: "forward", "gradients"
    virtual const std::vector<std::string>& GetKinds() const = 0;

    /// \return how many streams a GPU has at most
    virtual uint32_t GetStreams() const = 0;

    /// \return how many streams a GPU has, where they have different numbers of them
    virtual uint32_t CountStreams(uint32_t /* gpu */) const
    {
        return GetStreams();
    }

    /**
     * \param gpu one of the cluster
     * \param stream below GetStreams()
     * \param index of the node on its stream, from 0
     * \param node is set to the node
     * \return false when the stream has no more nodes
     */
    virtual bool GetNode(uint32_t gpu, uint32_t stream, uint64_t index, GraphNode& node) const = 0;

    /// \return how many nodes a stream has in all; nodes are asked for to find that, by default
    virtual uint64_t CountNodes(uint32_t gpu, uint32_t stream) const
    {
        uint64_t count = 0;
        for (GraphNode node; GetNode(gpu, stream, count, node); node = GraphNode())
        {
            ++count;
        }
        return count;
    }

    /// \return what is done again and again in each iteration, if all of it is to be told from a
    /// part; null: all of it is run
    virtual std::unique_ptr<const GraphRepetition> FindRepetition() const
    {
        return nullptr;
    }

    /// \return what estimates all of which the program is a part, from a run of it, which the
    /// program has to outlive; null: it is no part
    virtual std::unique_ptr<GraphScaling> FindScaling() const
    {
        return nullptr;
    }

    /// \return what a run of it has to do, known before anything is drawn; by default nothing
    virtual GraphWork EstimateWork() const
    {
        return {};
    }

    /// \return how many iterations all of it is
    virtual uint32_t GetIterations() const
    {
        return 1;
    }

    /// \return all that is moved, as phases: for bounds and results. By default as one
    virtual WorkloadSchedule GetSchedule() const
    {
        WorkloadSchedule schedule = MakeOneExchange(GetTotal());
        schedule.iterations = GetIterations();
        return schedule;
    }

    // What follows is known once all that is moved has been asked for (GetTotal()).

    /**
     * \param seconds that an iteration took
     * \return what follows from that, by names of keys in results
     */
    virtual std::vector<std::pair<std::string, double>> GetFigures(
        [[maybe_unused]] double seconds) const
    {
        return {};
    }

    /**
     * \param record of a run that is finished
     * \return what became of each job, where there are several
     */
    virtual std::vector<JobRecord> DescribeJobs([[maybe_unused]] const GraphRecord& record) const
    {
        return {};
    }

    /// \return sentences that a reader of the result has to know
    virtual std::vector<std::string> GetNotes() const
    {
        return {};
    }

    /// \return who does something together; empty: all GPUs, as many times as there are iterations
    virtual std::vector<GraphParty> GetParties() const
    {
        return {};
    }

    /**
     * \param countOver how many nodes of a stream of a GPU are over
     * \return how far that is, where the program can tell without going through its nodes
     */
    virtual std::optional<GraphAdvance> FindAdvance(
        [[maybe_unused]] const std::function<uint64_t(uint32_t gpu, uint32_t stream)>& countOver)
        const
    {
        return std::nullopt;
    }

    /// \return all that is moved
    virtual TrafficMatrix GetTotal() const = 0;

    /// \return how the kinds of its collectives are done
    virtual std::vector<CollectiveRecord> GetCollectives() const
    {
        return {};
    }

    /**
     * \return GPUs, ascending, of each of the replicas that may do the same, as far as can be told
     * from who does what; in the order in which they send to each other. None: there are none
     */
    virtual std::vector<std::vector<uint32_t>> GetReplicas() const
    {
        return {};
    }

    /// \return the GPU whose node gets what one sends to another: that other one, or of replicas
    /// that answer for all its counterpart
    virtual uint32_t FindReceiver(uint32_t /* from */, uint32_t to) const
    {
        return to;
    }

    /// \return the replicas of which only some are run, and answer for all; null: all are run
    virtual const ReplicaFold* GetFold() const
    {
        return nullptr;
    }

    /**
     * \return true when all GPUs go through the same phases, each of them one node between two
     * barriers without delay: a run keeps the times of phases, in place of those of nodes
     */
    virtual bool HasPhases() const
    {
        return false;
    }
};

} // namespace ns3::rails

#endif // GRAPH_PROGRAM_H
