// SPDX-License-Identifier: GPL-2.0-only
#include "training-scaling.h"

#include "ns3/rails-error.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace ns3::rails
{

namespace
{

/// \return the value of a key; otherwise that of the key modulo the number of values
template <typename Value>
const Value&
Take(const std::map<uint32_t, Value>& values, uint32_t key)
{
    const auto found = values.find(key);
    return found != values.end()
               ? found->second
               : std::next(values.begin(), static_cast<std::ptrdiff_t>(key % values.size()))
                     ->second;
}

} // namespace

TrainingScaling::TrainingScaling(const StagedProgram& part, MakeWhole makeWhole)
    : m_part(part),
      m_makeWhole(std::move(makeWhole))
{
    for (uint32_t stage = 0; stage < part.CountStages(); ++stage)
    {
        m_ends.emplace_back();
        for (uint32_t stream = 0; stream < part.GetStreams(); ++stream)
        {
            m_ends.back().emplace_back(part.CountStageNodes(stage, stream) * part.GetIterations());
        }
    }
}

void
TrainingScaling::OnEnd(uint32_t gpu, uint32_t stream, uint64_t over, TimePs at)
{
    Ends& ends = m_ends[m_part.GetStage(gpu)][stream][over - 1];
    const uint32_t group = m_part.GetGroup(gpu);
    const auto found = std::find_if(ends.begin(), ends.end(), [group](const auto& end) {
        return end.first == group;
    });
    if (found == ends.end())
    {
        ends.emplace_back(group, at);
        return;
    }
    found->second = std::max(found->second, at);
}

/// \return end of the last node of a program
double
TrainingScaling::Walk(const StagedProgram& program, const FindEnd& findEnd)
{
    /// A stream of a stage.
    struct Head
    {
        std::vector<double> ends{}; //!< ends of nodes in the iteration
        StageNode node{};           //!< next node
        uint64_t count{0};
        bool isKnown{false}; //!< whether `node` is set
        bool isMet{false};   //!< the stage waits for a common operation
    };

    /// A common operation of several stages.
    struct Meeting
    {
        uint32_t come{0};
        double latest{0};
    };

    const uint32_t count = program.CountStages();
    const uint32_t streams = program.GetStreams();
    std::vector<double> begins(count, 0); // begin of the iteration, by stage
    for (uint32_t iteration = 0; iteration < program.GetIterations(); ++iteration)
    {
        std::vector<std::vector<Head>> stages(count, std::vector<Head>(streams));
        std::unordered_map<uint32_t, double> sent; // ends of sends, by step
        std::unordered_map<uint32_t, Meeting> meetings;
        const auto goOn = [&](uint32_t stage, uint32_t stream) {
            std::vector<Head>& heads = stages[stage];
            Head& head = heads[stream];
            if (!head.isKnown)
            {
                head.count = program.CountStageNodes(stage, stream);
                if (head.ends.size() == head.count)
                {
                    return false;
                }
                head.node = program.DescribeStageNode(stage, stream, head.ends.size());
                head.isKnown = true;
            }
            const StageNode& node = head.node;
            double from = head.ends.empty() ? begins[stage] : head.ends.back();
            for (const GraphNode::Wait& wait : node.waits)
            {
                const std::vector<double>& others = heads[wait.stream].ends;
                if (others.size() < wait.count)
                {
                    return false;
                }
                from = wait.count > 0 ? std::max(from, others[wait.count - 1]) : from;
            }
            if (node.tie == StageNode::Tie::Receives)
            {
                const auto found = sent.find(node.tieStep);
                if (found == sent.end())
                {
                    return false;
                }
                from = std::max(from, found->second);
            }
            if (node.tie == StageNode::Tie::Meets)
            {
                Meeting& meeting = meetings[node.tieStep];
                meeting.come += head.isMet ? 0 : 1;
                meeting.latest = std::max(meeting.latest, from);
                head.isMet = true;
                if (meeting.come < node.meeting)
                {
                    return false;
                }
                from = meeting.latest;
            }
            const double end = findEnd(iteration, stage, stream, head.ends.size(), node, from);
            if (node.tie == StageNode::Tie::Sends)
            {
                sent[node.tieStep] = end;
            }
            head.ends.push_back(end);
            head.isKnown = false;
            head.isMet = false;
            return true;
        };
        for (bool hasGone = true; std::exchange(hasGone, false);)
        {
            for (uint32_t stage = 0; stage < count; ++stage)
            {
                for (uint32_t stream = 0; stream < streams; ++stream)
                {
                    while (goOn(stage, stream))
                    {
                        hasGone = true;
                    }
                }
            }
        }
        for (uint32_t stage = 0; stage < count; ++stage)
        {
            for (const Head& head : stages[stage])
            {
                if (head.ends.size() < head.count)
                {
                    throw std::logic_error("a node of a stage waits for ever");
                }
                begins[stage] =
                    head.ends.empty() ? begins[stage] : std::max(begins[stage], head.ends.back());
            }
        }
    }
    return *std::max_element(begins.begin(), begins.end());
}

/// \return index of the layer, in a part with few layers, that stands for a layer of a part with
///     many. Layers at the ends stand for layers at the ends, next to unique work such as the head.
///     Layers in between stand in turn for the others.
uint32_t
TrainingScaling::FindStandIn(uint32_t few, const StageNode& node)
{
    const uint32_t behind = node.layers - 1 - node.index;
    const uint32_t atStart = few / 4;
    const uint32_t atEnd = (few + 2) / 3;
    if (node.layers == few || node.index < atStart)
    {
        return std::min(node.index, few - 1);
    }
    if (behind < atEnd || atStart + atEnd >= few)
    {
        return few - 1 - std::min(behind, few - 1);
    }
    return atStart + (node.index - atStart) % (few - atStart - atEnd);
}

/// \return samples of the layer that stands for a node's layer
const TrainingScaling::LayerSamples&
TrainingScaling::PickLayer(const PartSamples& part, const StageNode& node)
{
    // Times do not scale between very different sizes, such as those of a layer with and without
    // the head. So a layer of similar size is preferred, then the nearest layer.
    constexpr double near = 2;
    const uint32_t wanted = FindStandIn(part.layers, node);
    const LayerSamples* found = nullptr;
    std::pair<double, uint32_t> least; // by size, then by distance
    for (const auto& [index, layer] : part.byIndex)
    {
        const double size = layer.begin()->second.begin()->second.size;
        const double none = node.isCounted ? std::numeric_limits<double>::max() : 1;
        const double ratio =
            node.size > 0 && size > 0 ? std::max(node.size / size, size / node.size) / near : none;
        const std::pair<double, uint32_t> far(std::max(1.0, ratio),
                                              std::max(index, wanted) - std::min(index, wanted));
        if (!found || far < least)
        {
            found = &layer;
            least = far;
        }
    }
    return *found;
}

/// \throws std::out_of_range when the run had no such node
const TrainingScaling::Sample&
TrainingScaling::Pick(const std::map<StageNode::Sort, Samples>& all,
                      const StageNode& node,
                      uint32_t iteration)
{
    const PartSamples& part = Take(Take(all.at(node.sort), node.nth), node.part);
    return Take(Take(PickLayer(part, node), node.microbatch), iteration);
}

std::optional<double>
TrainingScaling::FindAdded() const
{
    std::map<StageNode::Sort, Samples> samples;
    const double ofPart =
        Walk(m_part,
             [&](uint32_t iteration,
                 uint32_t stage,
                 uint32_t stream,
                 uint64_t place,
                 const StageNode& node,
                 double from) {
                 const uint64_t at = iteration * m_part.CountStageNodes(stage, stream) + place;
                 const Ends& ends = m_ends[stage][stream][at];
                 double end = 0;
                 for (const auto& [group, latest] : ends)
                 {
                     end += static_cast<double>(latest) / static_cast<double>(ends.size());
                 }
                 PartSamples& part = samples[node.sort][node.nth][node.part];
                 part.layers = node.layers;
                 part.byIndex[node.index][node.microbatch][iteration] = {end - from, node.size};
                 return end;
             });
    try
    {
        const std::unique_ptr<const StagedProgram> whole = m_makeWhole();
        if (!whole)
        {
            return std::nullopt;
        }
        const double ofWhole =
            Walk(*whole,
                 [&samples](uint32_t iteration,
                            uint32_t,
                            uint32_t,
                            uint64_t,
                            const StageNode& node,
                            double from) {
                     const Sample& sample = Pick(samples, node, iteration);
                     if (node.isCounted && node.size <= 0)
                     {
                         return from;
                     }
                     if (node.isCounted && sample.size <= 0)
                     {
                         throw std::out_of_range("nothing of its kind was moved");
                     }
                     const bool isScaled = sample.size > 0 && node.size > 0;
                     return from + sample.time * (isScaled ? node.size / sample.size : 1);
                 });
        return (ofWhole - ofPart) / m_part.GetIterations();
    }
    catch (const ConfigurationError&)
    {
        return std::nullopt;
    }
    catch (const std::length_error&)
    {
        return std::nullopt;
    }
    catch (const std::out_of_range&)
    {
        return std::nullopt;
    }
}

} // namespace ns3::rails
