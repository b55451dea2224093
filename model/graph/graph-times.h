// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_TIMES_H
#define GRAPH_TIMES_H

#include "graph-record.h"

#include "ns3/rails-message.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3::rails
{

/**
 * Where the time of a graph goes: what each GPU does when, and the critical path. It only listens:
 * nothing in a run depends on it.
 *
 * The critical path is followed forward: whoever makes a node begin or end hands on its own path,
 * and the time since then, of the kind that took it. So the parts of the path to an event add up
 * to the time of the event.
 */
class GraphTimes
{
  public:
    /// Time by kind, from the start up to an event; null: none so far.
    using Path = std::shared_ptr<const std::vector<TimePs>>;

    /// \return what a GPU's part of a step is kept by
    static uint64_t MakeKey(uint32_t gpu, uint32_t step)
    {
        return uint64_t{step} << 32 | gpu;
    }

    /**
     * \param gpus of the cluster
     * \param kinds names of kinds
     * \param isKept whether anything is: without it all paths are null
     */
    GraphTimes(uint32_t gpus, const std::vector<std::string>& kinds, bool isKept = true);

    /// \return a path, and behind it a time of a kind
    Path Extend(const Path& path, uint16_t kind, TimePs time) const;

    /// A node of a GPU begins. \param isCompute whether the GPU computes meanwhile \param isOnHost
    /// whether the CPU of its server does
    void Begin(uint32_t gpu, uint16_t kind, bool isCompute, TimePs at, bool isOnHost = false);

    /// It is over. \param path the path to its end
    void End(uint32_t gpu, uint16_t kind, bool isCompute, TimePs at, const Path& path);

    /// A GPU posts its part of a step. \param path what made it do so
    void Post(uint32_t gpu, uint32_t step, uint64_t bytes, TimePs at, const Path& path);

    /**
     * A message has been delivered.
     * \param wantsPath whether somebody follows the path
     * \return the path to that, if so: its sender's, and its own time
     */
    Path Deliver(const Message& message, bool wantsPath = true);

    void AddBytes(uint16_t kind, uint64_t bytes);

    /// \return when the last node was over
    TimePs GetEnd() const;

    /// \return the sums, when all nodes are over
    GraphRecord GetRecord() const;

  private:
    /// What a GPU does.
    struct Gpu
    {
        TimePs since{0};
        uint32_t computing{0};          //!< compute nodes
        std::vector<uint32_t> active{}; //!< nodes, by kind
    };

    /// A GPU's part of a step that is posted and not all delivered.
    struct Sent
    {
        TimePs at;
        Path path;
        uint64_t bytes; //!< not delivered yet
    };

    void Count(Gpu& gpu, TimePs at);

    bool m_isKept;
    std::unordered_map<uint64_t, Sent> m_sent; //!< by step and GPU
    std::vector<Gpu> m_gpus;
    GraphRecord m_record;
    Path m_last; //!< to the end of the node that was over last
};

} // namespace ns3::rails

#endif // GRAPH_TIMES_H
