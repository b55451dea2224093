// SPDX-License-Identifier: GPL-2.0-only
#include "expert-router.h"

#include "token-split.h"

#include <algorithm>
#include <cstddef>

namespace ns3::rails
{

ExpertRouter::ExpertRouter(const TrainingPlan& plan, const ExpertGroups& groups)
    : m_plan(plan),
      m_groups(groups)
{
}

const TrainingPlan&
ExpertRouter::GetPlan() const
{
    return m_plan;
}

const ExpertGroups&
ExpertRouter::GetGroups() const
{
    return m_groups;
}

LoadPlace
ExpertRouter::Find(uint32_t group, uint32_t part, LoadPlace place) const
{
    // What is drawn does not depend on how layers are divided.
    place.group = m_groups.GetFirstPart(group) + part;
    return place;
}

std::vector<uint32_t>
ExpertRouter::Draw(uint32_t group, uint32_t part, LoadPlace place) const
{
    return m_plan.load->Draw(m_plan.GetLoadShape(), Find(group, part, place));
}

std::shared_ptr<const ExpertRouting>
DrawnRouter::Get(uint32_t group, const LoadPlace& place) const
{
    const Key key{place.iteration, place.layer, place.microbatch, group};
    if (m_latest && m_latestKey == key)
    {
        return m_latest;
    }
    m_latestKey = key;
    const auto known = m_known.find(key);
    if (known != m_known.end())
    {
        return m_latest = known->second;
    }
    const std::shared_ptr<const ExpertRouting> routing = Make(group, place);
    constexpr std::size_t mostBytes = std::size_t{256} << 20;
    const std::size_t bytes = 8 * routing->tokens.size();
    if (m_byAge.size() >= std::max<std::size_t>(16, mostBytes / bytes))
    {
        m_known.erase(m_byAge.front());
        m_byAge.pop_front();
    }
    m_byAge.push_back(key);
    m_known[key] = routing;
    return m_latest = routing;
}

std::shared_ptr<const ExpertRouting>
DrawnRouter::Make(uint32_t group, const LoadPlace& place) const
{
    const TrainingPlan& plan = GetPlan();
    const LoadShape shape = plan.GetLoadShape();
    const LoadPlace when{place.iteration + plan.handling.warmUp, place.layer, place.microbatch, 0};
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
    if (!plan.deduplicates)
    {
        routing->arrived = routing->received;
        return routing;
    }
    const GroupServers& servers = GetGroups().GetServers(group);
    std::vector<uint32_t> gpuOf;
    std::vector<uint32_t> serverOf;
    for (uint32_t expert = 0; expert < shape.experts; ++expert)
    {
        gpuOf.push_back(expert / perGpu);
        serverOf.push_back(servers.GetServer(gpuOf.back()));
    }
    const LoadPlace here = Find(group, 0, when);
    routing->copies =
        plan.load->CountCopies(shape,
                               here,
                               counts,
                               TokenSplit::OfWholeExperts(counts, gpuOf, shape.sources));
    routing->serverCopies =
        plan.load->CountCopies(shape,
                               here,
                               counts,
                               TokenSplit::OfWholeExperts(counts, serverOf, servers.GetCount()));
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
