// SPDX-License-Identifier: GPL-2.0-only
#ifndef REPLICA_FOLD_H
#define REPLICA_FOLD_H

#include "ns3/cluster-shape.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ns3::rails
{

/**
 * Replicas that do the same at the same time, so that two of them are run and answer for all. What
 * one sends to another goes, from each of the two, to the other one: there it arrives when the
 * other's own goes to the next replica, and no NIC sends to itself, which one alone would have to.
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

    /// \return how many replicas one GPU's comes behind another's, in a circle
    uint32_t GetDistance(uint32_t from, uint32_t to) const;

    /**
     * Takes up that one GPU sends to another, as counterparts of both do. What a server sends to a
     * server of another replica must always go equally far, as queue pairs of the two are then as
     * many as those of the two that are run.
     * \return false when it does not
     */
    bool AddPair(uint32_t from, uint32_t to);

    /// A step of a lane, both by their numbers in the program; a lane is known by its first step.
    struct LaneStep
    {
        uint32_t lane;
        uint32_t step;
    };

    /**
     * Takes up that a GPU of the first replica sends something to another, where replicas may send
     * a little more or less.
     * \return false when what goes to the counterpart of that GPU in these steps of the lane comes
     * from another distance, too
     */
    bool AddArrival(const LaneStep& at, uint32_t from, uint32_t to);

    /// \return the GPU that gets in a step what the counterpart of a GPU is to get, if all replicas
    /// send what the first sends
    uint32_t FindReceiver(const LaneStep& at, uint32_t gpu) const;

    /// \return who gets what a GPU that is run sends to another
    uint32_t Fold(uint32_t from, uint32_t to) const;

    /**
     * \param from a GPU of the first replica
     * \param to what Fold() returned for it and another
     * \return how far that other one is from it, in replicas
     */
    uint32_t GetRealDistance(uint32_t from, uint32_t to) const;

    /// \return the counterpart of a GPU in a replica, which are counted in a circle
    uint32_t MoveTo(uint32_t gpu, uint32_t replica) const
    {
        return GetGpu(replica % CountReplicas(), GetPlace(gpu));
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

    /// What comes to a GPU in steps of a lane that follow each other.
    struct Arrivals
    {
        uint32_t distance;
        uint32_t first;
        uint32_t last;
    };

    uint64_t MakeKey(uint32_t from, uint32_t to) const;

    ClusterShape m_shape;
    std::vector<std::vector<uint32_t>> m_replicas;
    std::vector<Home> m_homes; //!< by GPU
    /// Of servers of different replicas, by their places: how far what goes from one to the other
    /// goes.
    std::unordered_map<uint64_t, uint32_t> m_distances;
    std::unordered_map<uint64_t, std::vector<Arrivals>> m_arrivals; //!< by lane and place
};

} // namespace ns3::rails

#endif // REPLICA_FOLD_H
