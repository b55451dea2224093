// SPDX-License-Identifier: GPL-2.0-only
#ifndef REPLICA_FOLD_H
#define REPLICA_FOLD_H

#include "ns3/cluster-shape.h"

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ns3::rails
{

/**
 * Data-parallel replicas that behave alike, so that two of them run and represent all. Messages of
 * each of the two to other replicas go to the other one of the two; with one replica a NIC would
 * have to send to itself. There they take the place of that replica's own messages, which leave for
 * the first. Each target replica keeps its own queue pairs (FindCrossing()).
 *
 * A replica has whole servers. GPUs with the same place in their replicas are counterparts.
 */
class ReplicaFold
{
  public:
    static constexpr uint32_t kComputed = 2; //!< number of replicas that run: the first ones

    /**
     * \param shape the cluster
     * \param replicas GPUs of each, ascending; together they are all GPUs of the cluster
     */
    ReplicaFold(const ClusterShape& shape, std::vector<std::vector<uint32_t>> replicas);

    /// \return true when replicas are equally large, have whole servers, and counterparts have the
    /// same index in their servers
    static bool Fits(const ClusterShape& shape, const std::vector<std::vector<uint32_t>>& replicas);

    uint32_t CountReplicas() const
    {
        return static_cast<uint32_t>(m_replicas.size());
    }

    /// \return number of GPUs of a replica
    uint32_t GetSize() const
    {
        return static_cast<uint32_t>(m_replicas.front().size());
    }

    uint32_t GetGpu(uint32_t replica, uint32_t place) const
    {
        return m_replicas[replica][place];
    }

    uint32_t GetReplica(uint32_t gpu) const
    {
        return m_homes[gpu].replica;
    }

    uint32_t GetPlace(uint32_t gpu) const
    {
        return m_homes[gpu].place;
    }

    /// \return true when a GPU's replica runs
    bool IsComputed(uint32_t gpu) const
    {
        return GetReplica(gpu) < kComputed;
    }

    /// \return the server of the first replica that represents a server
    uint32_t FindComputedServer(uint32_t server) const;

    /**
     * Records a pair of counterpart messages in a channel: the first replica sends to replica
     * `first`, replica `from` sends to replica `target`.
     * \return false when this contradicts an earlier record
     */
    bool AddCrossing(uint16_t channel, uint32_t first, uint32_t from, uint32_t target);

    /// \return false unless each crossing gives every replica one sender and one target: the
    /// traffic to the replicas that run would not represent the traffic to all
    bool IsEven() const;

    /// \return number of the crossing by which a GPU of a replica that runs sends to a GPU of
    /// another replica, from 1 (Message::crossing); 0: both are in one replica
    uint32_t FindCrossing(uint16_t channel, uint32_t from, uint32_t to) const;

    /// \param crossing from FindCrossing()
    /// \return the replica to which replica `from` sends by that crossing
    uint32_t GetTarget(uint32_t crossing, uint32_t from) const
    {
        return crossing == 0 ? from : m_crossings[crossing - 1].targets[from];
    }

    /// A step of a lane, both as step numbers of the program; a lane is named by its first step.
    struct LaneStep
    {
        uint32_t lane;
        uint32_t step;
    };

    /**
     * Records a receiver of the first replica's messages, where sizes may differ slightly.
     * \param to GPU that receives from the first replica
     * \return false when a counterpart of that GPU also does, in overlapping steps of the lane
     */
    bool AddArrival(const LaneStep& at, uint32_t to);

    /// \return the counterpart of a GPU that receives the first replica's messages in a step: the
    /// GPU receives as many bytes, if all replicas send what the first sends
    uint32_t FindReceiver(const LaneStep& at, uint32_t gpu) const;

    /// \return the GPU of a replica that runs which receives a message from one GPU to another
    uint32_t Fold(uint32_t from, uint32_t to) const;

    /// \return the counterpart of a GPU in a replica
    uint32_t MoveTo(uint32_t gpu, uint32_t replica) const
    {
        return GetGpu(replica, GetPlace(gpu));
    }

    /// \return the amount of all replicas. \param amount of the replicas that run
    uint64_t Multiply(uint64_t amount) const
    {
        return amount / kComputed * CountReplicas();
    }

    /// \return the amount of all replicas. \param amount of the replicas that run
    double Multiply(double amount) const
    {
        return amount / kComputed * CountReplicas();
    }

    /// \return the amount of the replicas that run. \param amount of all replicas
    uint64_t Divide(uint64_t amount) const
    {
        return amount / CountReplicas() * kComputed;
    }

  private:
    struct Home
    {
        uint32_t replica;
        uint32_t place;
    };

    /// A one-to-one mapping of sending to receiving replicas, in a channel.
    struct Crossing
    {
        uint16_t channel;
        std::vector<uint32_t> targets; //!< by replica
    };

    /// Receiver of the first replica's messages in consecutive steps of a lane.
    struct Arrivals
    {
        uint32_t replica; //!< of the receiver
        uint32_t first;   //!< step
        uint32_t last;    //!< step
    };

    static constexpr uint32_t kUnknown = 0xffffffff;

    static uint64_t MakeKey(uint16_t channel, uint32_t target)
    {
        return uint64_t{channel} << 32 | target;
    }

    ClusterShape m_shape;
    std::vector<std::vector<uint32_t>> m_replicas;
    std::vector<Home> m_homes; //!< by GPU
    std::vector<Crossing> m_crossings;
    /// Numbers of crossings by channel and target, for each replica that runs.
    std::array<std::unordered_map<uint64_t, uint32_t>, kComputed> m_numbers;
    std::unordered_map<uint64_t, std::vector<Arrivals>> m_arrivals; //!< by lane and place
};

} // namespace ns3::rails

#endif // REPLICA_FOLD_H
