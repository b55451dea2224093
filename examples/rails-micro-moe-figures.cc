// SPDX-License-Identifier: GPL-2.0-only

// Figs. 7, 8, 9 and 11 of MicroMoE (arXiv 2511.16947), as far as token counts determine them.
//
//   ./ns3 run "rails-micro-moe-figures --figure=8" > results/micro-moe/figure-08.csv
//   plots/micro_moe.py --results results/micro-moe
//
// All figures merge two groups of expert parallelism. The i-th most popular expert of a layer has a
// probability proportional to i^-s; the order of experts is drawn 20 times. Replicas are placed by
// the loads of five earlier iterations.
//
// Figure 7, end to end: 8 GPUs, five models, s = 0, 0.25 ... 2. The part of the time that grows
// with the largest load is the experts' share in the floating-point operations of a layer, of all
// time or of half of it: a band, as neither the skew nor the time is published.
// Figure 8, largest load over the mean: 8 GPUs, 32 experts, s = 0, 0.25 ... 2.
// Figure 9, dispatch: 8 GPUs, 32 experts, s = 1, as time at 155 GB/s.
// Figure 11, scheduling time on this machine: 8 to 64 GPUs, 32 to 256 experts, s = 1; the median of
// 51 micro-batches.
//
// What to see: without replacement, loads are balanced until the hottest expert has more tokens
// than two GPUs can take, near s = 1.

#include "ns3/balanced-split.h"
#include "ns3/cayley-placement.h"
#include "ns3/command-line.h"
#include "ns3/communication-split.h"
#include "ns3/component-maker.h"
#include "ns3/draw-permutation.h"
#include "ns3/expert-policy.h"
#include "ns3/model-dimensions.h"
#include "ns3/plan-figures.h"
#include "ns3/replica-placement.h"
#include "ns3/seeded-bits.h"
#include "ns3/string.h"
#include "ns3/token-routing.h"

#include <algorithm>
#include <boost/random/binomial_distribution.hpp>
#include <chrono>
#include <cmath>
#include <functional>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

namespace
{

constexpr uint32_t kDraws = 20;
constexpr uint32_t kHistory = 5;        // iterations
constexpr double kDispatchRate = 155e9; // bytes per second of a GPU, from the paper's 1.3 ms

ExpertSetting
MakeSetting(uint32_t gpus, uint32_t experts, uint32_t tokens)
{
    ExpertSetting setting;
    setting.cluster.gpus = gpus;
    setting.cluster.gpusPerServer = 8;
    setting.expertParallel = gpus / 2;
    setting.experts = experts;
    setting.topK = 2;
    setting.tokens = tokens;
    return setting;
}

/// Counts of a layer whose experts keep their popularity.
class ZipfTokens
{
  public:
    ZipfTokens(const ExpertSetting& setting, double s, uint32_t draw)
        : m_setting(setting),
          m_bits{2, draw},
          m_shares(setting.experts)
    {
        const std::vector<uint32_t> ranks = DrawPermutation(setting.experts, m_bits);
        for (uint32_t expert = 0; expert < setting.experts; ++expert)
        {
            m_shares[expert] = std::pow(ranks[expert] + 1, -s);
        }
    }

    /// \return counts of another micro-batch
    TokenCounts Draw()
    {
        TokenCounts counts(m_setting.cluster.gpus, m_setting.experts);
        for (uint32_t gpu = 0; gpu < m_setting.cluster.gpus; ++gpu)
        {
            auto left = static_cast<int64_t>(m_setting.GetMeanLoad());
            double share = std::accumulate(m_shares.begin(), m_shares.end(), 0.0);
            for (uint32_t expert = 0; expert < m_setting.experts; ++expert)
            {
                boost::random::binomial_distribution<int64_t> own(
                    left,
                    std::min(1.0, m_shares[expert] / share));
                const int64_t tokens = expert + 1 < m_setting.experts ? own(m_bits) : left;
                counts.Set(gpu, expert, static_cast<uint32_t>(tokens));
                left -= tokens;
                share -= m_shares[expert];
            }
        }
        return counts;
    }

  private:
    ExpertSetting m_setting;
    SeededBits m_bits;
    std::vector<double> m_shares; // by expert
};

Ptr<ExpertPolicy>
MakePolicy(const ExpertSetting& setting,
           bool isAdaptive,
           const std::string& placement,
           uint32_t draw)
{
    auto policy = MakeComponent<ExpertPolicy>("MicroMoeExpertPolicy");
    policy->SetAttribute("Adaptive", StringValue(isAdaptive ? "true" : "false"));
    policy->SetAttribute("Placement", StringValue(placement));
    policy->SetAttribute("Locality", StringValue("gpu"));
    policy->AssignStreams(draw);
    policy->Start(setting);
    return policy;
}

/// A micro-batch and how it is planned.
struct Planned
{
    TokenCounts counts;
    ExpertPlan plain; // groups for themselves
    ExpertPlan random;
    ExpertPlan fixed; // symmetric, without adaptive replacement
    ExpertPlan full;
};

Planned
PlanOnce(const ExpertSetting& setting, double s, uint32_t draw)
{
    ZipfTokens tokens(setting, s, draw);
    LoadHistory history(setting.experts, kHistory);
    for (uint32_t iteration = 0; iteration < kHistory; ++iteration)
    {
        history.Add(tokens.Draw());
        history.EndIteration();
    }
    Planned planned{tokens.Draw(), {}, {}, {}, {}};
    planned.plain.routes = RouteInGroups(planned.counts, setting);
    planned.random = MakePolicy(setting, false, "random", draw)->Plan(0, planned.counts);
    planned.fixed = MakePolicy(setting, false, "symmetric", draw)->Plan(0, planned.counts);
    const Ptr<ExpertPolicy> full = MakePolicy(setting, true, "symmetric", draw);
    full->BeginIteration(0, history);
    planned.full = full->Plan(0, planned.counts);
    return planned;
}

/// Results of one draw.
using Numbers = std::vector<double>;

/// \return by result, the values of all draws, ascending
template <typename Find>
std::vector<Numbers>
FindAll(const ExpertSetting& setting, double s, const Find& find)
{
    std::vector<Numbers> all;
    for (uint32_t draw = 0; draw < kDraws; ++draw)
    {
        const Numbers found = find(PlanOnce(setting, s, draw));
        all.resize(found.size());
        for (std::size_t i = 0; i < found.size(); ++i)
        {
            all[i].push_back(found[i]);
        }
    }
    for (Numbers& numbers : all)
    {
        std::sort(numbers.begin(), numbers.end());
    }
    return all;
}

template <typename Find>
Numbers
FindMeans(const ExpertSetting& setting, double s, const Find& find)
{
    Numbers means;
    for (const Numbers& numbers : FindAll(setting, s, find))
    {
        means.push_back(std::accumulate(numbers.begin(), numbers.end(), 0.0) / kDraws);
    }
    return means;
}

/// \return largest load over the mean of plain groups, random, symmetric, full
Numbers
FindBalance(const ExpertSetting& setting, const Planned& planned)
{
    Numbers balance;
    for (const ExpertPlan* plan : {&planned.plain, &planned.random, &planned.fixed, &planned.full})
    {
        balance.push_back(FindFigures(setting, planned.counts, *plan).maxOverMean);
    }
    return balance;
}

void
PrintLine(const std::string& begin, const Numbers& numbers)
{
    std::cout << begin;
    for (const double number : numbers)
    {
        std::cout << "," << number;
    }
    std::cout << "\n";
}

/// A model of the paper's table.
struct Model
{
    std::string name;
    ModelDimensions dimensions;
    uint32_t sequence;
    uint32_t microbatch; // sequences
};

std::vector<Model>
ListModels()
{
    const auto make = [](const std::string& name,
                         uint32_t hidden,
                         uint32_t heads,
                         uint32_t ffn,
                         uint32_t experts,
                         uint32_t sequence,
                         uint32_t microbatch) {
        ModelDimensions model;
        model.hidden = hidden;
        model.heads = heads;
        model.kvHeads = heads;
        model.headWidth = hidden / heads;
        model.expertFfn = ffn;
        model.experts = experts;
        model.topK = 2;
        model.gated = name.front() == 'M';
        return Model{name, model, sequence, microbatch};
    };
    return {make("GPT 32x1.3B", 2048, 16, 8192, 32, 2048, 4),
            make("GPT 16x3.2B", 4096, 32, 16384, 16, 2048, 2),
            make("GPT 8x6.7B", 4096, 32, 16384, 8, 2048, 2),
            make("Mixtral 16x2B", 2048, 32, 8192, 16, 4096, 2),
            make("Mixtral 8x7B", 4096, 32, 14336, 8, 4096, 1)};
}

/// \return the experts' share in the operations of a layer, forward and backward
double
FindExpertShare(const Model& model)
{
    const ModelDimensions& dimensions = model.dimensions;
    const double experts =
        dimensions.topK * dimensions.GetFfnParameters(dimensions.hidden, dimensions.expertFfn);
    const double attention = dimensions.GetAttentionParameters() +
                             dimensions.GetAttentionWidth() * model.sequence / 2; // causal
    // The backward pass takes twice as long, and experts are recomputed for it.
    return 4 * experts / (4 * experts + 3 * attention);
}

void
PrintFigure7()
{
    std::cout << "model,s,share,plain,static,full,speedup_static,speedup_full\n";
    for (const Model& model : ListModels())
    {
        const ExpertSetting setting =
            MakeSetting(8, model.dimensions.experts, model.sequence * model.microbatch);
        for (double s = 0; s <= 2; s += 0.25)
        {
            const Numbers found = FindMeans(setting, s, [&](const Planned& planned) {
                return FindBalance(setting, planned);
            });
            for (const double ofAll : {1.0, 0.5})
            {
                const double share = ofAll * FindExpertShare(model);
                const auto time = [share](double balance) { return 1 - share + share * balance; };
                PrintLine(model.name + "," + std::to_string(s),
                          {share,
                           found[0],
                           found[2],
                           found[3],
                           time(found[0]) / time(found[2]),
                           time(found[0]) / time(found[3])});
            }
        }
    }
}

void
PrintFigure8()
{
    const ExpertSetting setting = MakeSetting(8, 32, 8 * 2048);
    std::cout << "s,plain,random,static,full,random_median,static_median,full_largest,floor\n";
    for (double s = 0; s <= 2; s += 0.25)
    {
        const std::vector<Numbers> all = FindAll(setting, s, [&](const Planned& planned) {
            return FindBalance(setting, planned);
        });
        Numbers line;
        for (const Numbers& numbers : all)
        {
            line.push_back(std::accumulate(numbers.begin(), numbers.end(), 0.0) / kDraws);
        }
        line.insert(line.end(), {all[1][kDraws / 2], all[2][kDraws / 2], all[3].back()});
        double shares = 0;
        for (uint32_t rank = 1; rank <= setting.experts; ++rank)
        {
            shares += std::pow(rank, -s);
        }
        line.push_back(std::max(1.0, 4 / shares)); // two of eight GPUs for the hottest expert
        PrintLine(std::to_string(s), line);
    }
}

/// \return ms of a dispatch by three measures: mean sent, most sent and most received by a GPU
Numbers
FindDispatch(const ExpertSetting& setting, const std::vector<TokenRoute>& routes)
{
    std::vector<double> sent(setting.cluster.gpus);
    std::vector<double> got(setting.cluster.gpus);
    for (const TokenRoute& route : routes)
    {
        if (route.source != route.host)
        {
            sent[route.source] += route.tokens;
            got[route.host] += route.tokens;
        }
    }
    const double each = 1e3 * static_cast<double>(setting.tokenBytes) / kDispatchRate;
    return {each * std::accumulate(sent.begin(), sent.end(), 0.0) / setting.cluster.gpus,
            each * *std::max_element(sent.begin(), sent.end()),
            each * *std::max_element(got.begin(), got.end())};
}

void
PrintFigure9()
{
    ExpertSetting setting = MakeSetting(8, 32, 8 * 2048);
    setting.tokenBytes = 2 * 4096; // hidden, BF16
    const auto print = [&](const std::string& name, const auto& findRoutes) {
        PrintLine(name, FindMeans(setting, 1, [&](const Planned& planned) {
                      return FindDispatch(setting, findRoutes(planned));
                  }));
    };
    const auto split = [](const Planned& planned, const ExpertPlan& plan) {
        return BalancedSplit(plan.placement->hosts, 8).Split(planned.counts.GetLoads()).quota;
    };
    const auto weigh = [&](const Planned& planned, double weight) {
        const ExpertQuota quota = SplitWithCommunication(planned.counts,
                                                         planned.full.placement->hosts,
                                                         setting.cluster,
                                                         {weight, {}})
                                      .quota;
        return RouteNearFirst(planned.counts, quota, setting.cluster);
    };
    std::cout << "system,mean_ms,sent_ms,got_ms\n";
    print("plain", [](const Planned& planned) { return planned.plain.routes; });
    print("static-far", [&](const Planned& planned) {
        return RouteInOrder(planned.counts, split(planned, planned.fixed));
    });
    print("static", [](const Planned& planned) { return planned.fixed.routes; });
    print("full-far", [&](const Planned& planned) {
        return RouteInOrder(planned.counts, split(planned, planned.full));
    });
    print("full", [](const Planned& planned) { return planned.full.routes; });
    print("full-0.1", [&](const Planned& planned) { return weigh(planned, 0.1); });
    print("full-1", [&](const Planned& planned) { return weigh(planned, 1); });
}

/// \return the median duration of a call, in us
double
FindMicroseconds(uint32_t times, const std::function<void(uint32_t)>& act)
{
    std::vector<double> all;
    for (uint32_t time = 0; time < times; ++time)
    {
        const auto begin = std::chrono::steady_clock::now();
        act(time);
        const std::chrono::duration<double, std::micro> took =
            std::chrono::steady_clock::now() - begin;
        all.push_back(took.count());
    }
    std::nth_element(all.begin(), all.begin() + times / 2, all.end());
    return all[times / 2];
}

void
PrintFigure11()
{
    constexpr uint32_t times = 51;
    std::cout << "gpus,experts,flow_us,routing_us,communication_us\n";
    for (const uint32_t gpus : {8U, 16U, 32U, 64U})
    {
        for (const uint32_t experts : {32U, 64U, 128U, 256U})
        {
            const ExpertSetting setting = MakeSetting(gpus, experts, 8 * 2048);
            const std::vector<std::vector<uint32_t>> hosts = PlaceOnPairs(gpus, experts);
            std::vector<TokenCounts> counts;
            ZipfTokens tokens(setting, 1, 0);
            for (uint32_t time = 0; time < times; ++time)
            {
                counts.push_back(tokens.Draw());
            }
            BalancedSplit split(hosts, gpus);
            std::vector<ExpertQuota> quotas(times);
            const double flow = FindMicroseconds(times, [&](uint32_t time) {
                quotas[time] = split.Split(counts[time].GetLoads()).quota;
            });
            std::size_t routes = 0;
            const double routing = FindMicroseconds(times, [&](uint32_t time) {
                routes += RouteNearFirst(counts[time], quotas[time], setting.cluster).size();
            });
            const double communication = FindMicroseconds(5, [&](uint32_t time) {
                routes += SplitWithCommunication(counts[time], hosts, setting.cluster, {1, {}})
                              .quota.size();
            });
            PrintLine(std::to_string(gpus) + "," + std::to_string(experts),
                      {flow, routing, routes > 0 ? communication : 0});
        }
    }
}

} // namespace

int
main(int argc, char** argv)
{
    uint32_t figure = 8;
    CommandLine command(__FILE__);
    command.AddValue("figure", "7, 8, 9 or 11", figure);
    command.Parse(argc, argv);
    switch (figure)
    {
    case 7:
        PrintFigure7();
        return 0;
    case 8:
        PrintFigure8();
        return 0;
    case 9:
        PrintFigure9();
        return 0;
    case 11:
        PrintFigure11();
        return 0;
    default:
        std::cerr << "there is no figure " << figure << ": choose 7, 8, 9 or 11\n";
        return 2;
    }
}
