// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/balanced-split.h"
#include "ns3/boolean.h"
#include "ns3/cayley-placement.h"
#include "ns3/communication-split.h"
#include "ns3/component-documentation.h"
#include "ns3/double.h"
#include "ns3/draw-permutation.h"
#include "ns3/enum.h"
#include "ns3/optional-accessor.h"
#include "ns3/rails-error.h"
#include "ns3/random-variable-stream.h"
#include "ns3/range-checker.h"
#include "ns3/replica-placement.h"
#include "ns3/runtime-policy.h"
#include "ns3/seeded-bits.h"
#include "ns3/token-routing.h"
#include "ns3/uinteger.h"
#include "ns3/word-accessor.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * `micro-moe`: experts have permanent replicas. In every micro-batch and layer a linear program
 * splits the tokens of each expert over its replicas so that the largest load of a GPU is minimal
 * (MicroMoE, arXiv 2511.16947; also FineMoE). The gain depends on the placement: it is small for a
 * hot expert without more replicas than others. Adaptive replacement updates the number and the
 * places of replicas from the loads of the last iterations.
 *
 * Replicas come from parallel groups of expert parallelism, which are merged into one, and from
 * extra slots.
 */
class MicroMoeExpertPolicy : public RuntimePolicy
{
  public:
    /// Placement of replicas.
    enum Placement
    {
        SYMMETRIC,
        RANDOM,
        ASYMMETRIC
    };

    /// Linear program that splits tokens.
    enum Program
    {
        FLOW,
        COMMUNICATION,
        TOPOLOGY
    };

    /// The sources whose tokens a replica takes first.
    enum Locality
    {
        NONE,
        GPU,
        SERVER
    };

    static TypeId GetTypeId();

    MicroMoeExpertPolicy();

    void Check(const ExpertSetting& setting) const override;
    uint32_t GetPeriod() const override;
    SlotRule GetSlotRule(const ExpertSetting& setting) const override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;

  private:
    /// Replicas of a layer.
    struct Layer
    {
        std::unique_ptr<BalancedSplit> split; //!< over the present hosts
        uint32_t age{0};                      //!< iterations since the last check of loads
        uint32_t searches{0};                 //!< number of searches for a placement
    };

    using Hosts = std::vector<std::vector<uint32_t>>;

    void DoStart() override;
    std::vector<ExpertTransfer> DoBeginIteration(uint32_t layer,
                                                 const LoadHistory& history) override;
    ExpertPlan DoPlan(uint32_t layer, const TokenCounts& counts) override;
    double GetPublishedPlanningTime() const override;

    uint32_t CountSlots() const;
    Hosts PlaceFirst(uint32_t layer) const;
    bool IsDue(uint32_t layer) const;
    Hosts Search(uint32_t layer, const std::vector<uint64_t>& loads, double limit);
    double FindBound(const std::vector<uint64_t>& loads,
                     const std::vector<uint32_t>& replicas) const;
    double FindLargestLoad(uint32_t layer, const std::vector<uint64_t>& loads) const;
    std::optional<double> FindLargestBelow(const std::vector<uint64_t>& loads,
                                           const Hosts& hosts,
                                           double limit) const;
    std::vector<ExpertTransfer> Place(uint32_t layer, Hosts hosts);
    ExpertQuota Split(uint32_t layer, const TokenCounts& counts);
    CommunicationWeights GetWeights() const;

    Placement m_placement;
    std::optional<uint32_t> m_slots;
    bool m_isAdaptive;
    uint32_t m_period;
    uint32_t m_window;
    double m_threshold;
    uint32_t m_draws;
    Program m_program;
    std::optional<double> m_weight; //!< of COMMUNICATION
    double m_insideWeight;          //!< of TOPOLOGY
    double m_acrossWeight;          //!< of TOPOLOGY
    Locality m_locality;

    Ptr<UniformRandomVariable> m_random;
    std::optional<uint64_t> m_seed; //!< drawn once, so that starts are repeatable
    std::vector<Layer> m_layers;
};

NS_OBJECT_ENSURE_REGISTERED(MicroMoeExpertPolicy);

namespace
{

/// Lower limit of the scheduling time of a layer; below 1 ms with 64 GPUs and 256 experts (Fig.
/// 11).
constexpr double kPlanningSeconds = 100e-6;

/// Largest number of GPUs for scoring placements by enumeration; beyond it a maximum flow is
/// faster.
constexpr uint32_t kMostEnumerated = 8;

/// Most that a token sent may cost beside one computed: with more, libraries no longer tell
/// numbers of tokens computed apart, and from 1e20 on they fail.
constexpr double kMostWeight = 1e9;

/// \return number of replicas by expert: equal numbers, or one more for random experts
std::vector<uint32_t>
CountEvenly(uint32_t experts, uint32_t slots, SeededBits& bits)
{
    std::vector<uint32_t> replicas(experts, slots / experts);
    std::vector<uint32_t> order = DrawPermutation(experts, bits);
    order.resize(slots % experts);
    for (const uint32_t expert : order)
    {
        ++replicas[expert];
    }
    return replicas;
}

/// \return mean tokens of an iteration, rounded
std::vector<uint64_t>
Forecast(const LoadHistory& history, uint32_t window)
{
    std::vector<uint64_t> loads;
    for (const double load : history.GetMeanLoads(window))
    {
        loads.push_back(static_cast<uint64_t>(std::llround(load)));
    }
    return loads;
}

/// \return bytes per second of a GPU towards the farthest GPUs
double
GetRate(const ClusterView& cluster)
{
    return cluster.GetServerCount() == 1
               ? cluster.nvlinkRate
               : cluster.nicRate * cluster.nicsPerServer / cluster.gpusPerServer;
}

} // namespace

TypeId
MicroMoeExpertPolicy::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::MicroMoeExpertPolicy").SetParent<RuntimePolicy>(),
            "Experts have replicas, and in each micro-batch a linear program splits the "
            "tokens of an expert over them so that the largest load of a GPU is as small as "
            "it can be; replicas follow the loads of the last iterations. (MicroMoE, arXiv "
            "2511.16947.)")
            .SetGroupName("Rails")
            .AddConstructor<MicroMoeExpertPolicy>()
            .AddAttribute(
                "Placement",
                "Where replicas are while loads are not known. symmetric: of two "
                "replicas by a Cayley graph, of more at random; random; asymmetric: as "
                "symmetric, until there are loads, then by these even if the placement "
                "is not adaptive. (Sections of symmetric and asymmetric placement; "
                "random stands in for more than two replicas, which the paper leaves "
                "open.)",
                EnumValue(SYMMETRIC),
                MakeWordAccessor(&MicroMoeExpertPolicy::m_placement),
                MakeEnumChecker(SYMMETRIC, "symmetric", RANDOM, "random", ASYMMETRIC, "asymmetric"))
            .AddAttribute("Slots",
                          "Replicas that a GPU holds besides the experts of its group of expert "
                          "parallelism. By default none. (Ours: the paper has none, and merges "
                          "groups that stand side by side.)",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<UintegerValue>(&MicroMoeExpertPolicy::m_slots),
                          MakeCountRange<uint32_t>(0, 100'000))
            .AddAttribute("Adaptive",
                          "Whether replicas are placed anew as loads change. (Adaptive "
                          "replacement.)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&MicroMoeExpertPolicy::m_isAdaptive),
                          MakeBooleanChecker())
            .AddAttribute("Period",
                          "Iterations from one look at the loads to the next; the first comes as "
                          "soon as there are any. (The paper advises 50 early in training, and "
                          "several hundred later.)",
                          UintegerValue(50),
                          MakeUintegerAccessor(&MicroMoeExpertPolicy::m_period),
                          MakeCountRange<uint32_t>(1, 1'000'000))
            .AddAttribute("Window",
                          "Iterations whose mean is the forecast. (A moving average; its window is "
                          "our choice.)",
                          UintegerValue(10),
                          MakeUintegerAccessor(&MicroMoeExpertPolicy::m_window),
                          MakeCountRange<uint32_t>(1, LoadHistory::kLongestWindow))
            .AddAttribute("Threshold",
                          "Largest load over the mean, with the loads of the forecast, above which "
                          "another placement is looked for. (The value is our choice.)",
                          DoubleValue(1.01),
                          MakeDoubleAccessor(&MicroMoeExpertPolicy::m_threshold),
                          MakeNumberRange(1))
            .AddAttribute("Draws",
                          "Random placements of which the best is taken. (The number is our "
                          "choice.)",
                          UintegerValue(100),
                          MakeUintegerAccessor(&MicroMoeExpertPolicy::m_draws),
                          MakeCountRange<uint32_t>(1, 1'000'000))
            .AddAttribute(
                "Solver",
                "What the split makes small. flow: the largest load of a GPU (LP 1); "
                "communication: that and the largest number of tokens that a GPU sends "
                "or gets (LP 4); topology: the same with separate numbers in servers and "
                "between them. (LP 1 as a maximum flow is ours: it has whole tokens.)",
                EnumValue(FLOW),
                MakeWordAccessor(&MicroMoeExpertPolicy::m_program),
                MakeEnumChecker(FLOW, "flow", COMMUNICATION, "communication", TOPOLOGY, "topology"))
            .AddAttribute("CommunicationWeight",
                          "Of solver communication: what a token sent costs beside one computed. "
                          "By default tokens that a GPU computes in a second over tokens that it "
                          "sends in one. (Alpha of LP 4.)",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<DoubleValue>(&MicroMoeExpertPolicy::m_weight),
                          MakeNumberRange(0, kMostWeight))
            .AddAttribute("InsideWeight",
                          "Of solver topology: what a token sent in its server costs beside one "
                          "computed. (Alpha 1 of the paper's test.)",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&MicroMoeExpertPolicy::m_insideWeight),
                          MakeNumberRange(0, kMostWeight))
            .AddAttribute("AcrossWeight",
                          "Of solver topology: what a token sent to another server costs beside "
                          "one computed. (Alpha 2 of the paper's test.)",
                          DoubleValue(1),
                          MakeDoubleAccessor(&MicroMoeExpertPolicy::m_acrossWeight),
                          MakeNumberRange(0, kMostWeight))
            .AddAttribute("Locality",
                          "Which tokens a replica takes first. none: those of GPUs in their order; "
                          "gpu: those of its own GPU; server: these, then those of its own server. "
                          "(Algorithm 1 and its variant; none is what appendix C.3 compares with.)",
                          EnumValue(SERVER),
                          MakeWordAccessor(&MicroMoeExpertPolicy::m_locality),
                          MakeEnumChecker(NONE, "none", GPU, "gpu", SERVER, "server"));
    return tid;
}

uint32_t
MicroMoeExpertPolicy::GetPeriod() const
{
    return m_isAdaptive ? m_period : 0;
}

MicroMoeExpertPolicy::MicroMoeExpertPolicy()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
MicroMoeExpertPolicy::DoDispose()
{
    m_random = nullptr;
    m_layers.clear();
    RuntimePolicy::DoDispose();
}

int64_t
MicroMoeExpertPolicy::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    m_seed.reset();
    return 1;
}

SlotRule
MicroMoeExpertPolicy::GetSlotRule(const ExpertSetting& setting) const
{
    SlotRule rule{SlotUse::Replica, m_slots, 0};
    rule.least = setting.GetGroups() > 1 ? 0 : 1; // so that there are replicas to split over
    return rule;
}

void
MicroMoeExpertPolicy::Check(const ExpertSetting& setting) const
{
    const uint32_t slots = *GetSlots(setting);
    if (slots < GetSlotRule(setting).least)
    {
        throw ConfigurationError("slots",
                                 "experts have no replicas to split tokens over: there is one "
                                 "group of expert parallelism, so give GPUs slots for replicas");
    }
    if (slots > setting.experts - setting.GetHomes())
    {
        throw ConfigurationError("slots",
                                 "a GPU has " + std::to_string(setting.GetHomes()) + " of the " +
                                     std::to_string(setting.experts) +
                                     " experts without slots, so that it can use at most " +
                                     std::to_string(setting.experts - setting.GetHomes()));
    }
    const bool isDerived = m_program == COMMUNICATION && !m_weight;
    if (isDerived &&
        !(setting.cluster.flops > 0 && setting.tokenFlops > 0 && GetRate(setting.cluster) > 0))
    {
        throw ConfigurationError("communication_weight",
                                 "it cannot be derived, as it is not known how quickly GPUs "
                                 "compute and send tokens: give it");
    }
}

void
MicroMoeExpertPolicy::DoStart()
{
    if (!m_seed)
    {
        m_seed = static_cast<uint64_t>(m_random->GetValue(0.0, 1.0) * 9007199254740992.0);
    }
    m_layers.clear();
    m_layers.resize(GetSetting().layers);
    for (uint32_t layer = 0; layer < m_layers.size(); ++layer)
    {
        m_layers[layer].age = m_period;
        Place(layer, PlaceFirst(layer)); // initial placement: nothing moves
    }
}

std::vector<ExpertTransfer>
MicroMoeExpertPolicy::DoBeginIteration(uint32_t layer, const LoadHistory& history)
{
    if (history.GetIterations() == 0 || !IsDue(layer))
    {
        ++m_layers[layer].age;
        return {};
    }
    m_layers[layer].age = 1;
    const std::vector<uint64_t> loads = Forecast(history, m_window);
    const double largest = FindLargestLoad(layer, loads);
    const double mean =
        static_cast<double>(std::accumulate(loads.begin(), loads.end(), uint64_t{0})) /
        GetSetting().cluster.gpus;
    const bool isFirst = m_placement == ASYMMETRIC && m_layers[layer].searches == 0;
    if (largest <= m_threshold * mean && !isFirst)
    {
        return {};
    }
    Hosts after = Search(layer, loads, isFirst ? std::numeric_limits<double>::infinity() : largest);
    return after.empty() ? std::vector<ExpertTransfer>() : Place(layer, std::move(after));
}

ExpertPlan
MicroMoeExpertPolicy::DoPlan(uint32_t layer, const TokenCounts& counts)
{
    ExpertPlan plan;
    const ExpertQuota quota = Split(layer, counts);
    plan.routes = m_locality == NONE ? RouteInOrder(counts, quota)
                                     : RouteNearFirst(counts,
                                                      quota,
                                                      GetSetting().cluster,
                                                      m_locality == SERVER ? RoutingLocality::Server
                                                                           : RoutingLocality::Gpu);
    return plan;
}

double
MicroMoeExpertPolicy::GetPublishedPlanningTime() const
{
    return kPlanningSeconds;
}

/// \return number of replicas on all GPUs
uint32_t
MicroMoeExpertPolicy::CountSlots() const
{
    return GetSetting().cluster.gpus * (GetSetting().GetHomes() + *GetSlots(GetSetting()));
}

/// \return placement of a layer's replicas before any load is known
MicroMoeExpertPolicy::Hosts
MicroMoeExpertPolicy::PlaceFirst(uint32_t layer) const
{
    const uint32_t gpus = GetSetting().cluster.gpus;
    const uint32_t experts = GetSetting().experts;
    const uint32_t slots = CountSlots();
    const uint32_t replicas = slots / experts;
    SeededBits bits{*m_seed, layer, 0};
    if (slots % experts != 0 || gpus % replicas != 0)
    {
        return DealReplicas(CountEvenly(experts, slots, bits), gpus, bits);
    }
    return replicas == 2 && m_placement != RANDOM ? PlaceOnPairs(gpus, experts)
                                                  : ShuffleGroups(gpus, experts, replicas, bits);
}

bool
MicroMoeExpertPolicy::IsDue(uint32_t layer) const
{
    return m_isAdaptive ? m_layers[layer].age >= m_period
                        : m_placement == ASYMMETRIC && m_layers[layer].searches == 0;
}

/// \return the best of some random placements with more replicas of hot experts; nothing if the
/// largest load of each reaches a limit
MicroMoeExpertPolicy::Hosts
MicroMoeExpertPolicy::Search(uint32_t layer, const std::vector<uint64_t>& loads, double limit)
{
    const uint32_t gpus = GetSetting().cluster.gpus;
    const std::vector<uint32_t> replicas = CountReplicas(loads, CountSlots(), gpus);
    SeededBits bits{*m_seed, layer, ++m_layers[layer].searches};
    const double bound = FindBound(loads, replicas);
    Hosts best;
    for (uint32_t draw = 0; draw < m_draws && limit > bound; ++draw)
    {
        Hosts hosts = DealReplicas(replicas, gpus, bits);
        const std::optional<double> largest = FindLargestBelow(loads, hosts, limit);
        if (largest)
        {
            limit = *largest;
            best = std::move(hosts);
        }
    }
    return best;
}

/// \return a lower bound of the largest load over all placements with these numbers of replicas
double
MicroMoeExpertPolicy::FindBound(const std::vector<uint64_t>& loads,
                                const std::vector<uint32_t>& replicas) const
{
    const uint32_t gpus = GetSetting().cluster.gpus;
    double bound =
        static_cast<double>(std::accumulate(loads.begin(), loads.end(), uint64_t{0})) / gpus;
    for (std::size_t expert = 0; expert < loads.size(); ++expert)
    {
        bound = std::max(bound, static_cast<double>(loads[expert]) / replicas[expert]);
    }
    return gpus <= kMostEnumerated ? bound : std::ceil(bound); // a flow has whole tokens
}

/// \return the smallest possible largest load of a GPU
double
MicroMoeExpertPolicy::FindLargestLoad(uint32_t layer, const std::vector<uint64_t>& loads) const
{
    const uint32_t gpus = GetSetting().cluster.gpus;
    return gpus <= kMostEnumerated ? FindDensity(loads, GetPlacement(layer)->hosts, gpus)
                                   : static_cast<double>(m_layers[layer].split->FindLargest(loads));
}

/// \return the smallest possible largest load for other hosts; nothing if it is not below a limit
std::optional<double>
MicroMoeExpertPolicy::FindLargestBelow(const std::vector<uint64_t>& loads,
                                       const Hosts& hosts,
                                       double limit) const
{
    const uint32_t gpus = GetSetting().cluster.gpus;
    if (gpus <= kMostEnumerated)
    {
        const double density = FindDensity(loads, hosts, gpus);
        return density < limit ? std::optional<double>(density) : std::nullopt;
    }
    BalancedSplit split(hosts, gpus);
    return std::isfinite(limit) ? split.FindLargestBelow(static_cast<uint64_t>(limit), loads)
                                : split.FindLargest(loads);
}

std::vector<ExpertTransfer>
MicroMoeExpertPolicy::Place(uint32_t layer, Hosts hosts)
{
    m_layers[layer].split = std::make_unique<BalancedSplit>(hosts, GetSetting().cluster.gpus);
    ExpertPlacement placement;
    placement.hosts = std::move(hosts);
    return Move(layer, std::move(placement));
}

ExpertQuota
MicroMoeExpertPolicy::Split(uint32_t layer, const TokenCounts& counts)
{
    return m_program == FLOW ? m_layers[layer].split->Split(counts.GetLoads()).quota
                             : SplitWithCommunication(counts,
                                                      GetPlacement(layer)->hosts,
                                                      GetSetting().cluster,
                                                      GetWeights())
                                   .quota;
}

CommunicationWeights
MicroMoeExpertPolicy::GetWeights() const
{
    if (m_program == TOPOLOGY)
    {
        return {m_acrossWeight, m_insideWeight};
    }
    const ExpertSetting& setting = GetSetting();
    const double computed = setting.cluster.flops / setting.tokenFlops; // tokens per second
    const double sent = GetRate(setting.cluster) / static_cast<double>(setting.tokenBytes);
    return {m_weight.value_or(std::min(computed / sent, kMostWeight)), std::nullopt};
}

} // namespace ns3::rails
