// SPDX-License-Identifier: GPL-2.0-only
#include "expert-study-run.h"

#include "expert-study.h"

#include "ns3/copy-tally.h"
#include "ns3/expert-budget.h"
#include "ns3/expert-states.h"
#include "ns3/expert-study-record.h"
#include "ns3/grouped-policy.h"
#include "ns3/load-history.h"
#include "ns3/move-window.h"
#include "ns3/placement-table.h"
#include "ns3/plan-figures.h"
#include "ns3/rails-nested-check.h"
#include "ns3/rails-sha256.h"
#include "ns3/rails-streams.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/token-routing.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

constexpr const char* kSection = "experts";

using Clock = std::chrono::steady_clock;

double
GetSecondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

void
AddTransfers(Sha256& hash, const std::vector<ExpertTransfer>& transfers)
{
    hash.Add(transfers.size());
    for (const ExpertTransfer& transfer : transfers)
    {
        hash.Add(transfer.expert);
        hash.Add(transfer.from);
        hash.Add(transfer.to);
        hash.Add(transfer.bytes);
    }
}

void
AddPlan(Sha256& hash, const ExpertPlan& plan)
{
    hash.Add(plan.routes.size());
    for (const TokenRoute& route : plan.routes)
    {
        hash.Add(route.source);
        hash.Add(route.expert);
        hash.Add(route.host);
        hash.Add(route.tokens);
    }
    AddTransfers(hash, plan.weights);
    AddTransfers(hash, plan.gradients);
    hash.Add(plan.dropped);
    hash.Add(plan.paddedTokens);
}

/// Gives GPUs the numbers that they have in the cluster, in place of those in their group.
void
Renumber(std::vector<ExpertTransfer>& transfers, const std::vector<uint32_t>& members)
{
    for (ExpertTransfer& transfer : transfers)
    {
        transfer.from = members[transfer.from];
        transfer.to = members[transfer.to];
    }
}

template <typename T>
void
Append(std::vector<T>& all, const std::vector<T>& more)
{
    all.insert(all.end(), more.begin(), more.end());
}

/// \return counts of the members of a group
TokenCounts
Narrow(const TokenCounts& counts, const std::vector<uint32_t>& members)
{
    TokenCounts own(static_cast<uint32_t>(members.size()), counts.GetExperts());
    for (uint32_t place = 0; place < members.size(); ++place)
    {
        for (uint32_t expert = 0; expert < counts.GetExperts(); ++expert)
        {
            own.Set(place, expert, counts.Get(members[place], expert));
        }
    }
    return own;
}

/// Plans of groups side by side as one of all GPUs.
class JoinedPlan
{
  public:
    explicit JoinedPlan(const ExpertSetting& setting)
    {
        m_placement.hosts.resize(setting.experts);
        m_plan.padding.resize(setting.cluster.gpus);
    }

    void Add(ExpertPlan own, const std::vector<uint32_t>& members)
    {
        for (uint32_t expert = 0; expert < m_placement.hosts.size(); ++expert)
        {
            for (const uint32_t place : own.placement->hosts[expert])
            {
                m_placement.hosts[expert].push_back(members[place]);
            }
        }
        for (TokenRoute& route : own.routes)
        {
            route.source = members[route.source];
            route.host = members[route.host];
        }
        Renumber(own.weights, members);
        Renumber(own.gradients, members);
        Append(m_plan.routes, own.routes);
        Append(m_plan.weights, own.weights);
        Append(m_plan.gradients, own.gradients);
        for (std::size_t place = 0; place < own.padding.size(); ++place)
        {
            m_plan.padding[members[place]] = own.padding[place];
        }
        m_plan.fetchesAgain = m_plan.fetchesAgain || own.fetchesAgain;
        m_plan.dropped += own.dropped;
        m_plan.paddedTokens += own.paddedTokens;
        m_plan.isPlanned = m_plan.isPlanned || own.isPlanned;
        // Each group plans for itself, all at the same time.
        m_plan.planningSeconds = std::max(m_plan.planningSeconds, own.planningSeconds);
    }

    ExpertPlan Take()
    {
        m_plan.placement = std::make_shared<const ExpertPlacement>(std::move(m_placement));
        return std::move(m_plan);
    }

  private:
    ExpertPlacement m_placement;
    ExpertPlan m_plan;
};

/// Loads of GPUs over their mean, the largest of each plan first.
class LoadProfile
{
  public:
    explicit LoadProfile(std::size_t gpus)
        : m_sums(gpus)
    {
    }

    void Add(const PlanFigures& before, const PlanFigures& after)
    {
        const std::vector<double> first = List(before);
        const std::vector<double> second = List(after);
        for (std::size_t i = 0; i < m_sums.size(); ++i)
        {
            m_sums[i].first += first[i];
            m_sums[i].second += second[i];
        }
        ++m_plans;
    }

    std::vector<std::pair<double, double>> GetMeans() const
    {
        std::vector<std::pair<double, double>> means = m_sums;
        for (auto& [before, after] : means)
        {
            before /= std::max(1U, m_plans);
            after /= std::max(1U, m_plans);
        }
        return means;
    }

  private:
    /// \return loads over their mean, the largest first
    static std::vector<double> List(const PlanFigures& figures)
    {
        std::vector<double> loads(figures.loads.size());
        for (std::size_t i = 0; i < loads.size() && figures.meanLoad > 0; ++i)
        {
            loads[i] = static_cast<double>(figures.loads[i]) / figures.meanLoad;
        }
        std::sort(loads.begin(), loads.end(), std::greater<>());
        return loads;
    }

    std::vector<std::pair<double, double>> m_sums;
    uint32_t m_plans{0};
};

/// Experts that GPUs hold, and what they hold beyond those that they would without a policy.
class ReplicaTally
{
  public:
    /**
     * \param setting of all GPUs
     * \param slots for copies that a GPU has, what is beyond is read where it is; or no limit
     */
    ReplicaTally(const ExpertSetting& setting, std::optional<uint32_t> slots)
        : m_setting(setting),
          m_slots(slots),
          m_homes(ExpertPlacement::InOrder(setting).ListByGpu(setting.cluster.gpus)),
          m_kept(setting.cluster.gpus),
          m_passing(setting.cluster.gpus),
          m_held(setting.cluster.gpus),
          m_copies(setting.cluster.gpus)
    {
    }

    void BeginIteration()
    {
        std::fill(m_held.begin(), m_held.end(), 0);
    }

    /// Adds what one layer holds in the iteration that goes on.
    void AddPlacement(const ExpertPlacement& placement)
    {
        std::vector<uint32_t> experts(m_held.size());
        for (uint32_t expert = 0; expert < m_setting.experts; ++expert)
        {
            for (const auto& [gpu, states] :
                 DivideStates(m_setting.stateBytes, placement.ListHosts(expert)))
            {
                m_held[gpu] += m_setting.weightBytes + m_setting.gradientBytes + states;
                m_mostHeld = std::max(m_mostHeld, ++experts[gpu]);
            }
        }
    }

    /// Adds what one layer holds in the micro-batch that goes on.
    void AddLayer(const ExpertPlan& plan)
    {
        const auto gpus = static_cast<uint32_t>(m_homes.size());
        const auto held = plan.placement->ListByGpu(gpus);
        std::vector<int64_t> copies(gpus);
        for (const ExpertTransfer& transfer : plan.weights)
        {
            ++copies[transfer.to];
        }
        m_fetchesAgain = m_fetchesAgain || plan.fetchesAgain;
        for (uint32_t gpu = 0; gpu < gpus; ++gpu)
        {
            const auto slots = static_cast<uint64_t>(copies[gpu]);
            const uint64_t filled = m_slots ? std::min<uint64_t>(slots, *m_slots) : slots;
            m_mostCopies = std::max(m_mostCopies, filled);
            m_copies[gpu] =
                plan.fetchesAgain ? std::max(m_copies[gpu], filled) : m_copies[gpu] + filled;
            m_kept[gpu] +=
                static_cast<int64_t>(held[gpu].size()) - static_cast<int64_t>(m_homes[gpu].size());
            // What is fetched again has been dropped, and layers share its place.
            m_passing[gpu] = plan.fetchesAgain ? std::max(m_passing[gpu], copies[gpu])
                                               : m_passing[gpu] + copies[gpu];
        }
    }

    void EndMicrobatch()
    {
        for (uint32_t gpu = 0; gpu < m_kept.size(); ++gpu)
        {
            m_largest = std::max(m_largest, m_kept[gpu] + m_passing[gpu]);
            m_memory = std::max(
                m_memory,
                m_held[gpu] + m_copies[gpu] * (m_setting.weightBytes + m_setting.gradientBytes));
        }
        std::fill(m_copies.begin(), m_copies.end(), 0);
        std::fill(m_kept.begin(), m_kept.end(), 0);
        std::fill(m_passing.begin(), m_passing.end(), 0);
    }

    /// \return those of the fullest GPU in a micro-batch, of all layers
    int64_t GetLargest() const
    {
        return m_largest;
    }

    /// \return bytes of weights, gradients and states of the optimizer on the fullest GPU
    uint64_t GetMemory() const
    {
        return m_memory;
    }

    SlotFigures GetSlots(const ExpertPolicy& policy) const
    {
        return FindSlotFigures(policy, m_setting, m_mostHeld, m_mostCopies, m_fetchesAgain);
    }

  private:
    const ExpertSetting& m_setting;
    std::optional<uint32_t> m_slots;
    std::vector<std::vector<uint32_t>> m_homes; //!< by GPU, its experts without a policy
    std::vector<int64_t> m_kept;                //!< by GPU, of the placement
    std::vector<int64_t> m_passing;             //!< by GPU, for the micro-batch alone
    int64_t m_largest{0};
    std::vector<uint64_t> m_held;   //!< by GPU, bytes of the placement
    std::vector<uint64_t> m_copies; //!< by GPU, that slots are filled with for the micro-batch
    uint64_t m_memory{0};
    uint32_t m_mostHeld{0};   //!< of a layer, on a GPU
    uint64_t m_mostCopies{0}; //!< likewise
    bool m_fetchesAgain{false};
};

/// One study, from its parts to its result.
class StudyRun
{
  public:
    explicit StudyRun(const Experiment& experiment)
        : m_experiment(experiment),
          m_study(experiment.Get<ExpertStudy>(kSection)),
          m_plan(m_study->MakePlan()),
          m_policy(m_study->GetPolicy(),
                   m_plan.groupSetting,
                   static_cast<uint32_t>(m_plan.groups.size())),
          m_profile(m_plan.setting.cluster.gpus),
          m_replicas(m_plan.setting, FindCopySlots(*m_study->GetPolicy(), m_plan.setting)),
          m_window(*m_study->GetPolicy(),
                   m_plan.warmUp,
                   m_plan.iterations,
                   m_study->GetLoad()->CountIterations()),
          m_gpus(m_plan.setting.cluster.gpus)
    {
        std::iota(m_gpus.begin(), m_gpus.end(), 0U);
    }

    Result Execute()
    {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(m_experiment.seed);
        m_study->GetLoad()->AssignStreams(kWorkloadStreams);
        m_study->GetLoad()->Start();
        m_study->GetPolicy()->AssignStreams(kPlannerStreams);
        m_policy.Start();
        for (uint32_t layer = 0; layer < m_plan.setting.layers; ++layer)
        {
            m_placed.push_back(ListHosts(layer));
        }
        if (m_study->WantsPlacement())
        {
            m_placement.emplace(m_experiment.workFolder);
            m_tallies.resize(m_plan.setting.layers);
        }
        const uint32_t iterations = m_plan.warmUp + m_plan.iterations;
        for (uint32_t iteration = 0; iteration < iterations && m_defect.empty(); ++iteration)
        {
            RunIteration(iteration);
        }
        for (uint32_t iteration = iterations; iteration < m_window.GetEnd(); ++iteration)
        {
            LeadOn(iteration);
        }
        if (m_placement)
        {
            m_placement->Close();
        }
        return MakeResult();
    }

  private:
    using Hosts = std::vector<std::vector<uint32_t>>;

    bool Counts(uint32_t iteration) const
    {
        return iteration >= m_plan.warmUp;
    }

    void RunIteration(uint32_t iteration)
    {
        for (uint32_t layer = 0; layer < m_plan.setting.layers; ++layer)
        {
            double measured = 0;
            const std::vector<ExpertTransfer> moves = MoveExperts(layer, measured);
            m_measured += Counts(iteration) ? measured : 0;
            AddTransfers(m_hash, moves);
            AddMoves(iteration, moves);
        }
        m_replicas.BeginIteration();
        for (uint32_t microbatch = 0; microbatch < m_plan.setting.microbatches; ++microbatch)
        {
            for (uint32_t layer = 0; layer < m_plan.setting.layers && m_defect.empty(); ++layer)
            {
                RunLayer({iteration, layer, microbatch, 0});
            }
            m_replicas.EndMicrobatch();
        }
        m_policy.EndIteration();
        for (uint32_t layer = 0; layer < m_tallies.size() && Counts(iteration); ++layer)
        {
            m_placement->Add(iteration, layer, m_tallies[layer].Take());
        }
    }

    void AddMoves(uint32_t iteration, const std::vector<ExpertTransfer>& moves)
    {
        if (m_window.Has(iteration) && !moves.empty())
        {
            ++m_placements;
            m_moves += AddUp(m_plan.setting.cluster, moves);
        }
    }

    /// Leads the policy through an iteration for what moves in it, behind those that count.
    void LeadOn(uint32_t iteration)
    {
        for (uint32_t layer = 0; layer < m_plan.setting.layers; ++layer)
        {
            double measured = 0;
            AddMoves(iteration, MoveExperts(layer, measured));
        }
        for (uint32_t microbatch = 0; microbatch < m_plan.setting.microbatches; ++microbatch)
        {
            for (uint32_t layer = 0; layer < m_plan.setting.layers; ++layer)
            {
                const TokenCounts counts = Draw({iteration, layer, microbatch, 0});
                for (uint32_t group = 0; group < m_plan.groups.size(); ++group)
                {
                    m_policy.Remember(group, layer, Narrow(counts, m_plan.groups[group]));
                }
            }
        }
        m_policy.EndIteration();
    }

    TokenCounts Draw(const LoadPlace& place) const
    {
        return {m_plan.setting.cluster.gpus,
                m_plan.setting.experts,
                m_study->GetLoad()->Draw(m_plan.shape, place)};
    }

    /// \param measured becomes the seconds that the slowest group takes
    /// \return experts of a layer that move now, in all groups
    std::vector<ExpertTransfer> MoveExperts(uint32_t layer, double& measured)
    {
        std::vector<ExpertTransfer> moves;
        for (uint32_t group = 0; group < m_plan.groups.size(); ++group)
        {
            const Clock::time_point begin = Clock::now();
            std::vector<ExpertTransfer> own = m_policy.BeginIteration(group, layer);
            measured = std::max(measured, GetSecondsSince(begin));
            Renumber(own, m_plan.groups[group]);
            Append(moves, own);
        }
        // Hosts of all groups divide the states of an expert.
        Hosts now = ListHosts(layer);
        for (uint32_t expert = 0; expert < now.size(); ++expert)
        {
            Append(moves,
                   MoveStates(m_plan.setting.cluster,
                              expert,
                              m_plan.setting.stateBytes,
                              m_placed[layer][expert],
                              now[expert]));
        }
        m_placed[layer] = std::move(now);
        return moves;
    }

    /// \return by expert the GPUs that hold it now, in all groups
    Hosts ListHosts(uint32_t layer) const
    {
        Hosts hosts(m_plan.setting.experts);
        for (uint32_t group = 0; group < m_plan.groups.size(); ++group)
        {
            m_policy.AddHosts(group, layer, m_plan.groups[group], hosts);
        }
        return hosts;
    }

    /// \param measured becomes the seconds that the slowest group takes
    /// \return what is done in a layer, in all groups
    ExpertPlan PlanLayer(uint32_t layer, const TokenCounts& counts, double& measured)
    {
        JoinedPlan joined(m_plan.setting);
        for (uint32_t group = 0; group < m_plan.groups.size(); ++group)
        {
            const std::vector<uint32_t>& members = m_plan.groups[group];
            const bool isAll = m_plan.groups.size() == 1;
            const TokenCounts own = isAll ? counts : Narrow(counts, members);
            const Clock::time_point begin = Clock::now();
            ExpertPlan plan = m_policy.Plan(group, layer, own);
            measured = std::max(measured, GetSecondsSince(begin));
            m_policy.Remember(group, layer, own);
            if (isAll)
            {
                return plan;
            }
            joined.Add(std::move(plan), members);
        }
        return joined.Take();
    }

    void RunLayer(const LoadPlace& place)
    {
        const ExpertSetting& setting = m_plan.setting;
        const TokenCounts counts = Draw(place);
        double measured = 0;
        const ExpertPlan plan = PlanLayer(place.layer, counts, measured);
        const std::string defect = FindDefect(setting, counts, plan);
        if (!defect.empty())
        {
            m_defect = "iteration " + std::to_string(place.iteration) + ", layer " +
                       std::to_string(place.layer) + ", micro-batch " +
                       std::to_string(place.microbatch) + ": " + defect;
        }
        AddPlan(m_hash, plan);
        m_record.tokens += counts.GetTotal();
        if (Counts(place.iteration))
        {
            m_measured += measured;
            Record(place, counts, plan, measured);
            if (m_placement && defect.empty())
            {
                m_tallies[place.layer].Add(setting, plan, m_gpus);
            }
        }
    }

    void Record(const LoadPlace& place,
                const TokenCounts& counts,
                const ExpertPlan& plan,
                double measured)
    {
        const ExpertSetting& setting = m_plan.setting;
        ExpertPlan without;
        without.placement = plan.placement;
        without.routes = RouteInGroups(counts, setting);
        const PlanFigures before = FindFigures(setting, counts, without);
        const PlanFigures after = FindFigures(setting, counts, plan);
        m_tokens += counts.GetTotal();
        m_replicas.AddLayer(plan);
        m_profile.Add(before, after);
        if (place.microbatch == 0)
        {
            m_replicas.AddPlacement(*plan.placement);
            m_synchronisation +=
                AddUp(setting.cluster, FindSynchronisation(setting, *plan.placement));
        }
        m_record.plans.push_back({place.iteration,
                                  place.layer,
                                  place.microbatch,
                                  before.maxOverMean,
                                  after.maxOverMean,
                                  after.copies,
                                  after.mostCopies,
                                  after.weights.inside,
                                  after.weights.across,
                                  after.gradients.inside,
                                  after.gradients.across,
                                  after.tokens.inside,
                                  after.tokens.across,
                                  after.localTokens,
                                  after.droppedTokens,
                                  plan.planningSeconds,
                                  measured});
    }

    /// \return sum over all plans
    template <typename T>
    double AddUpPlans(T ExpertPlanRecord::*member) const
    {
        return std::accumulate(m_record.plans.begin(),
                               m_record.plans.end(),
                               0.0,
                               [member](double sum, const ExpertPlanRecord& plan) {
                                   return sum + static_cast<double>(plan.*member);
                               });
    }

    template <typename T>
    double GetLargest(T ExpertPlanRecord::*member) const
    {
        double largest = 0;
        for (const ExpertPlanRecord& plan : m_record.plans)
        {
            largest = std::max(largest, static_cast<double>(plan.*member));
        }
        return largest;
    }

    void AddFigures()
    {
        const double plans = static_cast<double>(m_record.plans.size());
        double inside = 0;
        double across = 0;
        const auto add = [&](const std::string& key, double value) {
            m_record.figures.emplace_back(key, value);
        };
        const auto addBytes = [&](const std::string& what, double in, double out) {
            add(what + "_bytes_inside", in / plans);
            add(what + "_bytes_across", out / plans);
            inside += in / plans;
            across += out / plans;
        };
        const auto addMoved = [&](const std::string& what, const MovedBytes& bytes, double often) {
            addBytes(what,
                     static_cast<double>(bytes.inside) * often,
                     static_cast<double>(bytes.across) * often);
        };
        using Plan = ExpertPlanRecord;
        if (const auto first = m_study->GetLoad()->GetFirstIteration())
        {
            add("load_first_iteration", *first);
        }
        add("max_over_mean_before", AddUpPlans(&Plan::before) / plans);
        add("max_over_mean", AddUpPlans(&Plan::after) / plans);
        add("max_over_mean_worst", GetLargest(&Plan::after));
        add("copies", AddUpPlans(&Plan::copies) / plans);
        add("copies_from_one_gpu", GetLargest(&Plan::mostCopies));
        add("replica_bytes",
            static_cast<double>(m_replicas.GetLargest()) *
                static_cast<double>(m_plan.setting.weightBytes));
        addBytes("token", AddUpPlans(&Plan::tokenBytesInside), AddUpPlans(&Plan::tokenBytesAcross));
        addBytes("weight",
                 AddUpPlans(&Plan::weightBytesInside),
                 AddUpPlans(&Plan::weightBytesAcross));
        addBytes("gradient",
                 AddUpPlans(&Plan::gradientBytesInside),
                 AddUpPlans(&Plan::gradientBytesAcross));
        addMoved("move", m_moves, double{1} * m_plan.iterations / m_window.GetLength());
        addMoved("sync", m_synchronisation, 1);
        add("bytes_inside", inside);
        add("bytes_across", across);
        add("placements",
            static_cast<double>(m_placements) /
                (double{1} * m_window.GetLength() * m_plan.setting.layers));
        const auto tokens = static_cast<double>(std::max<uint64_t>(1, m_tokens));
        add("local_share", AddUpPlans(&Plan::localTokens) / tokens);
        add("dropped_share", AddUpPlans(&Plan::droppedTokens) / tokens);
        add("planning_s", AddUpPlans(&Plan::planningSeconds) / plans);
        const SlotFigures slots = m_replicas.GetSlots(*m_study->GetPolicy());
        add("slots_per_layer", static_cast<double>(slots.perLayer));
        add("slots_shared", static_cast<double>(slots.shared));
        add("expert_memory_bytes", static_cast<double>(m_replicas.GetMemory()));
        m_record.measuredSeconds = m_measured / plans;
    }

    Result MakeResult()
    {
        Result result;
        result.engine = kSection;
        result.writesMessages = false;
        result.writesLinks = false;
        result.fingerprint = m_hash.Finish();
        if (!m_defect.empty())
        {
            result.status = RunStatus::InvariantBroken;
            result.report = "a plan cannot be right: " + m_defect;
        }
        m_record.isOracle = m_study->GetPolicy()->IsOracle();
        if (m_record.isOracle)
        {
            result.notes.emplace_back("the policy, perfect-balance (oracle in earlier versions), "
                                      "balances computing as no real system can");
        }
        if (const std::string planning = m_study->GetPolicy()->DescribePlanning();
            !planning.empty())
        {
            result.notes.push_back(planning);
        }
        if (const std::string origin = m_study->GetPolicy()->DescribeOrigin(); !origin.empty())
        {
            result.notes.push_back(origin);
        }
        if (m_plan.warmUp == 0 && m_study->GetPolicy()->LearnsFromIterations())
        {
            result.notes.emplace_back("the policy knows no loads before the first iteration, in "
                                      "which it does nothing: set warm_up");
        }
        const std::vector<std::string> history =
            ListHistoryNotes(m_policy.GetLookBack(),
                             m_plan.warmUp,
                             m_plan.iterations,
                             m_study->GetLoad()->CountIterations());
        Append(result.notes, history);
        if (!m_record.plans.empty())
        {
            AddFigures();
        }
        if (const std::string note =
                DescribeOverrun("budget", m_plan.budget, m_replicas.GetMemory());
            !note.empty())
        {
            result.notes.push_back(note);
        }
        const double dropped = AddUpPlans(&ExpertPlanRecord::droppedTokens);
        if (dropped > 0)
        {
            result.notes.push_back(
                "tokens are dropped (dropped_share), which no other policy is allowed: less load "
                "is not better balance");
        }
        m_record.loads = m_profile.GetMeans();
        result.expertStudy = std::move(m_record);
        return result;
    }

    const Experiment& m_experiment;
    Ptr<ExpertStudy> m_study;
    ExpertStudyPlan m_plan;
    GroupedPolicy m_policy;
    std::vector<Hosts> m_placed; //!< by layer
    LoadProfile m_profile;
    ReplicaTally m_replicas;
    MoveWindow m_window;
    std::vector<uint32_t> m_gpus; //!< all
    Sha256 m_hash;                //!< of all that was decided
    MovedBytes m_moves;           //!< in the window
    uint64_t m_placements{0};     //!< layers whose experts move, of its iterations
    MovedBytes m_synchronisation;
    uint64_t m_tokens{0}; //!< pairs of a token and an expert
    double m_measured{0}; //!< seconds of planning
    std::string m_defect; //!< of the first plan that cannot be right
    ExpertStudyRecord m_record;
    std::optional<PlacementTable> m_placement; //!< if it is wanted
    std::vector<CopyTally> m_tallies;          //!< by layer, of the iteration; if it is wanted
};

} // namespace

bool
IsExpertStudy(const Experiment& experiment)
{
    return experiment.sections.count(kSection) > 0;
}

void
CheckExpertStudy(const Experiment& experiment)
{
    CheckNested(kSection, [&] { experiment.Get<ExpertStudy>(kSection)->Check(); });
}

RunSize
EstimateExpertStudy(const Experiment& experiment)
{
    constexpr double perToken = 1e-9;
    const Ptr<ExpertStudy> study = experiment.Get<ExpertStudy>(kSection);
    return {kSection, perToken * study->EstimateTokens(), ""};
}

Result
RunExpertStudy(const Experiment& experiment)
{
    return StudyRun(experiment).Execute();
}

} // namespace ns3::rails
