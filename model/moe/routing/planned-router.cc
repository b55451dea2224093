// SPDX-License-Identifier: GPL-2.0-only
#include "planned-router.h"

#include "ns3/block-schedule.h"
#include "ns3/expert-states.h"
#include "ns3/layer-time-model.h"
#include "ns3/layer-work.h"
#include "ns3/rails-error.h"
#include "ns3/source-spread.h"
#include "ns3/token-routing.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

constexpr double kBitsPerByte = 8;
constexpr double kPicoseconds = 1e12;

TimePs
ToPicoseconds(double seconds)
{
    return std::llround(seconds * kPicoseconds);
}

/// \return what FindPairSkew() says of each of the groups that are planned together, in the mean
double
FindSkew(const TokenCounts& counts, uint32_t groups)
{
    const std::vector<uint32_t>& all = counts.GetCounts();
    const auto size = static_cast<std::ptrdiff_t>(all.size() / groups);
    double skew = 0;
    for (uint32_t group = 0; group < groups; ++group)
    {
        const auto first = all.begin() + size * group;
        skew += FindPairSkew({first, first + size}, counts.GetSources() / groups);
    }
    return skew / groups;
}

} // namespace

ExpertSetting
MakeExpertSetting(const TrainingPlan& plan, const ExpertGroups& groups)
{
    const double parameters = plan.model.GetExpertParameters();
    const auto getBytes = [&](double each) { return static_cast<uint64_t>(parameters * each); };
    ExpertSetting setting;
    ClusterView& cluster = setting.cluster;
    cluster.gpusPerServer = plan.shape.gpusPerServer;
    cluster.nicsPerServer = plan.shape.nicsPerServer;
    cluster = groups.Narrow(cluster);
    cluster.nvlinkRate = static_cast<double>(plan.rates.gpuBps) / kBitsPerByte;
    cluster.nicRate = static_cast<double>(plan.rates.nicBps) / kBitsPerByte;
    if (plan.circuits.servers > 0)
    {
        const double nics = static_cast<double>(plan.rates.packetNics) * cluster.gpusPerServer /
                            plan.shape.gpusPerServer;
        cluster.copyNics = std::max(1U, static_cast<uint32_t>(nics));
        cluster.copyRate =
            nics / cluster.copyNics * static_cast<double>(plan.rates.packetBps) / kBitsPerByte;
    }
    setting.expertParallel = plan.ep;
    setting.experts = plan.model.experts;
    setting.topK = plan.model.topK;
    setting.expertGroups = plan.model.expertGroups;
    setting.tokens = plan.GetTokens();
    setting.sequence = plan.sequence;
    setting.hidden = plan.model.hidden;
    setting.microbatches = plan.microbatches;
    // Policies know one number for both ways.
    setting.tokenBytes =
        RoundBytes(plan.model.GetExpertHidden() * (plan.bytes.dispatch + plan.bytes.combine) / 2);
    setting.weightBytes = getBytes(plan.bytes.parameters);
    setting.gradientBytes = getBytes(plan.bytes.gradients);
    // Stages that have the same experts share the states of the optimizer.
    setting.stateBytes = getBytes(static_cast<double>(kOptimizerBytes) / plan.CountMirrors());
    setting.tokenFlops = 2 * parameters;
    const double pairs = setting.GetMeanLoad();
    const TimePs mean = plan.compute->GetTime(MakeExpertWork(plan, pairs, Pass::Forward));
    cluster.flops =
        mean > 0 ? pairs * setting.tokenFlops * kPicoseconds / static_cast<double>(mean) : 0;
    setting.planning = plan.handling.planning;
    for (uint32_t stage = 0; stage < plan.pp; ++stage)
    {
        const auto layers = static_cast<uint32_t>(plan.ListExpertLayers(stage).size());
        setting.layers = std::max(setting.layers, layers);
    }
    if (plan.handling.budget)
    {
        setting.slots = FitSlots(*plan.handling.policy,
                                 setting,
                                 {"expert_budget",
                                  "experts",
                                  *plan.handling.budget,
                                  getBytes(static_cast<double>(plan.elementBytes)),
                                  getBytes(static_cast<double>(plan.gradientBytes)),
                                  setting.stateBytes,
                                  setting.layers,
                                  plan.edp,
                                  plan.handling.merged});
    }
    setting.otherForward = static_cast<double>(GetOtherTime(plan, Pass::Forward)) / kPicoseconds;
    setting.otherBackward = static_cast<double>(GetOtherTime(plan, Pass::Backward)) / kPicoseconds;
    return setting;
}

PlannedRouter::PlannedRouter(const TrainingPlan& plan, const ExpertGroups& groups)
    : ExpertRouter(plan, groups),
      m_window(*plan.handling.policy,
               plan.handling.warmUp,
               plan.iterations,
               plan.load->CountIterations()),
      m_setting(MakeExpertSetting(plan, groups))
{
    for (uint32_t stage = 0; stage < plan.pp; ++stage)
    {
        m_layers.push_back(plan.ListExpertLayers(stage));
        m_mostLayers = std::max(m_mostLayers, static_cast<uint32_t>(m_layers.back().size()));
    }
    m_copySlots = FindCopySlots(*plan.handling.policy, m_setting);
    const auto many = static_cast<uint32_t>(groups.GetTable().GetGroups().size());
    m_policy = std::make_unique<GroupedPolicy>(plan.handling.policy, m_setting, many);
    m_setting = m_policy->GetSetting();
    CheckMemory();
    m_routings.resize(std::size_t{plan.iterations} * plan.microbatches * m_setting.layers);
    m_decided.resize(std::size_t{plan.iterations} * many);
    m_moves.assign(plan.iterations, ExpertMoves(plan.shape));
    m_hosts.resize(std::size_t{plan.iterations} * plan.pp * std::max(1U, m_mostLayers));
    m_isMoved.resize(m_hosts.size());
    m_copies.assign(m_setting.layers, std::vector<uint64_t>(m_setting.cluster.gpus));
    m_policy->Start();
    for (uint32_t stage = 0; stage < plan.pp; ++stage)
    {
        for (const uint32_t layer : m_layers[stage])
        {
            m_placed[{stage, layer}] = ListHosts(stage, layer);
        }
    }
    const uint32_t end = plan.handling.warmUp + plan.iterations;
    for (uint32_t iteration = 0; iteration < (plan.handling.meansMoves ? m_window.GetEnd() : end);
         ++iteration)
    {
        PlanIteration(iteration);
    }
    if (plan.handling.meansMoves)
    {
        SpreadMoves();
    }
    FinishFigures();
}

void
PlannedRouter::CheckMemory() const
{
    constexpr double mostBytes = 8.0 * (1U << 30);
    const double gpus = m_setting.cluster.gpus;
    const double plans =
        double{1} * GetPlan().iterations * GetPlan().microbatches * m_setting.layers;
    // Measured: a matrix of the group, vectors of its GPUs, and what the objects take themselves.
    double each = 700 + 5 * gpus * (gpus + 8) * (GetPlan().deduplicates ? 2 : 1);
    if (GetPlan().handling.keepsCopies)
    {
        // About as many experts come to GPUs as live there.
        each += 2.0 * sizeof(ExpertCopy) * m_setting.experts * m_setting.GetGroups() /
                GetPlan().microbatches;
    }
    if (plans * each > mostBytes)
    {
        throw ConfigurationError(
            "experts",
            std::to_string(static_cast<uint64_t>(plans)) +
                " plans of a layer and micro-batch, which are kept, need more than 8 GiB: run "
                "fewer iterations, micro-batches or layers");
    }
}

/// \return which of the layers with experts of its stage a layer is
uint32_t
PlannedRouter::FindPlace(uint32_t group, uint32_t layer) const
{
    const std::vector<uint32_t>& layers = m_layers[GetGroups().GetStage(group)];
    const auto at = std::lower_bound(layers.begin(), layers.end(), layer);
    return static_cast<uint32_t>(at - layers.begin());
}

/// \return number of a layer of a group as the policy counts
uint32_t
PlannedRouter::FindLayer(uint32_t group, uint32_t layer) const
{
    return m_policy->FindLayer(group, FindPlace(group, layer));
}

void
PlannedRouter::PlanIteration(uint32_t iteration)
{
    BeginIteration(iteration);
    const auto many = static_cast<uint32_t>(GetGroups().GetTable().GetGroups().size());
    for (uint32_t microbatch = 0; microbatch < GetPlan().microbatches; ++microbatch)
    {
        for (uint32_t group = 0; group < many; ++group)
        {
            for (const uint32_t layer : m_layers[GetGroups().GetStage(group)])
            {
                PlanLayer(group, {iteration, layer, microbatch, 0});
            }
        }
    }
    m_policy->EndIteration();
    for (auto& [layer, tally] : m_tallies)
    {
        m_kept[{iteration - GetPlan().handling.warmUp, layer}] = tally.Take();
    }
}

void
PlannedRouter::BeginIteration(uint32_t iteration)
{
    const std::optional<std::size_t> charged = FindCharged(iteration);
    const auto add = [&](const std::vector<ExpertTransfer>& transfers, const auto& number) {
        for (const ExpertTransfer& transfer : transfers)
        {
            if (charged)
            {
                m_moves[*charged].Add(number(transfer.from), number(transfer.to), transfer.bytes);
            }
        }
    };
    const std::vector<std::vector<uint32_t>>& groups = GetGroups().GetTable().GetGroups();
    for (uint32_t group = 0; group < groups.size(); ++group)
    {
        for (const uint32_t layer : m_layers[GetGroups().GetStage(group)])
        {
            add(m_policy->BeginIteration(group, FindPlace(group, layer)),
                [&own = groups[group]](uint32_t place) { return own[place]; });
        }
    }
    // Hosts of all groups of a stage divide the states of an expert.
    ClusterView cluster;
    cluster.gpusPerServer = GetPlan().shape.gpusPerServer;
    for (uint32_t stage = 0; stage < GetPlan().pp; ++stage)
    {
        for (const uint32_t layer : m_layers[stage])
        {
            Hosts now = ListHosts(stage, layer);
            Hosts& before = m_placed.at({stage, layer});
            for (uint32_t expert = 0; expert < now.size(); ++expert)
            {
                add(MoveStates(cluster, expert, m_setting.stateBytes, before[expert], now[expert]),
                    [](uint32_t gpu) { return gpu; });
            }
            before = std::move(now);
        }
    }
}

/// \return which of the iterations that are run is charged with what is decided before an
/// iteration, the first one for all in the mean; nothing: none
std::optional<std::size_t>
PlannedRouter::FindCharged(uint32_t iteration) const
{
    const ExpertHandling& handling = GetPlan().handling;
    if (handling.meansMoves ? !m_window.Has(iteration) : iteration < handling.warmUp)
    {
        return std::nullopt;
    }
    return handling.meansMoves ? 0 : iteration - handling.warmUp;
}

/// A policy that decides between iterations may have done so before this one.
void
PlannedRouter::CountPlanning(uint32_t group, uint32_t iteration, const ExpertPlan& plan)
{
    const std::optional<std::size_t> charged = FindCharged(iteration);
    if (charged && plan.isPlanned &&
        GetPlan().handling.policy->GetKnowledge() == ExpertKnowledge::Past)
    {
        DecidedMoves& decided =
            m_decided[*charged * GetGroups().GetTable().GetGroups().size() + group];
        ++decided.plannedLayers;
        decided.planning += ToPicoseconds(plan.planningSeconds);
    }
}

/// Charges each iteration with the mean of the window.
void
PlannedRouter::SpreadMoves()
{
    const std::size_t many = GetGroups().GetTable().GetGroups().size();
    const double length = m_window.GetLength();
    m_moves.front().Divide(m_window.GetLength());
    for (std::size_t group = 0; group < many; ++group)
    {
        DecidedMoves& decided = m_decided[group];
        decided.plannedLayers /= length;
        decided.planning = std::llround(static_cast<double>(decided.planning) / length);
    }
    for (std::size_t iteration = 1; iteration < GetPlan().iterations; ++iteration)
    {
        m_moves[iteration] = m_moves.front();
        std::copy_n(m_decided.begin(),
                    many,
                    m_decided.begin() + static_cast<std::ptrdiff_t>(iteration * many));
    }
}

/// \return by expert the GPUs that hold it now, in all groups of a stage
PlannedRouter::Hosts
PlannedRouter::ListHosts(uint32_t stage, uint32_t layer) const
{
    Hosts hosts(m_setting.experts);
    const std::vector<std::vector<uint32_t>>& groups = GetGroups().GetTable().GetGroups();
    for (uint32_t group = 0; group < groups.size(); ++group)
    {
        if (GetGroups().GetStage(group) == stage)
        {
            m_policy->AddHosts(group, FindPlace(group, layer), groups[group], hosts);
        }
    }
    return hosts;
}

TokenCounts
PlannedRouter::DrawGroup(uint32_t group, const LoadPlace& place) const
{
    std::vector<uint32_t> counts;
    for (uint32_t part = 0; part < m_setting.GetGroups(); ++part)
    {
        const std::vector<uint32_t> more = Draw(group, part, place);
        counts.insert(counts.end(), more.begin(), more.end());
    }
    return {m_setting.cluster.gpus, m_setting.experts, std::move(counts)};
}

void
PlannedRouter::PlanLayer(uint32_t group, const LoadPlace& place)
{
    const ExpertHandling& handling = GetPlan().handling;
    const uint32_t layer = FindPlace(group, place.layer);
    const TokenCounts counts = DrawGroup(group, place);
    const bool isBehind = place.iteration >= handling.warmUp + GetPlan().iterations;
    if (isBehind && place.microbatch > 0) // of the run: moves alone are looked at
    {
        m_policy->Remember(group, layer, counts);
        return;
    }
    const ExpertPlan plan = m_policy->Plan(group, layer, counts);
    m_policy->Remember(group, layer, counts);
    if (place.microbatch == 0)
    {
        CountPlanning(group, place.iteration, plan);
    }
    if (place.iteration < handling.warmUp || isBehind)
    {
        return;
    }
    const uint32_t iteration = place.iteration - handling.warmUp;
    const std::string defect = FindDefect(m_setting, counts, plan);
    if (!defect.empty())
    {
        throw std::logic_error("a plan of experts cannot be right: " + defect);
    }
    m_routings[(std::size_t{iteration} * GetPlan().microbatches + place.microbatch) *
                   m_setting.layers +
               FindLayer(group, place.layer)] = MakeRouting(group, place, counts, plan);
    if (place.microbatch == 0)
    {
        KeepHosts(iteration, group, place.layer, plan);
    }
    AddFigures(group, place, counts, plan);
    if (handling.keepsCopies)
    {
        m_tallies[place.layer].Add(m_setting, plan, GetGroups().GetTable().GetGroups()[group]);
    }
}

void
PlannedRouter::KeepHosts(uint32_t iteration, uint32_t group, uint32_t layer, const ExpertPlan& plan)
{
    const uint32_t stage = GetGroups().GetStage(group);
    const std::vector<uint32_t>& members = GetGroups().GetTable().GetGroups()[group];
    const std::size_t at = FindHosts(stage, iteration, layer);
    Hosts& hosts = m_hosts[at];
    m_isMoved[at] =
        m_isMoved[at] || plan.placement->hosts != ExpertPlacement::InOrder(m_setting).hosts;
    hosts.resize(m_setting.experts);
    for (uint32_t expert = 0; expert < m_setting.experts; ++expert)
    {
        for (const uint32_t place : plan.placement->ListHosts(expert))
        {
            hosts[expert].push_back(members[place]);
        }
    }
}

/// \return rows of each expert that a GPU has some of, by GPU; padding is one more of them
std::vector<std::vector<uint32_t>>
PlannedRouter::CountRows(uint32_t gpus, const ExpertPlan& plan)
{
    std::vector<std::map<uint32_t, uint32_t>> ofExperts(gpus);
    for (const TokenRoute& route : plan.routes)
    {
        ofExperts[route.host][route.expert] += route.tokens;
    }
    std::vector<std::vector<uint32_t>> rows(gpus);
    for (uint32_t gpu = 0; gpu < gpus; ++gpu)
    {
        for (const auto& [expert, tokens] : ofExperts[gpu])
        {
            rows[gpu].push_back(tokens);
        }
        if (gpu < plan.padding.size())
        {
            rows[gpu].push_back(static_cast<uint32_t>(plan.padding[gpu]));
        }
    }
    return rows;
}

std::shared_ptr<const ExpertRouting>
PlannedRouter::MakeRouting(uint32_t group,
                           const LoadPlace& place,
                           const TokenCounts& counts,
                           const ExpertPlan& plan) const
{
    const ExpertHandling& handling = GetPlan().handling;
    const uint32_t gpus = m_setting.cluster.gpus;
    const auto routing = std::make_shared<ExpertRouting>();
    routing->tokens.resize(std::size_t{gpus} * gpus);
    routing->received = plan.padding;
    routing->received.resize(gpus);
    for (const TokenRoute& route : plan.routes)
    {
        routing->tokens[std::size_t{route.source} * gpus + route.host] += route.tokens;
        routing->received[route.host] += route.tokens;
    }
    if (GetPlan().compute->ReadsShapes())
    {
        routing->rows = CountRows(gpus, plan);
    }
    if (plan.paddedTokens > 0)
    {
        AddPadding(*routing);
    }
    if (GetPlan().deduplicates)
    {
        CountCopies(group, place, counts, plan, *routing);
    }
    else
    {
        routing->arrived = routing->received;
    }
    const CopyWay way = handling.policy->GetCopyWay();
    routing->weights.hops = LayCopies(m_setting.cluster, plan.weights, way);
    routing->gradients.hops = LayReturns(m_setting.cluster, plan.gradients, way);
    routing->fetchesAgain = plan.fetchesAgain;
    routing->isPlanned = plan.isPlanned;
    routing->planning = ToPicoseconds(plan.planningSeconds);
    if (handling.GetCopyTiming() == CopyTiming::Scheduled && !plan.weights.empty())
    {
        const LayerTime time =
            LayerTimeModel(handling.policy->FindRates(m_setting)).Evaluate(FindWork(gpus, plan));
        const BlockCut cut = FindCut(time, time);
        routing->weights.share = 1 - cut.parameters;
        routing->gradients.share = cut.gradients;
    }
    return routing;
}

/// Every GPU of a group of expert parallelism sends as many rows to a GPU of it, tokens or not.
void
PlannedRouter::AddPadding(ExpertRouting& routing) const
{
    const uint32_t gpus = m_setting.cluster.gpus;
    const uint32_t peers = m_setting.expertParallel;
    for (uint32_t source = 0; source < gpus; ++source)
    {
        const uint32_t first = source / peers * peers;
        for (uint32_t host = first; host < first + peers; ++host)
        {
            routing.tokens[std::size_t{source} * gpus + host] =
                static_cast<uint32_t>(routing.received[host] / peers);
        }
    }
}

std::shared_ptr<const ExpertRouting>
PlannedRouter::Get(uint32_t group, const LoadPlace& place) const
{
    return m_routings[(std::size_t{place.iteration} * GetPlan().microbatches + place.microbatch) *
                          m_setting.layers +
                      FindLayer(group, place.layer)];
}

const DecidedMoves&
PlannedRouter::GetDecided(uint32_t group, uint32_t iteration) const
{
    return m_decided[std::size_t{iteration} * GetGroups().GetTable().GetGroups().size() + group];
}

const ExpertMoves&
PlannedRouter::GetMoves(uint32_t iteration) const
{
    return m_moves[iteration];
}

const std::vector<std::vector<uint32_t>>&
PlannedRouter::GetHosts(uint32_t stage, uint32_t iteration, uint32_t layer) const
{
    return m_hosts[FindHosts(stage, iteration, layer)];
}

bool
PlannedRouter::IsMoved(uint32_t stage, uint32_t iteration, uint32_t layer) const
{
    return m_isMoved[FindHosts(stage, iteration, layer)];
}

bool
PlannedRouter::IsMoved(uint32_t stage, uint32_t iteration) const
{
    return std::any_of(m_layers[stage].begin(), m_layers[stage].end(), [&](uint32_t layer) {
        return IsMoved(stage, iteration, layer);
    });
}

const std::vector<uint32_t>&
PlannedRouter::GetLayers(uint32_t stage) const
{
    return m_layers[stage];
}

std::size_t
PlannedRouter::FindHosts(uint32_t stage, uint32_t iteration, uint32_t layer) const
{
    const std::vector<uint32_t>& layers = m_layers[stage];
    const auto at = std::lower_bound(layers.begin(), layers.end(), layer);
    return (std::size_t{iteration} * GetPlan().pp + stage) * m_mostLayers +
           static_cast<std::size_t>(at - layers.begin());
}

ExpertFigures
PlannedRouter::GetFigures() const
{
    return m_figures;
}

std::vector<ExpertCopy>
PlannedRouter::ListCopies(uint32_t iteration, uint32_t layer) const
{
    const auto found = m_kept.find({iteration, layer});
    return found == m_kept.end() ? std::vector<ExpertCopy>() : found->second;
}

void
PlannedRouter::AddFigures(uint32_t group,
                          const LoadPlace& place,
                          const TokenCounts& counts,
                          const ExpertPlan& plan)
{
    ExpertPlan without;
    without.placement = plan.placement;
    without.routes = RouteInGroups(counts, m_setting);
    const PlanFigures figures = FindFigures(m_setting, counts, plan);
    const auto tokens = static_cast<double>(std::max<uint64_t>(1, counts.GetTotal()));
    ++m_figures.plans;
    m_figures.before += FindFigures(m_setting, counts, without).maxOverMean;
    m_figures.after += figures.maxOverMean;
    m_figures.worst = std::max(m_figures.worst, figures.maxOverMean);
    m_figures.local += static_cast<double>(figures.localTokens) / tokens;
    m_figures.skew += FindSkew(counts, m_setting.GetGroups());
    m_figures.dropped += static_cast<double>(figures.droppedTokens) / tokens;
    m_figures.copies += static_cast<double>(figures.copies);
    m_figures.planningS += plan.planningSeconds;
    std::vector<uint64_t> copies(m_setting.cluster.gpus);
    for (const ExpertTransfer& transfer : plan.weights)
    {
        ++copies[transfer.to];
    }
    std::vector<uint64_t>& most = m_copies[FindLayer(group, place.layer)];
    for (uint32_t gpu = 0; gpu < copies.size(); ++gpu)
    {
        // What is beyond its slots is read where it is.
        const uint64_t filled = std::min<uint64_t>(copies[gpu], m_copySlots.value_or(copies[gpu]));
        most[gpu] = std::max(most[gpu], filled);
        m_mostCopies = std::max(m_mostCopies, filled);
    }
    m_fetchesAgain = m_fetchesAgain || plan.fetchesAgain;
}

/// \return experts that a GPU of a stage holds for good, of all layers, and states of their
/// optimizer, at most
ExpertFigures::Held
PlannedRouter::FindMostHeld(uint32_t stage) const
{
    ExpertFigures::Held largest;
    for (uint32_t iteration = 0; iteration < GetPlan().iterations; ++iteration)
    {
        std::vector<ExpertFigures::Held> held(GetPlan().shape.GetGpus());
        for (const uint32_t layer : m_layers[stage])
        {
            std::vector<uint64_t> ofLayer(held.size());
            for (const std::vector<uint32_t>& hosts : GetHosts(stage, iteration, layer))
            {
                largest.hosts = std::max<uint64_t>(largest.hosts, hosts.size());
                for (const auto& [gpu, bytes] : DivideStates(m_setting.stateBytes, hosts))
                {
                    held[gpu].stateBytes += bytes;
                    largest.ofLayer = std::max(largest.ofLayer, ++ofLayer[gpu]);
                    largest.experts = std::max(largest.experts, ++held[gpu].experts);
                    largest.stateBytes = std::max(largest.stateBytes, held[gpu].stateBytes);
                }
            }
        }
    }
    return largest;
}

/// \return copies that a GPU of a group has at the same time, at most
uint64_t
PlannedRouter::FindMostCopies(uint32_t group) const
{
    uint64_t largest = 0;
    std::vector<uint64_t> kept(m_setting.cluster.gpus);
    for (const uint32_t layer : m_layers[GetGroups().GetStage(group)])
    {
        const std::vector<uint64_t>& most = m_copies[FindLayer(group, layer)];
        for (uint32_t gpu = 0; gpu < kept.size(); ++gpu)
        {
            // What is fetched again has been dropped, and layers share its place.
            kept[gpu] = m_fetchesAgain ? most[gpu] : kept[gpu] + most[gpu];
            largest = std::max(largest, kept[gpu]);
        }
    }
    return largest;
}

void
PlannedRouter::FinishFigures()
{
    for (uint32_t stage = 0; stage < GetPlan().pp; ++stage)
    {
        m_figures.held.push_back(FindMostHeld(stage));
    }
    const auto groups = static_cast<uint32_t>(GetGroups().GetTable().GetGroups().size());
    for (uint32_t group = 0; group < groups; ++group)
    {
        uint64_t& copies = m_figures.held[GetGroups().GetStage(group)].copies;
        copies = std::max(copies, FindMostCopies(group));
    }
    uint64_t mostHeld = 0;
    for (const ExpertFigures::Held& held : m_figures.held)
    {
        mostHeld = std::max(mostHeld, held.ofLayer);
    }
    m_figures.slots = FindSlotFigures(*GetPlan().handling.policy,
                                      m_setting,
                                      mostHeld,
                                      m_mostCopies,
                                      m_fetchesAgain);
    const auto plans = static_cast<double>(std::max<uint64_t>(1, m_figures.plans));
    for (double* sum : {&m_figures.before,
                        &m_figures.after,
                        &m_figures.local,
                        &m_figures.skew,
                        &m_figures.dropped,
                        &m_figures.copies})
    {
        *sum /= plans;
    }
    m_figures.planningS /= double{1} * GetPlan().iterations * groups;
    m_figures.lookBack = m_policy->GetLookBack();
}

/// Of an expert that no source of a part has tokens for, adds where it is all the same: it might
/// have been chosen, and what tokens have in common is found from that.
void
PlannedRouter::AddIdle(uint32_t part,
                       uint32_t expert,
                       const ExpertPlan& plan,
                       std::vector<SplitPart>& parts) const
{
    const std::vector<uint32_t> hosts = plan.placement->ListHosts(expert);
    const auto isOwn = [&](uint32_t host) { return host / m_setting.expertParallel == part; };
    const bool hasOwn = std::any_of(hosts.begin(), hosts.end(), isOwn);
    for (const uint32_t host : hosts)
    {
        if (!hasOwn || isOwn(host))
        {
            parts.push_back({0, expert, host, 0});
        }
    }
}

/// Tokens that reach a GPU, and a server, for any number of experts.
void
PlannedRouter::CountCopies(uint32_t group,
                           const LoadPlace& place,
                           const TokenCounts& counts,
                           const ExpertPlan& plan,
                           ExpertRouting& routing) const
{
    if (plan.paddedTokens > 0)
    {
        throw std::invalid_argument("rows without a token cannot be de-duplicated");
    }
    const LoadShape shape = GetPlan().GetLoadShape();
    const GroupServers& servers = GetGroups().GetServers(group);
    const uint32_t gpus = m_setting.cluster.gpus;
    std::vector<std::vector<SplitPart>> toGpus(m_setting.GetGroups());
    std::vector<std::vector<bool>> isIdle(toGpus.size(), std::vector<bool>(shape.experts, true));
    for (const TokenRoute& route : plan.routes)
    {
        const uint32_t part = route.source / shape.sources;
        toGpus[part].push_back(
            {route.source % shape.sources, route.expert, route.host, route.tokens});
        isIdle[part][route.expert] = false;
    }
    for (uint32_t part = 0; part < toGpus.size(); ++part)
    {
        for (uint32_t expert = 0; expert < shape.experts; ++expert)
        {
            if (isIdle[part][expert])
            {
                AddIdle(part, expert, plan, toGpus[part]);
            }
        }
        const auto first = counts.GetCounts().begin() +
                           static_cast<std::ptrdiff_t>(shape.sources) * shape.experts * part;
        const std::vector<uint32_t> own(first,
                                        first + static_cast<std::ptrdiff_t>(shape.sources) *
                                                    shape.experts);
        const auto count = [&](const std::vector<SplitPart>& parts, uint32_t sets) {
            return GetPlan().load->CountCopies(
                shape,
                Find(group, part, place),
                own,
                TokenSplit(shape.sources, shape.experts, sets, parts));
        };
        const auto append = [](std::vector<uint32_t>& all, const std::vector<uint32_t>& more) {
            all.insert(all.end(), more.begin(), more.end());
        };
        append(routing.copies, count(toGpus[part], gpus));
        std::vector<SplitPart> toServers = toGpus[part];
        for (SplitPart& share : toServers)
        {
            share.set = servers.GetServer(share.set);
        }
        append(routing.serverCopies, count(toServers, servers.GetCount()));
    }
    SumArrivals(routing, gpus);
}

} // namespace ns3::rails
