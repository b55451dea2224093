// SPDX-License-Identifier: GPL-2.0-only
#include "token-dispatch.h"

#include "ns3/copy-tally.h"
#include "ns3/source-spread.h"
#include "ns3/token-routing.h"
#include "ns3/token-split.h"

#include <algorithm>
#include <cstddef>
#include <memory>

namespace ns3::rails
{

TokenDispatch::TokenDispatch(const TrainingSpec& spec, const GpuPartition& groups)
    : m_spec(spec),
      m_groups(groups)
{
}

LoadPlace
TokenDispatch::Find(uint32_t group, uint32_t part, LoadPlace place) const
{
    // Loads do not depend on the division of layers into stages.
    place.group = m_spec.GetFirstPart(group) + part;
    return place;
}

std::vector<uint32_t>
TokenDispatch::Draw(uint32_t group, uint32_t part, LoadPlace place) const
{
    return m_spec.load->Draw(m_spec.GetLoadShape(), Find(group, part, place));
}

std::shared_ptr<const ExpertRouting>
DrawnDispatch::Get(uint32_t group, const LoadPlace& place) const
{
    const Key key{place.iteration, place.layer, place.microbatch, group};
    if (m_latest && m_latestKey == key)
    {
        return m_latest;
    }
    m_latestKey = key;
    // Micro-batches of a periodic load have the same routing.
    const uint32_t cycle = GetSpec().load->GetCycle(GetSpec().GetLoadShape());
    const uint32_t drawn = cycle > 0 ? place.microbatch % cycle : place.microbatch;
    const Key drawnKey{place.iteration, place.layer, drawn, group};
    const auto known = m_known.find(drawnKey);
    if (known != m_known.end())
    {
        Count(group, place, *known->second);
        return m_latest = known->second;
    }
    const std::shared_ptr<const ExpertRouting> routing = Make(group, place);
    Count(group, place, *routing);
    constexpr std::size_t mostBytes = std::size_t{256} << 20;
    const std::size_t bytes = 8 * routing->tokens.size();
    if (m_byAge.size() >= std::max<std::size_t>(16, mostBytes / bytes))
    {
        m_known.erase(m_byAge.front());
        m_byAge.pop_front();
    }
    m_byAge.push_back(drawnKey);
    m_known[drawnKey] = routing;
    return m_latest = routing;
}

/// Adds a dispatch to the figures, once.
void
DrawnDispatch::Count(uint32_t group, const LoadPlace& place, const ExpertRouting& routing) const
{
    const TrainingSpec& spec = GetSpec();
    const std::size_t groups = GetGroups().GetCount();
    m_isCounted.resize(std::size_t{spec.iterations} * spec.model.layers * spec.microbatches *
                       groups);
    const std::size_t at =
        ((std::size_t{place.iteration} * spec.model.layers + place.layer) * spec.microbatches +
         place.microbatch) *
            groups +
        group;
    if (m_isCounted[at])
    {
        return;
    }
    m_isCounted[at] = true;
    uint64_t sum = 0;
    uint64_t local = 0;
    for (std::size_t gpu = 0; gpu < routing.received.size(); ++gpu)
    {
        sum += routing.received[gpu];
        local += routing.tokens[gpu * routing.received.size() + gpu];
    }
    const double mean = static_cast<double>(std::max<uint64_t>(1, sum)) /
                        static_cast<double>(routing.received.size());
    const uint64_t most = *std::max_element(routing.received.begin(), routing.received.end());
    const double largest = sum == 0 ? 1 : static_cast<double>(most) / mean;
    ++m_sums.plans;
    m_sums.before += largest;
    m_sums.worst = std::max(m_sums.worst, largest);
    m_sums.local += static_cast<double>(local) / static_cast<double>(std::max<uint64_t>(1, sum));
    m_sums.skew += FindPairSkew(routing.tokens, static_cast<uint32_t>(routing.received.size()));
}

ExpertFigures
DrawnDispatch::GetFigures() const
{
    ExpertFigures figures = m_sums;
    if (figures.plans == 0)
    {
        return figures;
    }
    const auto plans = static_cast<double>(figures.plans);
    figures.before /= plans;
    figures.local /= plans;
    figures.skew /= plans;
    figures.after = figures.before;
    return figures;
}

std::vector<ExpertCopy>
DrawnDispatch::ListCopies(uint32_t iteration, uint32_t layer) const
{
    const TrainingSpec& spec = GetSpec();
    ExpertSetting setting; // setting of one group
    setting.cluster.gpus = spec.ep;
    setting.expertParallel = spec.ep;
    setting.experts = spec.model.experts;
    ExpertPlan plain;
    plain.placement = std::make_shared<const ExpertPlacement>(ExpertPlacement::InOrder(setting));
    CopyTally tally;
    for (uint32_t group = 0; group < GetGroups().GetCount(); ++group)
    {
        const std::vector<uint32_t> layers = spec.ListExpertLayers(spec.GetGroupStage(group));
        if (!std::binary_search(layers.begin(), layers.end(), layer))
        {
            continue;
        }
        for (uint32_t microbatch = 0; microbatch < spec.microbatches; ++microbatch)
        {
            const LoadPlace when{spec.GetRun().GetSeen(iteration), layer, microbatch, 0};
            plain.routes =
                RouteInGroups({spec.ep, spec.model.experts, Draw(group, 0, when)}, setting);
            tally.Add(setting, plain, GetGroups().GetGroups()[group]);
        }
    }
    return tally.Take();
}

std::shared_ptr<const ExpertRouting>
DrawnDispatch::Make(uint32_t group, const LoadPlace& place) const
{
    const TrainingSpec& spec = GetSpec();
    const LoadShape shape = spec.GetLoadShape();
    LoadPlace when = place;
    when.iteration = spec.GetRun().GetSeen(place.iteration);
    const std::vector<uint32_t> counts = Draw(group, 0, when);
    const uint32_t perGpu = shape.experts / shape.sources;
    const auto routing = std::make_shared<ExpertRouting>();
    routing->tokens.resize(std::size_t{shape.sources} * shape.sources);
    routing->received.resize(shape.sources);
    for (std::size_t at = 0; at < counts.size(); ++at)
    {
        const std::size_t source = at / shape.experts;
        const std::size_t destination = at % shape.experts / perGpu;
        routing->tokens[source * shape.sources + destination] += counts[at];
        routing->received[destination] += counts[at];
    }
    if (spec.compute->GetTraits().readsShapes)
    {
        routing->rows.assign(shape.sources, std::vector<uint32_t>(perGpu));
        for (std::size_t at = 0; at < counts.size(); ++at)
        {
            const std::size_t expert = at % shape.experts;
            routing->rows[expert / perGpu][expert % perGpu] += counts[at];
        }
    }
    if (!spec.deduplicates)
    {
        routing->arrived = routing->received;
        return routing;
    }
    const std::vector<uint32_t>& members = GetGroups().GetGroups()[group];
    std::vector<uint32_t> gpuOf;
    std::vector<uint32_t> serverOf;
    for (uint32_t expert = 0; expert < shape.experts; ++expert)
    {
        gpuOf.push_back(expert / perGpu);
        serverOf.push_back(GetGroups().GetServer(members[gpuOf.back()]));
    }
    const LoadPlace here = Find(group, 0, when);
    routing->copies =
        spec.load->CountCopies(shape,
                               here,
                               counts,
                               TokenSplit::OfWholeExperts(counts, gpuOf, shape.sources));
    routing->serverCopies = spec.load->CountCopies(
        shape,
        here,
        counts,
        TokenSplit::OfWholeExperts(counts, serverOf, GetGroups().CountServers(group)));
    SumArrivals(*routing, shape.sources);
    return routing;
}

void
SumArrivals(ExpertRouting& routing, uint32_t gpus)
{
    routing.arrived.resize(gpus);
    for (std::size_t at = 0; at < routing.copies.size(); ++at)
    {
        routing.arrived[at % gpus] += routing.copies[at];
    }
}

} // namespace ns3::rails
