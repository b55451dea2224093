// SPDX-License-Identifier: GPL-2.0-only
#include "lplb-expert-policy.h"

#include "eplb-packing.h"

#include "ns3/enum.h"
#include "ns3/optional-accessor.h"
#include "ns3/rails-about.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(LplbExpertPolicy);

namespace
{

/**
 * Each source sends the same part of its tokens of an expert to the copy, as near as whole tokens
 * allow: so the sources do in LPLB, which know the ratio only.
 * \param expert whose tokens go
 * \param shares of the original and, if there is one, of the copy
 */
void
RouteInProportion(uint32_t expert,
                  const TokenCounts& counts,
                  const std::vector<HostShare>& shares,
                  std::vector<TokenRoute>& routes)
{
    const uint64_t all =
        std::accumulate(shares.begin(),
                        shares.end(),
                        uint64_t{0},
                        [](uint64_t sum, const HostShare& share) { return sum + share.tokens; });
    uint64_t sent = 0;
    for (uint32_t source = 0; source < counts.GetSources(); ++source)
    {
        const uint32_t tokens = counts.Get(source, expert);
        if (tokens == 0)
        {
            continue;
        }
        const uint64_t keep = shares.front().tokens;
        const auto kept = static_cast<uint32_t>((sent + tokens) * keep / all - sent * keep / all);
        sent += tokens;
        if (kept > 0)
        {
            routes.push_back({source, expert, shares.front().host, kept});
        }
        if (kept < tokens)
        {
            routes.push_back({source, expert, shares.back().host, tokens - kept});
        }
    }
}

} // namespace

TypeId
LplbExpertPolicy::GetTypeId()
{
    // EnumValue is a template in newer releases of ns-3 only.
    using TopologyValue = decltype(EnumValue(CUBE));

    static TypeId tid =
        AddAbout(TypeId("ns3::rails::LplbExpertPolicy").SetParent<RuntimePolicy>(),
                 "The heaviest experts of each GPU have one copy on another, and a linear program "
                 "deals their tokens in each micro-batch. (DeepSeek's LPLB.)")
            .SetGroupName("Rails")
            .AddConstructor<LplbExpertPolicy>()
            .AddAttribute(
                "Topology",
                "Which GPU holds copies of whose experts. cube: blocks of 8 GPUs, two "
                "copies each; ring: one copy from the next; hypercube: blocks of 16, two "
                "copies; torus: from the next row and the next column; automatic: cubes in a "
                "server of 8 GPUs or a multiple, a torus of servers and their GPUs where there are "
                "several servers, a ring of all GPUs where a GPU has one expert or neither fits. "
                "(LPLB; the choice is ours.)",
                TopologyValue(AUTOMATIC),
                MakeAccessorHelper<TopologyValue>(&LplbExpertPolicy::m_topology),
                MakeEnumChecker(AUTOMATIC,
                                "automatic",
                                CUBE,
                                "cube",
                                RING,
                                "ring",
                                HYPERCUBE,
                                "hypercube",
                                TORUS,
                                "torus"))
            .AddAttribute("RingGpus",
                          "How many GPUs are in a ring. (Tests of LPLB.)",
                          UintegerValue(8),
                          MakeUintegerAccessor(&LplbExpertPolicy::m_ringGpus),
                          MakeCountRange<uint32_t>(2, 65'536))
            .AddAttribute("TorusRows",
                          "Rows of a torus, each of GPUs that follow each other. (Tests of LPLB.)",
                          UintegerValue(8),
                          MakeUintegerAccessor(&LplbExpertPolicy::m_torusRows),
                          MakeCountRange<uint32_t>(2, 65'536))
            .AddAttribute("TorusColumns",
                          "Columns of a torus. (Tests of LPLB.)",
                          UintegerValue(4),
                          MakeUintegerAccessor(&LplbExpertPolicy::m_torusColumns),
                          MakeCountRange<uint32_t>(2, 65'536))
            .AddAttribute("Copies",
                          "Experts of a GPU that have a copy: a multiple of the edges of the "
                          "topology. By default as many as these. (LPLB.)",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<UintegerValue>(&LplbExpertPolicy::m_copies),
                          MakeCountRange<uint32_t>(1, 1024))
            .AddAttribute("Period",
                          "Iterations from one order of experts to the next; the first comes after "
                          "the first iteration. (Our choice: LPLB leaves it to its user.)",
                          UintegerValue(10),
                          MakeUintegerAccessor(&LplbExpertPolicy::m_period),
                          MakeCountRange<uint32_t>(1, 1'000'000))
            .AddAttribute("Window",
                          "Iterations whose mean the order is by. (Our choice.)",
                          UintegerValue(10),
                          MakeUintegerAccessor(&LplbExpertPolicy::m_window),
                          MakeCountRange<uint32_t>(1, LoadHistory::kLongestWindow));
    return tid;
}

uint32_t
LplbExpertPolicy::GetPeriod() const
{
    return m_period;
}

void
LplbExpertPolicy::Check(const ExpertSetting& setting) const
{
    RuntimePolicy::Check(setting);
    const Shape shape = ChooseShape(setting);
    const uint64_t size = shape.CountGpus();
    if (size < 2)
    {
        throw ConfigurationError("topology",
                                 "a single GPU has no other that copies could be on: take another "
                                 "policy");
    }
    if (setting.cluster.gpus % size != 0)
    {
        throw ConfigurationError("topology",
                                 std::to_string(setting.cluster.gpus) +
                                     " GPUs are no multiple of the " + std::to_string(size) +
                                     " of this topology: take automatic, or ring with a divisor as "
                                     "ring_gpus");
    }
    const uint32_t columns = shape.CountEdges();
    const uint32_t copies = *GetSlots(setting);
    if (copies % columns != 0)
    {
        throw ConfigurationError("copies",
                                 std::to_string(copies) + " copies are no multiple of the " +
                                     std::to_string(columns) + " edges of this topology");
    }
    if (copies > setting.GetHomes())
    {
        throw ConfigurationError("copies",
                                 "a GPU has " + std::to_string(setting.GetHomes()) +
                                     " experts at home, of which " + std::to_string(copies) +
                                     " cannot have copies: take more experts, or topology: ring, "
                                     "which copies one of a GPU");
    }
}

CopyTopology
LplbExpertPolicy::Shape::Make() const
{
    switch (topology)
    {
    case RING:
        return MakeRingTopology(columns);
    case HYPERCUBE:
        return MakeHypercubeTopology();
    case TORUS:
        return MakeTorusTopology(rows, columns);
    default:
        return MakeCubeTopology();
    }
}

uint32_t
LplbExpertPolicy::Shape::CountEdges() const
{
    return topology == RING ? 1 : 2;
}

SlotRule
LplbExpertPolicy::GetSlotRule(const ExpertSetting& setting) const
{
    const uint32_t edges = ChooseShape(setting).CountEdges();
    SlotRule rule{SlotUse::Replica, m_copies, edges, "copies"};
    rule.least = edges;
    rule.most = setting.GetHomes();
    rule.step = edges;
    rule.keepsStates = true;
    return rule;
}

uint64_t
LplbExpertPolicy::Shape::CountGpus() const
{
    switch (topology)
    {
    case RING:
        return columns;
    case TORUS:
        return uint64_t{rows} * columns;
    default:
        return Make().size();
    }
}

LplbExpertPolicy::Shape
LplbExpertPolicy::ChooseShape(const ExpertSetting& setting) const
{
    if (m_topology == RING)
    {
        return {RING, 1, m_ringGpus};
    }
    if (m_topology != AUTOMATIC)
    {
        return {m_topology, m_torusRows, m_torusColumns};
    }
    const ClusterView& cluster = setting.cluster;
    const uint32_t servers = cluster.GetServerCount();
    const bool hasTwoEdges = setting.GetHomes() >= 2; // each copies another expert of a GPU
    if (hasTwoEdges && servers == 1 && cluster.gpus % Shape{CUBE}.CountGpus() == 0)
    {
        return {CUBE};
    }
    if (hasTwoEdges && servers > 1 && cluster.gpusPerServer > 1 &&
        cluster.gpus == servers * cluster.gpusPerServer)
    {
        return {TORUS, servers, cluster.gpusPerServer};
    }
    return {RING, 1, cluster.gpus};
}

uint32_t
LplbExpertPolicy::GetCopies() const
{
    return *GetSlots(GetSetting());
}

bool
LplbExpertPolicy::PlansOneGroup() const
{
    return true;
}

void
LplbExpertPolicy::DoStart()
{
    const uint32_t layers = GetSetting().layers;
    m_clock.Start(layers, m_period);
    m_edges = ChooseShape(GetSetting()).Make();
    m_blocks.clear();
    m_blocks.resize(layers);
    std::vector<uint32_t> order(GetSetting().experts);
    std::iota(order.begin(), order.end(), 0);
    for (uint32_t layer = 0; layer < layers; ++layer)
    {
        Settle(layer, order); // what is there from the beginning need not move
    }
}

std::vector<ExpertTransfer>
LplbExpertPolicy::DoBeginIteration(uint32_t layer, const LoadHistory& history)
{
    return m_clock.IsDue(layer, history) ? Settle(layer, Reorder(history.GetMeanLoads(m_window)))
                                         : std::vector<ExpertTransfer>();
}

std::vector<uint32_t>
LplbExpertPolicy::Reorder(const std::vector<double>& loads) const
{
    const ExpertSetting& setting = GetSetting();
    const uint32_t servers = setting.cluster.GetServerCount();
    EplbShape shape;
    shape.replicas = setting.experts;
    shape.gpus = setting.cluster.gpus;
    const auto blocks = static_cast<uint32_t>(shape.gpus / m_edges.size());
    if (blocks % servers == 0 && shape.gpus % servers == 0)
    {
        shape.groups = blocks;
        shape.nodes = servers;
    }
    std::vector<uint32_t> order = PlaceByEplb(loads, shape);
    for (auto first = order.begin(); first != order.end(); first += setting.GetHomes())
    {
        std::stable_sort(first, first + setting.GetHomes(), [&](uint32_t left, uint32_t right) {
            return loads[left] > loads[right];
        });
    }
    return order;
}

ExpertPlacement
LplbExpertPolicy::AddCopiesTo(const std::vector<uint32_t>& order) const
{
    const uint32_t homes = GetSetting().GetHomes();
    ExpertPlacement placement;
    placement.hosts.resize(order.size());
    for (uint32_t i = 0; i < order.size(); ++i)
    {
        placement.hosts[order[i]].push_back(i / homes);
    }
    const auto size = static_cast<uint32_t>(m_edges.size());
    for (uint32_t gpu = 0; gpu < GetSetting().cluster.gpus; ++gpu)
    {
        const std::vector<uint32_t>& from = m_edges[gpu % size];
        for (uint32_t i = 0; i < GetCopies(); ++i)
        {
            const uint32_t original = gpu / size * size + from[i % from.size()];
            placement.hosts[order[original * homes + i]].push_back(gpu);
        }
    }
    return placement;
}

/// Takes experts in a new order, homes of a GPU after those of another, the heaviest first.
std::vector<ExpertTransfer>
LplbExpertPolicy::Settle(uint32_t layer, const std::vector<uint32_t>& order)
{
    ExpertPlacement placement = AddCopiesTo(order);
    const auto size = static_cast<uint32_t>(m_edges.size());
    const std::size_t expertsOfBlock = std::size_t{size} * GetSetting().GetHomes();
    m_blocks[layer].clear();
    for (std::size_t first = 0; first < order.size(); first += expertsOfBlock)
    {
        Block& block = m_blocks[layer].emplace_back();
        block.firstGpu = static_cast<uint32_t>(first / GetSetting().GetHomes());
        std::vector<std::vector<uint32_t>> hosts;
        for (std::size_t i = first; i < first + expertsOfBlock; ++i)
        {
            block.experts.push_back(order[i]);
            std::vector<uint32_t>& inBlock = hosts.emplace_back();
            for (const uint32_t gpu : placement.hosts[order[i]])
            {
                inBlock.push_back(gpu - block.firstGpu);
            }
        }
        block.split = std::make_unique<BalancedSplit>(hosts, size);
    }
    return Move(layer, std::move(placement));
}

ExpertPlan
LplbExpertPolicy::DoPlan(uint32_t layer, const TokenCounts& counts)
{
    const std::vector<uint64_t> loads = counts.GetLoads();
    ExpertPlan plan;
    plan.routes.reserve(counts.GetCounts().size());
    for (Block& block : m_blocks[layer])
    {
        std::vector<uint64_t> loadsOfBlock;
        for (const uint32_t expert : block.experts)
        {
            loadsOfBlock.push_back(loads[expert]);
        }
        ExpertQuota quota = block.split->Split(loadsOfBlock).quota;
        for (std::size_t i = 0; i < block.experts.size(); ++i)
        {
            for (HostShare& share : quota[i])
            {
                share.host += block.firstGpu;
            }
            RouteInProportion(block.experts[i], counts, quota[i], plan.routes);
        }
    }
    return plan;
}

double
LplbExpertPolicy::GetPublishedPlanningTime() const
{
    return 100e-6; // README of LPLB: within a server; longer across servers, which it does not give
}

} // namespace ns3::rails
