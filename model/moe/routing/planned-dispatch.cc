// SPDX-License-Identifier: GPL-2.0-only
#include "planned-dispatch.h"

#include "expert-groups.h"
#include "expert-setting-maker.h"

#include "ns3/block-schedule.h"
#include "ns3/layer-time-model.h"
#include "ns3/layer-work.h"
#include "ns3/rails-error.h"
#include "ns3/rails-units.h"
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

TimePs
ToPicoseconds(double seconds)
{
    return std::llround(seconds * kPicosecondsPerSecond);
}

/// \return FindPairSkew(), mean over the groups that are planned together
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
MakeExpertSetting(const TrainingSpec& spec, const GpuPartition& groups)
{
    const double parameters = spec.model.GetExpertParameters();
    const auto getBytes = [&](double each) { return static_cast<uint64_t>(parameters * each); };
    ClusterView servers;
    servers.gpusPerServer = spec.shape.gpusPerServer;
    servers.nicsPerServer = spec.shape.nicsPerServer;
    // Policies use one token size for dispatch and combine. Mirrored stages share optimizer states.
    ExpertSetting setting =
        MakeExpertSetting(spec.model,
                          {(spec.bytes.dispatch + spec.bytes.combine) / 2,
                           spec.bytes.parameters,
                           spec.bytes.gradients,
                           static_cast<double>(kOptimizerBytes) / spec.CountMirrors()},
                          Narrow(groups, servers),
                          {spec.rates.gpuBps, spec.rates.nicBps},
                          spec.ep,
                          spec.GetTokens());
    ClusterView& cluster = setting.cluster;
    if (spec.circuits.servers > 0)
    {
        const double nics = static_cast<double>(spec.rates.packetNics) * cluster.gpusPerServer /
                            spec.shape.gpusPerServer;
        cluster.copyNics = std::max(1U, static_cast<uint32_t>(nics));
        cluster.copyRate =
            nics / cluster.copyNics * static_cast<double>(spec.rates.packetBps) / kBitsPerByte;
    }
    setting.sequence = spec.sequence;
    setting.microbatches = spec.microbatches;
    const double pairs = setting.GetMeanLoad();
    const TimePs mean = spec.compute->GetTime(MakeExpertWork(spec, pairs, Pass::Forward));
    cluster.flops =
        mean > 0 ? pairs * setting.tokenFlops * kPicosecondsPerSecond / static_cast<double>(mean)
                 : 0;
    setting.planning = ChargePlanning(spec.handling.planning, *spec.handling.policy, setting);
    for (uint32_t stage = 0; stage < spec.pp; ++stage)
    {
        const auto layers = static_cast<uint32_t>(spec.ListExpertLayers(stage).size());
        setting.layers = std::max(setting.layers, layers);
    }
    if (spec.handling.budget)
    {
        setting.slots = FitSlots(*spec.handling.policy,
                                 setting,
                                 {"expert_budget",
                                  "experts",
                                  *spec.handling.budget,
                                  getBytes(static_cast<double>(spec.elementBytes)),
                                  getBytes(static_cast<double>(spec.gradientBytes)),
                                  setting.stateBytes,
                                  setting.layers,
                                  spec.edp,
                                  spec.handling.merged});
    }
    setting.otherForward =
        static_cast<double>(GetOtherTime(spec, Pass::Forward)) / kPicosecondsPerSecond;
    setting.otherBackward =
        static_cast<double>(GetOtherTime(spec, Pass::Backward)) / kPicosecondsPerSecond;
    return setting;
}

PlannedDispatch::PlannedDispatch(const TrainingSpec& spec, const GpuPartition& groups)
    : TokenDispatch(spec, groups),
      m_window(*spec.handling.policy,
               spec.handling.warmUp,
               spec.iterations,
               spec.load->CountIterations()),
      m_setting(MakeExpertSetting(spec, groups)),
      m_slots(FindCopySlots(*spec.handling.policy, m_setting)),
      m_planning(spec.handling.policy, m_setting, MakeScope()),
      m_layers(m_planning.GetScope().layers)
{
    for (const std::vector<uint32_t>& layers : m_layers)
    {
        m_mostLayers = std::max(m_mostLayers, static_cast<uint32_t>(layers.size()));
    }
    m_setting = m_planning.GetPolicy().GetSetting();
    CheckMemory();
    m_routings.resize(std::size_t{spec.iterations} * spec.microbatches * m_setting.layers);
    m_decided.resize(spec.iterations * groups.GetGroups().size());
    m_moves.assign(spec.iterations, ExpertMoves(spec.shape));
    m_hosts.resize(std::size_t{spec.iterations} * spec.pp * std::max(1U, m_mostLayers));
    m_isMoved.resize(m_hosts.size());
    m_copies.assign(m_setting.layers, std::vector<uint64_t>(m_setting.cluster.gpus));
    m_planning.Run(*this);
    if (spec.handling.meansMoves)
    {
        SpreadMoves();
    }
    FinishFigures();
}

PlanningScope
PlannedDispatch::MakeScope() const
{
    PlanningScope scope;
    scope.members = GetGroups().GetGroups();
    for (uint32_t stage = 0; stage < GetSpec().pp; ++stage)
    {
        scope.groups.emplace_back();
        for (uint32_t number = 0; number < GetSpec().CountExpertGroups(); ++number)
        {
            scope.groups.back().push_back(stage * GetSpec().CountExpertGroups() + number);
        }
        scope.layers.push_back(GetSpec().ListExpertLayers(stage));
    }
    scope.gpusPerServer = GetSpec().shape.gpusPerServer;
    scope.run = GetSpec().GetRun();
    scope.end = GetSpec().handling.meansMoves ? m_window.GetEnd() : scope.run.GetEnd();
    scope.plansBehind = true; // planning time is charged as a mean, too
    return scope;
}

void
PlannedDispatch::CheckMemory() const
{
    constexpr double mostBytes = 8.0 * (1U << 30);
    const double gpus = m_setting.cluster.gpus;
    const double plans =
        double{1} * GetSpec().iterations * GetSpec().microbatches * m_setting.layers;
    // Measured bytes: a matrix of the group, vectors of its GPUs, and the objects.
    double each = 700 + 5 * gpus * (gpus + 8) * (GetSpec().deduplicates ? 2 : 1);
    if (GetSpec().handling.keepsCopies)
    {
        // Assumes one temporary replica per expert at home.
        each += 2.0 * sizeof(ExpertCopy) * m_setting.experts * m_setting.GetGroups() /
                GetSpec().microbatches;
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

/// \return index of a layer among the layers with experts of its stage
uint32_t
PlannedDispatch::FindPlace(uint32_t group, uint32_t layer) const
{
    const std::vector<uint32_t>& layers = m_layers[GetSpec().GetGroupStage(group)];
    const auto at = std::lower_bound(layers.begin(), layers.end(), layer);
    return static_cast<uint32_t>(at - layers.begin());
}

/// \return number of a group's layer for the policy
uint32_t
PlannedDispatch::FindLayer(uint32_t group, uint32_t layer) const
{
    return m_planning.GetPolicy().FindLayer(group, FindPlace(group, layer));
}

void
PlannedDispatch::TakeMoves(uint32_t iteration, const std::vector<LayerMoves>& moves)
{
    const std::optional<std::size_t> charged = FindCharged(iteration);
    bool isMoving = false;
    for (const LayerMoves& ofLayer : moves)
    {
        for (const ExpertTransfer& transfer : ofLayer.transfers)
        {
            if (charged)
            {
                isMoving = true;
                m_moves[*charged].Add(transfer.from, transfer.to, transfer.bytes);
            }
        }
    }
    m_figures.moving += isMoving ? 1 : 0;
}

void
PlannedDispatch::EndIteration(uint32_t iteration)
{
    const std::optional<uint32_t> run = GetSpec().GetRun().FindRun(iteration);
    for (auto& [layer, tally] : m_tallies)
    {
        if (run)
        {
            m_kept[{*run, layer}] = tally.Take();
        }
    }
}

/// \return the simulated iteration that is charged for an iteration's moves; for means the first
///     one; nothing: none
std::optional<std::size_t>
PlannedDispatch::FindCharged(uint32_t iteration) const
{
    if (!GetSpec().handling.meansMoves)
    {
        return GetSpec().GetRun().FindRun(iteration);
    }
    return m_window.Has(iteration) ? std::optional<std::size_t>(0) : std::nullopt;
}

/// Charges planning between iterations, if a policy has planned before this one.
void
PlannedDispatch::CountPlanning(uint32_t group, uint32_t iteration, const ExpertPlan& plan)
{
    const std::optional<std::size_t> charged = FindCharged(iteration);
    if (charged && plan.isPlanned &&
        GetSpec().handling.policy->GetKnowledge() == ExpertKnowledge::Past)
    {
        DecidedMoves& decided = m_decided[*charged * GetGroups().GetCount() + group];
        ++decided.plannedLayers;
        decided.planning += ToPicoseconds(plan.planningSeconds);
    }
}

/// Charges each iteration with the mean over the window.
void
PlannedDispatch::SpreadMoves()
{
    const std::size_t many = GetGroups().GetCount();
    const double length = m_window.GetLength();
    m_moves.front().Divide(m_window.GetLength());
    for (std::size_t group = 0; group < many; ++group)
    {
        DecidedMoves& decided = m_decided[group];
        decided.plannedLayers /= length;
        decided.planning = std::llround(static_cast<double>(decided.planning) / length);
    }
    for (std::size_t iteration = 1; iteration < GetSpec().iterations; ++iteration)
    {
        m_moves[iteration] = m_moves.front();
        std::copy_n(m_decided.begin(),
                    many,
                    m_decided.begin() + static_cast<std::ptrdiff_t>(iteration * many));
    }
}

const TokenCounts&
PlannedDispatch::Draw(const PlanningSite& site, const LoadPlace& place)
{
    std::vector<uint32_t> counts;
    for (uint32_t part = 0; part < m_setting.GetGroups(); ++part)
    {
        const std::vector<uint32_t> more = TokenDispatch::Draw(site.group, part, place);
        counts.insert(counts.end(), more.begin(), more.end());
    }
    m_drawn.emplace(m_setting.cluster.gpus, m_setting.experts, std::move(counts));
    return *m_drawn;
}

void
PlannedDispatch::Reject(const LoadPlace&, const std::string& defect)
{
    throw std::logic_error("a plan of experts cannot be right: " + defect);
}

void
PlannedDispatch::TakePlan(const PlanningSite& site,
                          const LoadPlace& place,
                          const TokenCounts& counts,
                          ExpertPlan plan,
                          double)
{
    const uint32_t group = site.group;
    if (place.microbatch == 0)
    {
        CountPlanning(group, place.iteration, plan);
    }
    const std::optional<uint32_t> run = GetSpec().GetRun().FindRun(place.iteration);
    if (!run)
    {
        return;
    }
    m_routings[(std::size_t{*run} * GetSpec().microbatches + place.microbatch) * m_setting.layers +
               FindLayer(group, place.layer)] = MakeRouting(group, place, counts, plan);
    if (place.microbatch == 0)
    {
        KeepHosts(*run, group, place.layer, plan);
    }
    AddFigures(group, place, counts, plan);
    if (GetSpec().handling.keepsCopies)
    {
        m_tallies[place.layer].Add(m_setting, plan, GetGroups().GetGroups()[group]);
    }
}

void
PlannedDispatch::KeepHosts(uint32_t iteration,
                           uint32_t group,
                           uint32_t layer,
                           const ExpertPlan& plan)
{
    const uint32_t stage = GetSpec().GetGroupStage(group);
    const std::vector<uint32_t>& members = GetGroups().GetGroups()[group];
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

/// \return rows of each expert with tokens on a GPU, by GPU; padding counts as one more expert
std::vector<std::vector<uint32_t>>
PlannedDispatch::CountRows(uint32_t gpus, const ExpertPlan& plan)
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
PlannedDispatch::MakeRouting(uint32_t group,
                             const LoadPlace& place,
                             const TokenCounts& counts,
                             const ExpertPlan& plan) const
{
    const ExpertHandling& handling = GetSpec().handling;
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
    if (GetSpec().compute->GetTraits().readsShapes)
    {
        routing->rows = CountRows(gpus, plan);
    }
    if (plan.paddedTokens > 0)
    {
        AddPadding(*routing);
    }
    if (GetSpec().deduplicates)
    {
        CountCopies(group, place, counts, plan, *routing);
    }
    else
    {
        routing->arrived = routing->received;
    }
    const CopyWay way = handling.policy->GetTraits().copyWay;
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

/// Pads: every GPU of an expert-parallel group sends equally many rows to a host.
void
PlannedDispatch::AddPadding(ExpertRouting& routing) const
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
PlannedDispatch::Get(uint32_t group, const LoadPlace& place) const
{
    return m_routings[(std::size_t{place.iteration} * GetSpec().microbatches + place.microbatch) *
                          m_setting.layers +
                      FindLayer(group, place.layer)];
}

const DecidedMoves&
PlannedDispatch::GetDecided(uint32_t group, uint32_t iteration) const
{
    return m_decided[std::size_t{iteration} * GetGroups().GetCount() + group];
}

const ExpertMoves&
PlannedDispatch::GetMoves(uint32_t iteration) const
{
    return m_moves[iteration];
}

const std::vector<std::vector<uint32_t>>&
PlannedDispatch::GetHosts(uint32_t stage, uint32_t iteration, uint32_t layer) const
{
    return m_hosts[FindHosts(stage, iteration, layer)];
}

bool
PlannedDispatch::IsMoved(uint32_t stage, uint32_t iteration, uint32_t layer) const
{
    return m_isMoved[FindHosts(stage, iteration, layer)];
}

bool
PlannedDispatch::IsMoved(uint32_t stage, uint32_t iteration) const
{
    return std::any_of(m_layers[stage].begin(), m_layers[stage].end(), [&](uint32_t layer) {
        return IsMoved(stage, iteration, layer);
    });
}

const std::vector<uint32_t>&
PlannedDispatch::GetLayers(uint32_t stage) const
{
    return m_layers[stage];
}

std::size_t
PlannedDispatch::FindHosts(uint32_t stage, uint32_t iteration, uint32_t layer) const
{
    const std::vector<uint32_t>& layers = m_layers[stage];
    const auto at = std::lower_bound(layers.begin(), layers.end(), layer);
    return (std::size_t{iteration} * GetSpec().pp + stage) * m_mostLayers +
           static_cast<std::size_t>(at - layers.begin());
}

std::vector<ExpertCopy>
PlannedDispatch::ListCopies(uint32_t iteration, uint32_t layer) const
{
    const auto found = m_kept.find({iteration, layer});
    return found == m_kept.end() ? std::vector<ExpertCopy>() : found->second;
}

void
PlannedDispatch::AddFigures(uint32_t group,
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
    std::vector<uint64_t> copies = SlotTally::CountCopies(plan, m_setting.cluster.gpus);
    m_slots.Fill(plan, copies);
    std::vector<uint64_t>& most = m_copies[FindLayer(group, place.layer)];
    for (uint32_t gpu = 0; gpu < copies.size(); ++gpu)
    {
        most[gpu] = std::max(most[gpu], copies[gpu]);
    }
}

/// \return most experts and optimizer states of a GPU of a stage, all layers together
ExpertFigures::Held
PlannedDispatch::FindMostHeld(uint32_t stage) const
{
    ExpertFigures::Held largest;
    HeldTally tally(m_setting.stateBytes, GetSpec().shape.GetGpus());
    for (uint32_t iteration = 0; iteration < GetSpec().iterations; ++iteration)
    {
        tally.BeginIteration();
        for (const uint32_t layer : m_layers[stage])
        {
            tally.BeginLayer();
            for (const std::vector<uint32_t>& hosts : GetHosts(stage, iteration, layer))
            {
                largest.hosts = std::max<uint64_t>(largest.hosts, hosts.size());
                tally.Add(hosts);
            }
        }
        for (const HeldTally::Held& held : tally.GetByGpu())
        {
            largest.experts = std::max(largest.experts, held.experts);
            largest.stateBytes = std::max(largest.stateBytes, held.stateBytes);
        }
    }
    largest.ofLayer = tally.GetMostOfLayer();
    return largest;
}

/// \return most temporary replicas at the same time on a GPU of a group
uint64_t
PlannedDispatch::FindMostCopies(uint32_t group) const
{
    uint64_t largest = 0;
    std::vector<uint64_t> kept(m_setting.cluster.gpus);
    for (const uint32_t layer : m_layers[GetSpec().GetGroupStage(group)])
    {
        const std::vector<uint64_t>& most = m_copies[FindLayer(group, layer)];
        for (uint32_t gpu = 0; gpu < kept.size(); ++gpu)
        {
            // Replicas that are fetched again were dropped, so layers share their slots.
            kept[gpu] = m_slots.FetchesAgain() ? most[gpu] : kept[gpu] + most[gpu];
            largest = std::max(largest, kept[gpu]);
        }
    }
    return largest;
}

void
PlannedDispatch::FinishFigures()
{
    for (uint32_t stage = 0; stage < GetSpec().pp; ++stage)
    {
        m_figures.held.push_back(FindMostHeld(stage));
    }
    const uint32_t groups = GetGroups().GetCount();
    for (uint32_t group = 0; group < groups; ++group)
    {
        uint64_t& copies = m_figures.held[GetSpec().GetGroupStage(group)].copies;
        copies = std::max(copies, FindMostCopies(group));
    }
    uint64_t mostHeld = 0;
    for (const ExpertFigures::Held& held : m_figures.held)
    {
        mostHeld = std::max(mostHeld, held.ofLayer);
    }
    m_figures.slots = m_slots.GetFigures(*GetSpec().handling.policy, m_setting, mostHeld);
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
    m_figures.planningS /= double{1} * GetSpec().iterations * groups;
    m_figures.moving /= GetSpec().handling.meansMoves ? m_window.GetLength() : GetSpec().iterations;
    m_figures.lookBack = m_planning.GetPolicy().GetLookBack();
}

/// Adds the hosts of an expert without tokens in a part: tokens might have chosen it, which the
/// estimate of copies considers.
void
PlannedDispatch::AddIdle(uint32_t part,
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

/// Counts tokens that reach a GPU, or a server, for at least one expert.
void
PlannedDispatch::CountCopies(uint32_t group,
                             const LoadPlace& place,
                             const TokenCounts& counts,
                             const ExpertPlan& plan,
                             ExpertRouting& routing) const
{
    if (plan.paddedTokens > 0)
    {
        throw std::invalid_argument("rows without a token cannot be de-duplicated");
    }
    const LoadShape shape = GetSpec().GetLoadShape();
    const std::vector<uint32_t>& members = GetGroups().GetGroups()[group];
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
            return GetSpec().load->CountCopies(
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
            share.set = GetGroups().GetServer(members[share.set]);
        }
        append(routing.serverCopies, count(toServers, GetGroups().CountServers(group)));
    }
    SumArrivals(routing, gpus);
}

} // namespace ns3::rails
