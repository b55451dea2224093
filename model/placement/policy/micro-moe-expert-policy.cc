// SPDX-License-Identifier: GPL-2.0-only
#include "micro-moe-expert-policy.h"

#include "ns3/boolean.h"
#include "ns3/cayley-placement.h"
#include "ns3/double.h"
#include "ns3/draw-permutation.h"
#include "ns3/enum.h"
#include "ns3/optional-accessor.h"
#include "ns3/rails-about.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/replica-placement.h"
#include "ns3/seeded-bits.h"
#include "ns3/token-routing.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(MicroMoeExpertPolicy);

namespace
{

/// Scheduling of a layer, at least; less than 1 ms with 64 GPUs and 256 experts (Fig. 11).
constexpr double kPlanningSeconds = 100e-6;

/// Most GPUs of which placements are scored by enumeration: a maximum flow is quicker beyond.
constexpr uint32_t kMostEnumerated = 8;

/// Most that a token sent may cost beside one computed: with more, libraries no longer tell
/// numbers of tokens computed apart, and from 1e20 on they fail.
constexpr double kMostWeight = 1e9;

/// \return replicas by expert, as many for each, or one more for some that are drawn
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

/// \return tokens of an iteration in the mean, rounded
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

/// \return bytes per second that a GPU has towards the others of the farthest kind
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
    // EnumValue is a template in newer releases of ns-3 only.
    using PlacementValue = decltype(EnumValue(SYMMETRIC));
    using ProgramValue = decltype(EnumValue(FLOW));
    using LibraryValue = decltype(EnumValue(LP_SOLVE));
    using LocalityValue = decltype(EnumValue(GPU));

    static TypeId tid =
        AddAbout(TypeId("ns3::rails::MicroMoeExpertPolicy").SetParent<RuntimePolicy>(),
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
                PlacementValue(SYMMETRIC),
                MakeAccessorHelper<PlacementValue>(&MicroMoeExpertPolicy::m_placement),
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
                ProgramValue(FLOW),
                MakeAccessorHelper<ProgramValue>(&MicroMoeExpertPolicy::m_program),
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
            .AddAttribute("Library",
                          "What solves linear programs with communication: lp-solve, or highs "
                          "where it was found when rails was built. Where several splits are "
                          "optimal, libraries can differ in which they take. (The paper uses "
                          "HiGHS.)",
                          LibraryValue(LP_SOLVE),
                          MakeAccessorHelper<LibraryValue>(&MicroMoeExpertPolicy::m_library),
                          MakeEnumChecker(LP_SOLVE, "lp-solve", HIGHS, "highs"))
            .AddAttribute("Locality",
                          "Which tokens a replica takes first. none: those of GPUs in their order; "
                          "gpu: those of its own GPU; server: these, then those of its own server. "
                          "(Algorithm 1 and its variant; none is what appendix C.3 compares with.)",
                          LocalityValue(SERVER),
                          MakeAccessorHelper<LocalityValue>(&MicroMoeExpertPolicy::m_locality),
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
    if (!LinearProgram::Has(GetLibrary()))
    {
        throw ConfigurationError("library",
                                 "rails was built without HiGHS: use lp-solve, or install HiGHS "
                                 "and build again");
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
        Place(layer, PlaceFirst(layer)); // experts come to be there: nothing moves
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

/// \return replicas that all GPUs hold
uint32_t
MicroMoeExpertPolicy::CountSlots() const
{
    return GetSetting().cluster.gpus * (GetSetting().GetHomes() + *GetSlots(GetSetting()));
}

/// \return where replicas of a layer are before there are loads
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

/// \return the best of some random placements in which hot experts have more replicas, or nothing
/// if the largest load of none is below a limit
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

/// \return a largest load that no placement of so many replicas is below
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

/// \return what the GPU with most tokens would have at least
double
MicroMoeExpertPolicy::FindLargestLoad(uint32_t layer, const std::vector<uint64_t>& loads) const
{
    const uint32_t gpus = GetSetting().cluster.gpus;
    return gpus <= kMostEnumerated ? FindDensity(loads, GetPlacement(layer)->hosts, gpus)
                                   : static_cast<double>(m_layers[layer].split->FindLargest(loads));
}

/// \return the same of other hosts, nothing if it is not below a limit
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
                                                      GetWeights(),
                                                      GetLibrary())
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

LinearSolver
MicroMoeExpertPolicy::GetLibrary() const
{
    return m_library == HIGHS ? LinearSolver::Highs : LinearSolver::LpSolve;
}

} // namespace ns3::rails
