// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_TIMES_H
#define GRAPH_TIMES_H

#include "gpu-spans.h"
#include "graph-record.h"
#include "path-segment.h"

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
 * Times of a graph: the activity of each GPU, and the critical path. It only records: a run does
 * not depend on it.
 *
 * The critical path is found forward. The event that makes a node begin or end passes on its own
 * path, extended by the time since then and its kind. So the parts of a path to an event add up to
 * the time of the event.
 */
class GraphTimes
{
  public:
    /// The chain of events that led to an event.
    struct Way
    {
        std::vector<TimePs> times;         //!< by kind, from the start of the run
        std::shared_ptr<PathSegment> last; //!< the last messages on the path; needs SetWatch()
    };

    /// The path to an event; null: no time so far.
    using Path = std::shared_ptr<const Way>;

    /// \return the key of a GPU's part of a step
    static uint64_t MakeKey(uint32_t gpu, uint32_t step)
    {
        return uint64_t{step} << 32 | gpu;
    }

    /**
     * \param gpus of the cluster
     * \param kinds names of kinds
     * \param isKept false: nothing is recorded, and all paths are null
     */
    GraphTimes(uint32_t gpus, const std::vector<std::string>& kinds, bool isKept = true);

    /// \param watch hears of messages; must outlive all paths. Null: no watch
    void SetWatch(SegmentWatch* watch);

    /// Before the run: records when GPUs compute, and when they have nodes of a kind under way.
    void KeepSpans(uint16_t kind);

    /// \return the spans of KeepSpans(), by GPU; empty without that call
    const std::vector<GpuSpans>& GetSpans() const
    {
        return m_spans;
    }

    /// \return a path extended by a time of a kind
    Path Extend(const Path& path, uint16_t kind, TimePs time) const;

    /// \return a path extended by a time that the program prescribes
    Path ExtendAsGiven(const Path& path, uint16_t kind, TimePs time) const;

    /// \return a path extended by the time from the post of a message to its acknowledgement
    Path ExtendByReply(const Path& path, const Message& message, TimePs posted) const;

    /// A node of a GPU begins. \param isCompute true when it runs on the GPU \param isOnHost true
    /// when it runs on the CPU of the server
    void Begin(uint32_t gpu, uint16_t kind, bool isCompute, TimePs at, bool isOnHost = false);

    /// A node of a GPU is over. \param path to its end
    void End(uint32_t gpu, uint16_t kind, bool isCompute, TimePs at, const Path& path);

    /// A GPU posts its part of a step. \param path to the post
    void Post(uint32_t gpu, uint32_t step, uint64_t bytes, TimePs at, const Path& path);

    /**
     * A message has been delivered.
     * \param wantsPath true when the delivery may be on the critical path
     * \return the path to the delivery: the path to its post, and its own time; null unless wanted
     */
    Path Deliver(const Message& message, bool wantsPath = true);

    /// A message has been acknowledged.
    void Acknowledge(const Message& message);

    /// A GPU will send a demand in a step.
    void Plan(uint16_t kind, uint32_t step, uint32_t gpu, const Demand& demand);

    /// \return the last segment of the critical path; null without messages or SetWatch()
    std::shared_ptr<const PathSegment> GetLastSegment() const;

    /// \return end of the last node
    TimePs GetEnd() const;

    /// Counts nodes under way as well, up to a time before which all events are known.
    void CountUpTo(TimePs at);

    /// \return the sums, when all nodes are over, or up to CountUpTo()
    GraphRecord GetRecord() const;

  private:
    /// Activity of a GPU.
    struct Gpu
    {
        TimePs since{0};                //!< time up to which it has been counted
        uint32_t computing{0};          //!< compute nodes under way
        std::vector<uint32_t> active{}; //!< nodes under way, by kind
    };

    /// A GPU's part of a step that is posted and not all delivered.
    struct Sent
    {
        TimePs at;
        Path path;
        uint64_t bytes; //!< not delivered yet
    };

    void Count(Gpu& gpu, TimePs at);
    Path AddSegment(const Path& path,
                    uint16_t kind,
                    TimePs time,
                    std::shared_ptr<SegmentNote> note) const;

    bool m_isKept;
    SegmentWatch* m_watch{nullptr};
    std::unordered_map<uint64_t, Sent> m_sent; //!< by step and GPU
    std::vector<Gpu> m_gpus;
    std::optional<uint16_t> m_spanKind;
    std::vector<GpuSpans> m_spans; //!< by GPU
    GraphRecord m_record;
    Path m_last; //!< path to the end of the last node
};

} // namespace ns3::rails

#endif // GRAPH_TIMES_H
