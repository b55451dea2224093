// SPDX-License-Identifier: GPL-2.0-only
#include "expert-study-simulation.h"

#include "expert-planning.h"

#include "ns3/copy-tally.h"
#include "ns3/expert-budget.h"
#include "ns3/expert-tally.h"
#include "ns3/move-window.h"
#include "ns3/plan-figures.h"
#include "ns3/planning-times.h"
#include "ns3/rails-sha256.h"
#include "ns3/token-routing.h"

#include <algorithm>
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

template <typename T>
void
Append(std::vector<T>& all, const std::vector<T>& more)
{
    all.insert(all.end(), more.begin(), more.end());
}

/// \return counts of a group's members
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

/// Joins the plans of all groups into one plan of all GPUs.
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
        // Groups plan in parallel.
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

/// Mean profile of GPU loads over their mean, each plan's loads in descending order.
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
    /// \return loads over their mean, descending
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

/// Experts on GPUs, and their excess over the default placement.
class ReplicaTally
{
  public:
    /**
     * \param setting of all GPUs
     * \param slots of a GPU for temporary replicas, further experts are read remotely; nothing: no
     *     limit
     */
    ReplicaTally(const ExpertSetting& setting, std::optional<uint32_t> slots)
        : m_setting(setting),
          m_slots(slots),
          m_held(setting.stateBytes, setting.cluster.gpus),
          m_homes(ExpertPlacement::InOrder(setting).ListByGpu(setting.cluster.gpus)),
          m_kept(setting.cluster.gpus),
          m_passing(setting.cluster.gpus),
          m_copies(setting.cluster.gpus)
    {
    }

    void BeginIteration()
    {
        m_held.BeginIteration();
    }

    /// Adds the placement of a layer in the current iteration.
    void AddPlacement(const ExpertPlacement& placement)
    {
        m_held.BeginLayer();
        for (uint32_t expert = 0; expert < m_setting.experts; ++expert)
        {
            m_held.Add(placement.ListHosts(expert));
        }
    }

    /// Adds the temporary replicas of a layer in the current micro-batch.
    void AddLayer(const ExpertPlan& plan)
    {
        const auto gpus = static_cast<uint32_t>(m_homes.size());
        const auto held = plan.placement->ListByGpu(gpus);
        const std::vector<uint64_t> copies = SlotTally::CountCopies(plan, gpus);
        std::vector<uint64_t> filled = copies;
        m_slots.Fill(plan, filled);
        // Replicas that are fetched again were dropped, so layers share their slots.
        const auto add = [&plan](auto& sum, auto more) {
            sum = plan.fetchesAgain ? std::max(sum, more) : sum + more;
        };
        for (uint32_t gpu = 0; gpu < gpus; ++gpu)
        {
            add(m_copies[gpu], filled[gpu]);
            add(m_passing[gpu], static_cast<int64_t>(copies[gpu]));
            m_kept[gpu] +=
                static_cast<int64_t>(held[gpu].size()) - static_cast<int64_t>(m_homes[gpu].size());
        }
    }

    void EndMicrobatch()
    {
        for (uint32_t gpu = 0; gpu < m_kept.size(); ++gpu)
        {
            m_largest = std::max(m_largest, m_kept[gpu] + m_passing[gpu]);
            const HeldTally::Held& held = m_held.GetByGpu()[gpu];
            m_memory = std::max(m_memory,
                                (held.experts + m_copies[gpu]) *
                                        (m_setting.weightBytes + m_setting.gradientBytes) +
                                    held.stateBytes);
        }
        std::fill(m_copies.begin(), m_copies.end(), 0);
        std::fill(m_kept.begin(), m_kept.end(), 0);
        std::fill(m_passing.begin(), m_passing.end(), 0);
    }

    /// \return most experts of a GPU beyond its default, in a micro-batch, all layers together
    int64_t GetLargest() const
    {
        return m_largest;
    }

    /// \return bytes of weights, gradients and optimizer states on the fullest GPU
    uint64_t GetMemory() const
    {
        return m_memory;
    }

    SlotFigures GetSlots(const ExpertPolicy& policy) const
    {
        return m_slots.GetFigures(policy, m_setting, m_held.GetMostOfLayer());
    }

  private:
    const ExpertSetting& m_setting;
    SlotTally m_slots;
    HeldTally m_held;
    std::vector<std::vector<uint32_t>> m_homes; //!< default experts by GPU
    std::vector<int64_t> m_kept;                //!< excess experts of the placement, by GPU
    std::vector<int64_t> m_passing;             //!< temporary replicas of the micro-batch, by GPU
    int64_t m_largest{0};
    std::vector<uint64_t> m_copies; //!< filled slots of the micro-batch, by GPU
    uint64_t m_memory{0};
};

/// A study, as client of ExpertPlanning.
class StudySimulation : private PlanningClient
{
  public:
    StudySimulation(const ExpertStudyPlan& plan,
                    const Ptr<ExpertPolicy>& policy,
                    const Ptr<TokenLoad>& load,
                    const TakeCopies& takeCopies)
        : m_plan(plan),
          m_policy(policy),
          m_load(load),
          m_takeCopies(takeCopies),
          m_window(*policy, plan.warmUp, plan.iterations, load->CountIterations()),
          m_balancer(policy, plan.groupSetting, MakeScope()),
          m_profile(plan.setting.cluster.gpus),
          m_replicas(plan.setting, FindCopySlots(*policy, plan.setting)),
          m_gpus(plan.setting.cluster.gpus),
          m_tallies(takeCopies ? plan.setting.layers : 0)
    {
        std::iota(m_gpus.begin(), m_gpus.end(), 0U);
    }

    ExpertStudyOutcome Execute()
    {
        m_balancer.Run(*this);
        if (!m_record.plans.empty())
        {
            AddFigures();
        }
        m_record.isOracle = m_policy->GetTraits().isOracle;
        m_record.loads = m_profile.GetMeans();
        ExpertStudyOutcome outcome;
        outcome.fingerprint = m_hash.Finish();
        outcome.defect = m_defect;
        outcome.lookBack = m_balancer.GetPolicy().GetLookBack();
        outcome.memory = static_cast<double>(m_replicas.GetMemory());
        outcome.droppedTokens = AddUpPlans(&ExpertPlanRecord::droppedTokens);
        outcome.record = std::move(m_record);
        return outcome;
    }

  private:
    PlanningScope MakeScope() const
    {
        PlanningScope scope;
        scope.members = m_plan.groups;
        scope.groups.emplace_back(m_plan.groups.size());
        std::iota(scope.groups.front().begin(), scope.groups.front().end(), 0U);
        scope.layers.emplace_back(m_plan.setting.layers);
        std::iota(scope.layers.front().begin(), scope.layers.front().end(), 0U);
        scope.gpusPerServer = m_plan.setting.cluster.gpusPerServer;
        scope.run = m_plan.GetRun();
        scope.end = m_window.GetEnd();
        scope.isByLayer = true;
        return scope;
    }

    bool Counts(uint32_t iteration) const
    {
        return m_plan.GetRun().FindRun(iteration).has_value();
    }

    const TokenCounts& Draw(const PlanningSite& site, const LoadPlace& place) override
    {
        if (site.group == 0)
        {
            m_counts.emplace(m_plan.setting.cluster.gpus,
                             m_plan.setting.experts,
                             m_load->Draw(m_plan.shape, place));
        }
        if (m_plan.groups.size() == 1)
        {
            return *m_counts;
        }
        m_own.emplace(Narrow(*m_counts, m_plan.groups[site.group]));
        return *m_own;
    }

    void TakeMoves(uint32_t iteration, const std::vector<LayerMoves>& moves) override
    {
        for (const auto& [transfers, seconds] : moves)
        {
            if (iteration < m_plan.GetRun().GetEnd())
            {
                m_measured += Counts(iteration) ? seconds : 0;
                m_planning += seconds;
                AddTransfers(m_hash, transfers);
            }
            if (m_window.Has(iteration) && !transfers.empty())
            {
                ++m_placements;
                m_moves += AddUp(m_plan.setting.cluster, transfers);
            }
        }
        m_replicas.BeginIteration();
    }

    void TakePlan(const PlanningSite& site,
                  const LoadPlace& place,
                  const TokenCounts&,
                  ExpertPlan plan,
                  double seconds) override
    {
        m_slowest = site.group == 0 ? seconds : std::max(m_slowest, seconds);
        if (m_plan.groups.size() > 1)
        {
            if (site.group == 0)
            {
                m_joined.emplace(m_plan.setting);
            }
            m_joined->Add(std::move(plan), m_plan.groups[site.group]);
            if (site.group + 1 < m_plan.groups.size())
            {
                return;
            }
            plan = m_joined->Take();
        }
        TakeLayer(place, plan);
        if (place.layer + 1 == m_plan.setting.layers)
        {
            m_replicas.EndMicrobatch();
        }
    }

    void Reject(const LoadPlace& place, const std::string& defect) override
    {
        m_defect = "iteration " + std::to_string(place.iteration) + ", layer " +
                   std::to_string(place.layer) + ", micro-batch " +
                   std::to_string(place.microbatch) + ": " + defect;
    }

    void EndIteration(uint32_t iteration) override
    {
        for (uint32_t layer = 0; layer < m_tallies.size() && Counts(iteration); ++layer)
        {
            m_takeCopies(iteration, layer, m_tallies[layer].Take());
        }
    }

    /// \param plan of all groups
    void TakeLayer(const LoadPlace& place, const ExpertPlan& plan)
    {
        AddPlan(m_hash, plan);
        m_record.tokens += m_counts->GetTotal();
        const ExpertKnowledge knowledge = m_policy->GetKnowledge();
        if (plan.isPlanned && knowledge != ExpertKnowledge::Nothing)
        {
            ++m_planned;
            // A placement policy has planned before the iteration, and only routes now.
            m_planning += knowledge == ExpertKnowledge::Past ? 0 : m_slowest;
        }
        if (Counts(place.iteration))
        {
            m_measured += m_slowest;
            Record(place, *m_counts, plan, m_slowest);
            if (!m_tallies.empty())
            {
                m_tallies[place.layer].Add(m_plan.setting, plan, m_gpus);
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
        if (const auto first = m_load->GetFirstIteration())
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
        const SlotFigures slots = m_replicas.GetSlots(*m_policy);
        add("slots_per_layer", static_cast<double>(slots.perLayer));
        add("slots_shared", static_cast<double>(slots.shared));
        add("expert_memory_bytes", static_cast<double>(m_replicas.GetMemory()));
        m_record.measuredSeconds = m_measured / plans;
        if (m_planned > 0)
        {
            m_record.planningEach = m_planning / static_cast<double>(m_planned);
        }
        m_record.policy = DescribePolicy(*m_policy);
        m_record.experts = m_plan.groupSetting.experts;
        m_record.plannedGpus = m_plan.groupSetting.cluster.gpus;
    }

    const ExpertStudyPlan& m_plan;
    Ptr<ExpertPolicy> m_policy;
    Ptr<TokenLoad> m_load;
    const TakeCopies& m_takeCopies;
    MoveWindow m_window;
    ExpertPlanning m_balancer;
    LoadProfile m_profile;
    ReplicaTally m_replicas;
    std::optional<TokenCounts> m_counts; //!< latest counts of all GPUs
    std::optional<TokenCounts> m_own;    //!< latest counts of one of several groups
    std::optional<JoinedPlan> m_joined;  //!< joined plan of several groups
    double m_slowest{0};                 //!< slowest planning of the layer's groups so far, seconds
    std::vector<uint32_t> m_gpus;        //!< all
    Sha256 m_hash;                       //!< hash of all plans and moves
    MovedBytes m_moves;                  //!< moved bytes in the window
    uint64_t m_placements{0};            //!< layers with a new placement, in the window
    MovedBytes m_synchronisation;
    uint64_t m_tokens{0};  //!< token-expert pairs
    double m_measured{0};  //!< measured seconds of planning in recorded iterations
    double m_planning{0};  //!< measured seconds in all iterations, without mere routing
    uint64_t m_planned{0}; //!< plans with planning, in all iterations
    std::string m_defect;  //!< defect of the first invalid plan
    ExpertStudyRecord m_record;
    std::vector<CopyTally> m_tallies; //!< by layer, of the iteration; if copies are wanted
};

} // namespace

ExpertStudyOutcome
SimulateExpertStudy(const ExpertStudyPlan& plan,
                    const Ptr<ExpertPolicy>& policy,
                    const Ptr<TokenLoad>& load,
                    const TakeCopies& takeCopies)
{
    return StudySimulation(plan, policy, load, takeCopies).Execute();
}

} // namespace ns3::rails
