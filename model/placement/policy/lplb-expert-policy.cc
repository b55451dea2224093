// SPDX-License-Identifier: GPL-2.0-only
#include "copy-topology.h"
#include "eplb-packing.h"
#include "replacement-clock.h"

#include "ns3/balanced-split.h"
#include "ns3/component-documentation.h"
#include "ns3/enum.h"
#include "ns3/optional-accessor.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/runtime-policy.h"
#include "ns3/uinteger.h"
#include "ns3/word-accessor.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * `lplb`: DeepSeek's Linear-Programming-Based Load Balancer. Between iterations EPLB reorders
 * experts by their history, without replicas. Then the heaviest experts of each GPU get one replica
 * each, on a GPU given by a fixed topology. In each micro-batch a linear program splits the tokens
 * of an expert between the original and the replica, so that the largest load in a block of GPUs is
 * minimal. Here it is solved exactly and in whole tokens (BalancedSplit).
 *
 * The replicas are permanent: they are part of the placement, and move only when experts are
 * reordered. (The source publishes its map of slots at each reordering, and the map does not change
 * between two reorderings.)
 */
class LplbExpertPolicy : public RuntimePolicy
{
  public:
    /// Topology of replicas.
    enum Topology
    {
        AUTOMATIC, //!< by the cluster, see ChooseShape()
        CUBE,
        RING,
        HYPERCUBE,
        TORUS
    };

    static TypeId GetTypeId();

    LplbExpertPolicy()
    {
        m_traits.plansOneGroup = true;
    }

    void Check(const ExpertSetting& setting) const override;
    uint32_t GetPeriod() const override;
    /// On each GPU, the number of replicas equals the number of experts with a replica elsewhere,
    /// so its optimizer states do not grow.
    SlotRule GetSlotRule(const ExpertSetting& setting) const override;

  private:
    /// Consecutive GPUs that share their load, and the experts at home there.
    struct Block
    {
        uint32_t firstGpu{0};
        std::vector<uint32_t> experts;
        std::unique_ptr<BalancedSplit> split; //!< of these experts, GPUs counted from 0
    };

    void DoStart() override;
    std::vector<ExpertTransfer> DoBeginIteration(uint32_t layer,
                                                 const LoadHistory& history) override;
    ExpertPlan DoPlan(uint32_t layer, const TokenCounts& counts) override;
    double GetPublishedPlanningTime() const override;

    /// A topology with its sizes.
    struct Shape
    {
        Topology topology{CUBE};
        uint32_t rows{1};    //!< of a torus
        uint32_t columns{1}; //!< of a torus; of a ring its GPUs

        CopyTopology Make() const;
        /// \return number of replicas on each GPU
        uint32_t CountEdges() const;
        /// \return number of GPUs, also for an infeasible topology
        uint64_t CountGpus() const;
    };

    Shape ChooseShape(const ExpertSetting& setting) const;
    /// \return number of experts of a GPU with a replica
    uint32_t GetCopies() const;
    /// \return the experts at home on each GPU, one GPU after the other, from past loads
    std::vector<uint32_t> Reorder(const std::vector<double>& loads) const;
    /// \return a placement with replicas of the first experts of each GPU
    ExpertPlacement AddCopiesTo(const std::vector<uint32_t>& order) const;
    std::vector<ExpertTransfer> Settle(uint32_t layer, const std::vector<uint32_t>& order);

    Topology m_topology;
    uint32_t m_ringGpus;
    uint32_t m_torusRows;
    uint32_t m_torusColumns;
    std::optional<uint32_t> m_copies;
    uint32_t m_period;
    uint32_t m_window;
    ReplacementClock m_clock;
    CopyTopology m_edges;                     //!< of a block
    std::vector<std::vector<Block>> m_blocks; //!< by layer
};

NS_OBJECT_ENSURE_REGISTERED(LplbExpertPolicy);

namespace
{

/**
 * Each source sends the same fraction of its tokens of an expert to the replica, up to rounding, as
 * in LPLB, whose sources know only the ratio.
 * \param shares of the original and of the replica, if there is one
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
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::LplbExpertPolicy").SetParent<RuntimePolicy>(),
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
                EnumValue(AUTOMATIC),
                MakeWordAccessor(&LplbExpertPolicy::m_topology),
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
    const bool hasTwoEdges =
        setting.GetHomes() >= 2; // each edge replicates another expert of a GPU
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
        Settle(layer, order); // the initial placement needs no transfer
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

/// Adopts a new order of experts: grouped by home, the heaviest of a GPU first.
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
