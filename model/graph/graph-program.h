// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_PROGRAM_H
#define GRAPH_PROGRAM_H

#include "graph-barrier.h"
#include "graph-record.h"
#include "graph-repetition.h"
#include "graph-scaling.h"

#include "ns3/cluster-shape.h"
#include "ns3/collective-record.h"
#include "ns3/comm-op.h"
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

/// A node of a stream of a GPU.
struct GraphNode
{
    /// Type of a node.
    enum class Type : uint8_t
    {
        Compute,  //!< takes a fixed time
        Transfer, //!< sends to other GPUs and receives from them, in steps that follow each other
        Barrier   //!< waits for all members, then for a delay. Without a delay members go on at the
        //!< very end of the instant, and their next sends are planned together
    };

    /// A dependency on a node of another stream of the same GPU.
    struct Wait
    {
        uint32_t stream;
        uint64_t count; //!< number of nodes of that stream that have to be over
    };

    /// A part of the GPU's execution units (SMs).
    struct Share
    {
        uint32_t taken{0};
        uint32_t of{1}; //!< equal for all nodes of a GPU that take a share
    };

    static constexpr uint32_t kOwnUnit = std::numeric_limits<uint32_t>::max(); //!< its stream

    Type type{Type::Compute};
    uint16_t kind{0};        //!< index in GraphProgram::GetKinds(), for its time and its bytes
    TimePs duration{0};      //!< of compute; delay of a barrier
    bool isOnHost{false};    //!< of compute: runs on the server's CPU, the GPU may idle meanwhile
    uint32_t unit{kOwnUnit}; //!< of compute: execution unit of the GPU, shared by several streams;
    //!< it runs ready nodes one after the other, first come first served
    /// Of a transfer: the number of its first step, the others follow. Of a barrier: its number.
    /// Equal on all members, and unique among the transfers and barriers of the run.
    uint32_t step{0};
    std::shared_ptr<const CommOp> transfer{};
    std::shared_ptr<const GraphBarrier> barrier{};
    Share share{}; //!< of a transfer: taken from compute nodes while it is under way
    std::vector<Wait> waits{};

    /// Makes it a node of a transfer.
    void Move(std::shared_ptr<const CommOp> what)
    {
        type = Type::Transfer;
        transfer = std::move(what);
    }

    /// Makes it a node of a barrier. \param delay from the arrival of the last member
    void Meet(std::shared_ptr<const GraphBarrier> where, TimePs delay)
    {
        type = Type::Barrier;
        barrier = std::move(where);
        duration = delay;
    }
};

/// Estimated work of a run of a program.
struct GraphWork
{
    double bytes{0};    //!< payload, the mean over all random draws
    double outside{0};  //!< part of `bytes` that goes to other servers
    double messages{0}; //!< from GPU to GPU
    double cost{0};     //!< of messages and nodes, in messages of an exchange in a small group
    double cut{0};      //!< messages of exchanges, which balancers cut into chunks
    double cutBytes{0}; //!< payload of these messages
    double seconds{0};  //!< processor time of decisions before the run
};

class ReplicaFold;

/// GPUs of one job: when one of them fails, the work of all is lost.
struct GraphParty
{
    std::string name;           //!< of a job; empty where all GPUs are one party
    std::vector<uint32_t> gpus; //!< of the cluster
    uint32_t iterations{1};     //!< of equally many nodes on each stream
};

/// Progress of a run, for display.
struct GraphAdvance
{
    double work{0};         //!< estimated part of the run's work that is done, from 0 to 1
    uint32_t iteration{0};  //!< iterations that are over on all GPUs
    uint32_t iterations{1}; //!< in all
    std::string round{};    //!< name of the parts of an iteration: "micro-batch"
    uint32_t rounds{1};     //!< parts of an iteration
    uint32_t inRound{0};    //!< parts of this iteration that are over on all GPUs
};

/**
 * The operations of a cluster's GPUs: for each GPU, streams of nodes. A node begins when the node
 * before it on its stream and its dependencies on other streams of the GPU (GraphNode::Wait) are
 * over. GPUs depend on each other only through transfers and barriers.
 *
 * A run asks for nodes one after the other and drops them afterwards, so a program may unroll
 * layers and micro-batches on the fly. Results depend only on the arguments, not on the order of
 * calls.
 */
class GraphProgram
{
  public:
    virtual ~GraphProgram() = default;

    virtual const ClusterShape& GetShape() const = 0;

    /// \return names of the kinds of nodes: "forward", "gradients"
    virtual const std::vector<std::string>& GetKinds() const = 0;

    /// \return largest number of streams of a GPU
    virtual uint32_t GetStreams() const = 0;

    /// \return number of streams of a GPU, where GPUs differ
    virtual uint32_t CountStreams(uint32_t /* gpu */) const
    {
        return GetStreams();
    }

    /**
     * \param gpu of the cluster
     * \param stream below GetStreams()
     * \param index of the node on its stream, from 0
     * \param node output
     * \return false when the stream has no more nodes
     */
    virtual bool GetNode(uint32_t gpu, uint32_t stream, uint64_t index, GraphNode& node) const = 0;

    /// \return number of nodes of a stream; by default, counted with GetNode()
    virtual uint64_t CountNodes(uint32_t gpu, uint32_t stream) const
    {
        uint64_t count = 0;
        for (GraphNode node; GetNode(gpu, stream, count, node); node = GraphNode())
        {
            ++count;
        }
        return count;
    }

    /// \return the repeated units of each iteration, if the whole run is to be extrapolated from a
    /// part; null: the whole program runs
    virtual std::unique_ptr<const GraphRepetition> FindRepetition() const
    {
        return nullptr;
    }

    /// \return an estimator of the whole of which this program is a part; the program has to
    /// outlive it. Null: this program is the whole
    virtual std::unique_ptr<GraphScaling> FindScaling() const
    {
        return nullptr;
    }

    /// \return the estimated work of a run, before anything is drawn; 0 by default
    virtual GraphWork EstimateWork() const
    {
        return {};
    }

    /// \return number of iterations
    virtual uint32_t GetIterations() const
    {
        return 1;
    }

    /// \return the whole traffic as phases, for bounds and results; by default as one phase
    virtual WorkloadSchedule GetSchedule() const
    {
        WorkloadSchedule schedule = MakeOneExchange(GetTotal());
        schedule.iterations = GetIterations();
        return schedule;
    }

    // The functions below need a call of GetTotal() before.

    /**
     * \param seconds of an iteration
     * \param record of the run if it is a run of this program alone; otherwise null
     * \return derived metrics, by key of result.json
     */
    virtual std::vector<std::pair<std::string, double>> GetFigures(
        [[maybe_unused]] double seconds,
        [[maybe_unused]] const GraphRecord* record) const
    {
        return {};
    }

    /**
     * \param record of a finished run
     * \return results of each job, where there are several
     */
    virtual std::vector<JobRecord> DescribeJobs([[maybe_unused]] const GraphRecord& record) const
    {
        return {};
    }

    /// \return sentences for the notes of the result
    virtual std::vector<std::string> GetNotes() const
    {
        return {};
    }

    /// \return the parties; empty: all GPUs are one party, with GetIterations()
    virtual std::vector<GraphParty> GetParties() const
    {
        return {};
    }

    /**
     * \param countOver returns the number of nodes of a stream that are over
     * \return the progress; nothing when the program would have to walk through its nodes for it
     */
    virtual std::optional<GraphAdvance> FindAdvance(
        [[maybe_unused]] const std::function<uint64_t(uint32_t gpu, uint32_t stream)>& countOver)
        const
    {
        return std::nullopt;
    }

    /// \return bytes moved in the whole run
    virtual TrafficMatrix GetTotal() const = 0;

    /// \return the algorithms of its collectives, by kind
    virtual std::vector<CollectiveRecord> GetCollectives() const
    {
        return {};
    }

    /**
     * \return GPUs, ascending, of each data-parallel replica, in the order in which replicas send
     * to each other; candidates for folding (FindDifference()). Empty: no replicas
     */
    virtual std::vector<std::vector<uint32_t>> GetReplicas() const
    {
        return {};
    }

    /// \return the GPU that receives the messages from one GPU to another: the latter, or its
    /// counterpart in a replica that runs
    virtual uint32_t FindReceiver(uint32_t /* from */, uint32_t to) const
    {
        return to;
    }

    /// \return the replicas, where only some of them run and represent all; null: all GPUs run
    virtual const ReplicaFold* GetFold() const
    {
        return nullptr;
    }

    /**
     * \return true when all GPUs have the same phases, each of them one node between two barriers
     * without delay: a run records times of phases instead of times of nodes
     */
    virtual bool HasPhases() const
    {
        return false;
    }
};

} // namespace ns3::rails

#endif // GRAPH_PROGRAM_H
