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
 * Replicas that do the same at the same time, so that two of them are run and answer for all. What
 * one sends to others goes, from each of the two, to the other one: there it arrives when the
 * other's own goes elsewhere, and no NIC sends to itself, which one alone would have to. It keeps
 * queue pairs of its own for each replica that it sends to (FindCrossing()).
 *
 * GPUs of a replica are known by their place in it, and servers likewise: a replica has whole
 * servers. GPUs of the same place are counterparts.
 */
class ReplicaFold
{
  public:
    static constexpr uint32_t kComputed = 2; //!< the first so many replicas are run

    /**
     * \param shape the cluster
     * \param replicas GPUs of each, ascending; together they are all GPUs of the cluster
     */
    ReplicaFold(const ClusterShape& shape, std::vector<std::vector<uint32_t>> replicas);

    /// \return true when replicas have as many GPUs, whole servers, and counterparts have the same
    /// place in their servers
    static bool Fits(const ClusterShape& shape, const std::vector<std::vector<uint32_t>>& replicas);

    uint32_t CountReplicas() const
    {
        return static_cast<uint32_t>(m_replicas.size());
    }

    /// \return how many GPUs a replica has
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

    /// \return true when a GPU is of a replica that is run
    bool IsComputed(uint32_t gpu) const
    {
        return GetReplica(gpu) < kComputed;
    }

    /// \return the server in the first replica that answers for one
    uint32_t FindComputedServer(uint32_t server) const;

    /**
     * Takes up that, in a channel, what the first replica sends to one goes, from another replica,
     * to a target.
     * \param first replica that gets it from the first one
     * \return false when something else is known of either
     */
    bool AddCrossing(uint16_t channel, uint32_t first, uint32_t from, uint32_t target);

    /// \return false when some replica gets more from others than another one, or sends to fewer:
    /// what comes to those that are run would not be what comes to all
    bool IsEven() const;

    /// \return number of the way by which a GPU that is run sends to one of another replica, from
    /// 1 (Message::crossing); 0: both are in one replica
    uint32_t FindCrossing(uint16_t channel, uint32_t from, uint32_t to) const;

    /// \param crossing what FindCrossing() returned
    /// \return the replica to which another one sends by that way
    uint32_t GetTarget(uint32_t crossing, uint32_t from) const
    {
        return crossing == 0 ? from : m_crossings[crossing - 1].targets[from];
    }

    /// A step of a lane, both by their numbers in the program; a lane is known by its first step.
    struct LaneStep
    {
        uint32_t lane;
        uint32_t step;
    };

    /**
     * Takes up who gets something from the first replica, where replicas may send a little more or
     * less.
     * \param to a GPU that gets something from the first replica
     * \return false when in these steps of the lane a counterpart of that GPU does, too
     */
    bool AddArrival(const LaneStep& at, uint32_t to);

    /// \return the GPU that gets in a step what the counterpart of a GPU is to get, if all replicas
    /// send what the first sends
    uint32_t FindReceiver(const LaneStep& at, uint32_t gpu) const;

    /// \return who gets what a GPU that is run sends to another
    uint32_t Fold(uint32_t from, uint32_t to) const;

    /// \return the counterpart of a GPU in a replica
    uint32_t MoveTo(uint32_t gpu, uint32_t replica) const
    {
        return GetGpu(replica, GetPlace(gpu));
    }

    /// \return what all replicas have together. \param amount of those that are run
    uint64_t Multiply(uint64_t amount) const
    {
        return amount / kComputed * CountReplicas();
    }

    /// \return the same
    double Multiply(double amount) const
    {
        return amount / kComputed * CountReplicas();
    }

    /// \return what those that are run have of what all have
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

    /// What each replica sends to another one, in a channel.
    struct Crossing
    {
        uint16_t channel;
        std::vector<uint32_t> targets; //!< by replica
    };

    /// What the first replica sends in steps of a lane that follow each other.
    struct Arrivals
    {
        uint32_t replica; //!< that gets it
        uint32_t first;
        uint32_t last;
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
    /// Their numbers by channel and target, for each replica that is run.
    std::array<std::unordered_map<uint64_t, uint32_t>, kComputed> m_numbers;
    std::unordered_map<uint64_t, std::vector<Arrivals>> m_arrivals; //!< by lane and place
};

} // namespace ns3::rails

#endif // REPLICA_FOLD_H
