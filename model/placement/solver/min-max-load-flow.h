// SPDX-License-Identifier: GPL-2.0-only
#ifndef MIN_MAX_LOAD_FLOW_H
#define MIN_MAX_LOAD_FLOW_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/**
 * Smallest possible largest load of a GPU when tokens of each expert are split over its hosts: the
 * value of BalancedSplit, without the split.
 *
 * The method is a push-relabel maximum flow in which unplaced tokens wait at their experts. Each
 * round computes the distance of experts from GPUs with room. Then, from the farthest experts on,
 * waiting tokens take room, or displace tokens of experts nearer to room, which wait instead. If
 * tokens wait at experts without a path to room, the GPUs that they reach are full of tokens that
 * cannot move either. The largest load then rises by these waiting tokens over these GPUs, rounded
 * up. So the load never exceeds the minimum, and placed tokens stay placed.
 */
class MinMaxLoadFlow
{
  public:
    /**
     * \param hosts GPUs by expert, each once; experts with fewer than two hosts are ignored
     * \param gpus number of GPUs
     */
    MinMaxLoadFlow(const std::vector<std::vector<uint32_t>>& hosts, uint32_t gpus);

    /**
     * \param loads tokens by expert; experts with fewer than two hosts are ignored
     * \param fixedLoads further tokens by GPU
     * \param from lower bound of the largest load, at least the largest fixed load
     * \param limit exclusive upper bound of the search
     * \return the largest load; nothing if it is not below the limit
     */
    std::optional<uint64_t> Find(const std::vector<uint64_t>& loads,
                                 const std::vector<uint64_t>& fixedLoads,
                                 uint64_t from,
                                 uint64_t limit);

  private:
    /// An expert and a GPU that holds it.
    struct Replica
    {
        uint32_t expert;
        uint32_t gpu;
        uint64_t tokens;
    };

    void PlaceFirst(const std::vector<uint64_t>& loads, uint64_t largest);
    void FindDistances(uint64_t largest);
    uint64_t FindRise() const;
    void MoveNearer(uint64_t largest);
    void MoveNearer(uint32_t expert, Replica& replica, uint64_t largest);

    std::vector<Replica> m_replicas;          //!< replicas grouped by expert
    std::vector<std::size_t> m_firstOfExpert; //!< first replica by expert, and one past the last
    std::vector<std::size_t> m_ofGpus;        //!< replica numbers grouped by GPU
    std::vector<std::size_t> m_firstOfGpu;    //!< in m_ofGpus, and one past the last
    std::vector<uint64_t> m_waiting;          //!< tokens without a place, by expert
    std::vector<uint64_t> m_loads;            //!< by GPU
    std::vector<uint32_t> m_expertDistances;  //!< from a GPU with room, in replicas
    std::vector<uint32_t> m_gpuDistances;     //!< likewise, by GPU
    std::vector<uint32_t> m_nearFirst;        //!< experts with a path to room, nearest first
    std::vector<uint32_t> m_reached; //!< GPUs with a path to room, in the order of the search
};

} // namespace ns3::rails

#endif // MIN_MAX_LOAD_FLOW_H
