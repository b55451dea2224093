// SPDX-License-Identifier: GPL-2.0-only
#ifndef LEAST_LOAD_H
#define LEAST_LOAD_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/**
 * The smallest largest load of a GPU when tokens of each expert are split over the GPUs that hold
 * it: what BalancedSplit comes to, without the split.
 *
 * It is a maximum flow by push-relabel, where tokens without a place wait at their experts. A round
 * finds how far experts are from GPUs with room. Then those farthest go first: tokens that wait
 * take room, or the place of tokens whose expert is nearer to room, which wait in their stead.
 * Where tokens wait that no way leads from to room, the GPUs within their reach are full of tokens
 * that can go nowhere else either: the largest load rises by what waits, over these GPUs, rounded
 * up. So it never exceeds the smallest that suffices, and tokens that have a place keep it.
 */
class LeastLoad
{
  public:
    /**
     * \param hosts GPUs by expert, each once; experts with fewer than two have nothing to split
     * \param gpus how many GPUs there are
     */
    LeastLoad(const std::vector<std::vector<uint32_t>>& hosts, uint32_t gpus);

    /**
     * \param loads tokens by expert; those of experts with fewer than two hosts do not matter
     * \param fixedLoads tokens by GPU that it computes besides
     * \param from the smallest largest load that is looked at, no less than any fixed load
     * \param limit the first that is too large
     * \return the largest load, nothing if it is not below the limit
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

    std::vector<Replica> m_replicas;          //!< expert by expert
    std::vector<std::size_t> m_firstOfExpert; //!< and where the last expert's end
    std::vector<std::size_t> m_ofGpus;        //!< replicas, GPU by GPU
    std::vector<std::size_t> m_firstOfGpu;    //!< and where the last GPU's end
    std::vector<uint64_t> m_waiting;          //!< tokens without a place, by expert
    std::vector<uint64_t> m_loads;            //!< by GPU
    std::vector<uint32_t> m_expertDistances;  //!< from a GPU with room, in replicas
    std::vector<uint32_t> m_gpuDistances;     //!< likewise
    std::vector<uint32_t> m_nearFirst;        //!< experts from which there is a way to room
    std::vector<uint32_t> m_reached;          //!< GPUs, as they are found
};

} // namespace ns3::rails

#endif // LEAST_LOAD_H
