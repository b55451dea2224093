// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_PROGRAM_H
#define GRAPH_PROGRAM_H

#include "ns3/cluster-shape.h"
#include "ns3/collective-record.h"
#include "ns3/rails-units.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <limits>
#include <string>
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

    static constexpr uint32_t kOwnUnit = std::numeric_limits<uint32_t>::max(); //!< its stream

    Type type{Type::Compute};
    uint16_t kind{0};        //!< what its time and its bytes count as, see GraphProgram::GetKinds()
    TimePs duration{0};      //!< of compute; delay of a barrier
    bool isOnHost{false};    //!< of compute: the server's CPU does it, the GPU may wait meanwhile
    uint32_t unit{kOwnUnit}; //!< of compute: which unit of the GPU, shared with other streams, does
                             //!< it; nodes that could begin follow each other, first come first
    uint32_t step{0};    //!< of a transfer: the number of its first step; of a barrier: its number
    uint32_t steps{1};   //!< of a transfer, how many; they have numbers that follow each other
    uint32_t lanes{1};   //!< of a transfer: into how many equal parts its steps are divided; the
                         //!< steps of a lane follow each other, and lanes do not wait for others
    bool isDrawn{false}; //!< of a transfer: what a GPU sends is not known before it gets there, so
                         //!< that a server plans when the last of its members has got there
    /// Of a transfer: the exchange of a group, all-to-all; all else may be placed on rails by a
    /// planner of its own (Planner::GetOther()).
    bool isExchange{true};
    uint16_t channel{0}; //!< of a transfer: that of its messages (Message::channel)
    /// Of a transfer: each step is posted at a time of its own (GraphProgram::GetStart()), whatever
    /// has become of those before.
    bool isTimed{false};
    /// Of a transfer: it is over on a GPU when the GPU has got all bytes for it; otherwise the GPU
    /// must know that its own have arrived as well.
    bool isOverWhenGot{false};
    /// Of a transfer: somebody acts on single messages; otherwise on the end of all alone, and the
    /// service may tell of the others late (Message::isAwaited).
    bool isAwaited{true};
    bool movesCircuits{false}; //!< of a barrier: circuits are moved for what its members announce,
                               //!< see GraphProgram::GetAnnounced(), while it delays them
    bool isForeseen{false};    //!< of such a barrier: they announce what they expect to send
    bool isOnWayBack{false};   //!< of such a barrier: what they announce belongs to the way back
    std::vector<Wait> waits{};
};

/// GPUs that do something together: when one of them fails, what all have done is lost.
struct GraphParty
{
    std::string name;           //!< of a job; empty where all GPUs are one
    std::vector<uint32_t> gpus; //!< of the cluster
    uint32_t iterations{1};     //!< of equally many nodes on each stream
};

/**
 * What the GPUs of a cluster do: for each GPU streams of nodes. A node begins when the node before
 * it on its stream is over, and those of other streams of the same GPU that it waits for. GPUs wait
 * for each other through transfers and barriers alone.
 *
 * Nodes are asked for one after the other as the run comes to them, and nothing is kept of them
 * behind that: a program may unroll layers and micro-batches as it goes. Answers depend on nothing
 * but the arguments, so they do not depend on who asks first.
 *
 * A step of a transfer has the same number on all GPUs that take part in it, and no other step of
 * the run has it. What a GPU is to send in a step may wait for what it gets in the one before: it
 * sends its part of a step when it has got all of the step before.
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

    /// \return who does something together; empty: all GPUs, as many times as the schedule says
    virtual std::vector<GraphParty> GetParties() const
    {
        return {};
    }

    /// \return what a GPU sends in a step, sorted by destination; none to itself
    virtual std::vector<Demand> GetSends(uint32_t gpu, uint32_t step) const = 0;

    /// \return bytes that a GPU gets in a step from all others together
    virtual uint64_t GetReceived(uint32_t gpu, uint32_t step) const = 0;

    /// \return when a step of a timed transfer is posted, from the begin of the transfer
    virtual TimePs GetStart(uint32_t) const
    {
        return 0;
    }

    /**
     * \return the rail on which what a GPU sends to other servers in a step leaves and arrives;
     * kNoRail: a planner decides
     */
    virtual uint16_t GetRail(uint32_t /* gpu */, uint32_t /* step */) const
    {
        return kNoRail;
    }

    /// \return GPUs of a server that take part in a step, ascending; of a timed transfer, those
    /// that send
    virtual std::vector<uint32_t> GetMembers(uint32_t server, uint32_t step) const = 0;

    /// \return the time of all of it if every transfer were over at once
    virtual TimePs GetComputeTime() const = 0;

    /// \return all that is moved
    virtual TrafficMatrix GetTotal() const = 0;

    /// \return how many GPUs of all servers take part in a barrier
    virtual uint32_t CountMembers(uint32_t barrier) const = 0;

    /// \return how the kinds of its collectives are done
    virtual std::vector<CollectiveRecord> GetCollectives() const
    {
        return {};
    }

    /// \return what a member of a barrier that moves circuits will send, sorted by destination
    virtual std::vector<Demand> GetAnnounced(uint32_t /* gpu */, uint32_t /* barrier */) const
    {
        return {};
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
