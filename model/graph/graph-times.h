// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_TIMES_H
#define GRAPH_TIMES_H

#include "gpu-spans.h"
#include "graph-leg.h"
#include "graph-record.h"

#include "ns3/rails-message.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
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
    /// What led to an event.
    struct Way
    {
        std::vector<TimePs> times;      //!< by kind, from the start on
        std::shared_ptr<GraphLeg> last; //!< the last message on the way, if somebody watches
    };

    /// The way to an event; null: no time so far.
    using Path = std::shared_ptr<const Way>;

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

    /// \param watch told of messages; has to live as long as there are paths. Null: nobody watches
    void SetWatch(LegWatch* watch);

    /// Before the run: keeps when GPUs compute, and when they have nodes of a kind under way.
    void KeepSpans(uint16_t kind);

    /// \return that, by GPU; empty unless it is kept
    const std::vector<GpuSpans>& GetSpans() const;

    /// \return a path, and behind it a time of a kind
    Path Extend(const Path& path, uint16_t kind, TimePs time) const;

    /// \return the same, of a time that the program says
    Path ExtendAsGiven(const Path& path, uint16_t kind, TimePs time) const;

    /// \return a path, and behind it the time from a post to the acknowledgement of a message
    Path ExtendByReply(const Path& path, const Message& message, TimePs posted) const;

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

    /// The sender of a message knows that it has arrived.
    void Acknowledge(const Message& message);

    /// A GPU will send something in a step.
    void Plan(uint16_t kind, uint32_t step, uint32_t gpu, const Demand& demand);

    /// \return the last leg of the critical path; null: nobody watches, or it has none
    std::shared_ptr<const GraphLeg> GetLastLeg() const;

    /// \return when the last node was over
    TimePs GetEnd() const;

    /// Counts what goes on as well, up to a time at which nothing before it is missing.
    void CountUpTo(TimePs at);

    /// \return the sums, when all nodes are over, or up to CountUpTo()
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
    Path AddLeg(const Path& path, uint16_t kind, TimePs time, std::shared_ptr<LegNote> note) const;

    bool m_isKept;
    LegWatch* m_watch{nullptr};
    std::unordered_map<uint64_t, Sent> m_sent; //!< by step and GPU
    std::vector<Gpu> m_gpus;
    std::optional<uint16_t> m_spanKind;
    std::vector<GpuSpans> m_spans; //!< by GPU
    GraphRecord m_record;
    Path m_last; //!< to the end of the node that was over last
};

} // namespace ns3::rails

#endif // GRAPH_TIMES_H
