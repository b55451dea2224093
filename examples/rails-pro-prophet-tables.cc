// SPDX-License-Identifier: GPL-2.0-only

// Pro-Prophet and FasterMoE against DeepSpeed-MoE on Pro-Prophet's own time model, over all
// unpublished parameters (pro-prophet-cells.h): writes CSV, which plots/pro_prophet.py draws.
//
//   ./ns3 run "rails-pro-prophet-tables --table=cells"
//
// --table=cells       seconds of an iteration, by cell of Tables IV and V, world and planner
// --table=skew        as cells, on LPWNV with model DM and k = 1, from even loads to steep ones
// --table=iterations  as cells, of model M on HPNV in the middle of the grid, by iteration (Fig.
// 12)
//                     and stage (Fig. 14)
// --table=balance     balance degree of model M on HPNV by layer, with the middle Zipf exponent
//                     (Fig. 16)
//
// What to see: for which parameters the orderings of the paper hold.

#include "pro-prophet-cells.h"

#include "ns3/command-line.h"
#include "ns3/plan-figures.h"

#include <iomanip>
#include <iostream>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::proprophet;

namespace
{

/// Iterations of cells and skew: every fifth, as successive iterations are similar.
constexpr uint32_t kStride = 5;

/// A case whose seconds are summed over iterations.
struct Series
{
    std::string name;
    Ptr<ExpertPolicy> policy; //!< none: no shadows
    bool isScheduled;
    double seconds{0};
};

void
PrintWorld(const Cell& cell, const World& world)
{
    std::cout << cell.cluster.name << ',' << cell.model.name << ',' << cell.topK << ','
              << world.exponent << ',' << world.bandwidth << ',' << world.efficiency << ','
              << world.other;
}

constexpr const char* kWorldColumns = "cluster,model,k,exponent,bandwidth_gbps,efficiency,other";

/// A cell with one World and all policies.
class Row
{
  public:
    Row(const Cell& cell, const World& world)
        : m_cell(cell),
          m_world(world),
          m_bench(cell, world)
    {
        for (const char* variant : {"artifact", "published", "master"})
        {
            m_common.push_back(
                {std::string("faster_moe_") + variant, m_bench.MakeFasterMoe(variant), false});
        }
        m_common.push_back({"released", m_bench.MakeReleased(), true});
        for (const Planner& planner : GetPlanners())
        {
            m_planners.push_back({{"blocking", m_bench.MakeProProphet(planner, false), false},
                                  {"scheduled", m_bench.MakeProProphet(planner, true), true}});
            m_mixed.push_back(0);
        }
    }

    void Add(const Gates& gates)
    {
        AddPlain(gates);
        for (Series& series : m_common)
        {
            AddTo(series, gates);
        }
        for (std::size_t i = 0; i < m_planners.size(); ++i)
        {
            const auto times = m_bench.FindTimes(*m_planners[i].first.policy, gates);
            m_planners[i].first.seconds += Bench::AddBlocking(times);
            m_mixed[i] += Bench::AddScheduled(times);
            AddTo(m_planners[i].second, gates);
        }
    }

    static void PrintHead()
    {
        std::cout << kWorldColumns
                  << ",tolerance,excluded_part,plain,padded,capacity_1,capacity_2,capacity_4,"
                     "faster_moe_artifact,faster_moe_published,faster_moe_master,released,"
                     "planner,planner_scheduler,full\n";
    }

    /// Mean seconds of an iteration.
    void Print(uint32_t iterations) const
    {
        for (std::size_t i = 0; i < m_planners.size(); ++i)
        {
            const Planner planner = GetPlanners()[i];
            PrintWorld(m_cell, m_world);
            std::cout << ',' << planner.tolerance << ',' << planner.part;
            for (const double seconds : m_plain)
            {
                std::cout << ',' << seconds / iterations;
            }
            for (const Series& series : m_common)
            {
                std::cout << ',' << series.seconds / iterations;
            }
            std::cout << ',' << m_planners[i].first.seconds / iterations << ','
                      << m_mixed[i] / iterations << ',' << m_planners[i].second.seconds / iterations
                      << '\n';
        }
    }

  private:
    void AddTo(Series& series, const Gates& gates)
    {
        const auto times = m_bench.FindTimes(*series.policy, gates);
        series.seconds +=
            series.isScheduled ? Bench::AddScheduled(times) : Bench::AddBlocking(times);
    }

    void AddPlain(const Gates& gates)
    {
        m_plain.resize(2 + std::size(kCapacities));
        const auto add = [&](std::size_t at, const auto& find) {
            m_plain[at] += Bench::AddBlocking(m_bench.FindPlainTimes(gates, find));
        };
        add(0, [this](const TokenCounts& counts) { return m_bench.FindPlain(counts); });
        add(1, [this](const TokenCounts& counts) { return m_bench.FindPadded(counts); });
        for (std::size_t i = 0; i < std::size(kCapacities); ++i)
        {
            add(2 + i, [&](const TokenCounts&) { return m_bench.FindCapped(kCapacities[i]); });
        }
    }

    Cell m_cell;
    World m_world;
    Bench m_bench;
    std::vector<double> m_plain; //!< dropless, padded, with capacities
    std::vector<Series> m_common;
    std::vector<std::pair<Series, Series>> m_planners; //!< planned and run by eq. 6; by eq. 8
    std::vector<double> m_mixed;                       //!< planned by eq. 6 and run by eq. 8
};

/// \param worlds of the same exponent
void
PrintRows(const Cell& cell, const std::vector<World>& worlds)
{
    const Ptr<SyntheticTokenLoad> load = MakeLoad(worlds.front().exponent);
    std::vector<Row> rows;
    for (const World& world : worlds)
    {
        rows.emplace_back(cell, world);
    }
    uint32_t iterations = 0;
    for (uint32_t iteration = 1; iteration < kIterations; iteration += kStride, ++iterations)
    {
        const Gates gates = DrawGates(cell, *load, iteration);
        for (Row& row : rows)
        {
            row.Add(gates);
        }
    }
    for (const Row& row : rows)
    {
        row.Print(iterations);
    }
}

std::map<double, std::vector<World>>
SplitByExponent(const std::vector<World>& worlds)
{
    std::map<double, std::vector<World>> split;
    for (const World& world : worlds)
    {
        split[world.exponent].push_back(world);
    }
    return split;
}

void
PrintCells()
{
    Row::PrintHead();
    for (const Cell& cell : GetCells())
    {
        for (const auto& [exponent, worlds] : SplitByExponent(GetWorlds()))
        {
            PrintRows(cell, worlds);
        }
    }
}

/// The cell in which FasterMoE is below DeepSpeed-MoE in the paper.
void
PrintSkew()
{
    Row::PrintHead();
    for (const double exponent : {0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0})
    {
        std::vector<World> worlds = SplitByExponent(GetWorlds()).begin()->second;
        for (World& world : worlds)
        {
            world.exponent = exponent;
        }
        PrintRows({kLpwnv, kDm, 1}, worlds);
    }
}

void
PrintIterations()
{
    std::cout << "k,tolerance,iteration,plain,faster_moe_artifact,faster_moe_published,planner,"
                 "planner_scheduler,full\n";
    for (const uint32_t topK : {1U, 2U})
    {
        const Cell cell{kHpnv, kM, topK};
        const Bench bench(cell, kMiddle);
        const Ptr<SyntheticTokenLoad> load = MakeLoad(kMiddle.exponent);
        for (const double tolerance : {0.5, 1.0, 3.0})
        {
            const Ptr<ExpertPolicy> artifact = bench.MakeFasterMoe("artifact");
            const Ptr<ExpertPolicy> published = bench.MakeFasterMoe("published");
            const Ptr<ExpertPolicy> blocking = bench.MakeProProphet({tolerance, 0}, false);
            const Ptr<ExpertPolicy> scheduled = bench.MakeProProphet({tolerance, 0}, true);
            for (uint32_t iteration = 1; iteration < kIterations; ++iteration)
            {
                const Gates gates = DrawGates(cell, *load, iteration);
                const auto plain = bench.FindPlainTimes(gates, [&](const TokenCounts& counts) {
                    return bench.FindPlain(counts);
                });
                const auto planned = bench.FindTimes(*blocking, gates);
                std::cout << topK << ',' << tolerance << ',' << iteration << ','
                          << Bench::AddBlocking(plain) << ','
                          << Bench::AddBlocking(bench.FindTimes(*artifact, gates)) << ','
                          << Bench::AddBlocking(bench.FindTimes(*published, gates)) << ','
                          << Bench::AddBlocking(planned) << ',' << Bench::AddScheduled(planned)
                          << ',' << Bench::AddScheduled(bench.FindTimes(*scheduled, gates)) << '\n';
            }
        }
    }
}

/// \return standard deviation of the GPUs' tokens
double
FindDegree(const ExpertSetting& setting, const TokenCounts& counts, const ExpertPlan& plan)
{
    const std::vector<uint64_t> loads = FindFigures(setting, counts, plan).loads;
    const double mean = static_cast<double>(counts.GetTotal()) / static_cast<double>(loads.size());
    double square = 0;
    for (const uint64_t load : loads)
    {
        square += (static_cast<double>(load) - mean) * (static_cast<double>(load) - mean);
    }
    return std::sqrt(square / static_cast<double>(loads.size()));
}

/// Balance degrees of a layer, summed over iterations, by policy; the first policy has none.
using Degrees = std::vector<double>;

void
PrintDegrees(const Cell& cell, const World& world, const Planner& planner)
{
    const Bench bench(cell, world);
    const ExpertSetting setting = MakeSetting(cell, world);
    const Ptr<SyntheticTokenLoad> load = MakeLoad(world.exponent);
    const std::vector<Ptr<ExpertPolicy>> policies{bench.MakeFasterMoe("artifact"),
                                                  bench.MakeFasterMoe("published"),
                                                  bench.MakeProProphet(planner, true)};
    std::vector<Degrees> degrees(setting.layers, Degrees(1 + policies.size()));
    uint32_t iterations = 0;
    for (uint32_t iteration = 1; iteration < kIterations; iteration += kStride, ++iterations)
    {
        const Gates gates = DrawGates(cell, *load, iteration);
        for (uint32_t layer = 0; layer < setting.layers; ++layer)
        {
            const TokenCounts& counts = gates.now[layer];
            ExpertPlan plain;
            plain.routes = RouteInGroups(counts, setting);
            degrees[layer][0] += FindDegree(setting, counts, plain);
            for (std::size_t i = 0; i < policies.size(); ++i)
            {
                policies[i]->BeginIteration(layer, gates.before[layer]);
                degrees[layer][1 + i] +=
                    FindDegree(setting, counts, policies[i]->Plan(layer, counts));
            }
        }
    }
    for (uint32_t layer = 0; layer < setting.layers; ++layer)
    {
        PrintWorld(cell, world);
        std::cout << ',' << planner.tolerance << ',' << layer + 1;
        for (const double degree : degrees[layer])
        {
            std::cout << ',' << degree / iterations;
        }
        std::cout << '\n';
    }
}

void
PrintBalance()
{
    std::cout << kWorldColumns
              << ",tolerance,layer,plain,faster_moe_artifact,faster_moe_published,full\n";
    const std::vector<World> worlds = SplitByExponent(GetWorlds()).at(kMiddle.exponent);
    for (const uint32_t topK : {1U, 2U})
    {
        for (const World& world : worlds)
        {
            for (const double tolerance : {0.5, 1.0, 3.0})
            {
                PrintDegrees({kHpnv, kM, topK}, world, {tolerance, 0});
            }
        }
    }
}

} // namespace

int
main(int argc, char** argv)
{
    std::string table = "cells";
    CommandLine command(__FILE__);
    command.AddValue("table", "cells, skew, iterations or balance", table);
    command.Parse(argc, argv);
    const std::map<std::string, void (*)()> tables{{"cells", PrintCells},
                                                   {"skew", PrintSkew},
                                                   {"iterations", PrintIterations},
                                                   {"balance", PrintBalance}};
    const auto found = tables.find(table);
    if (found == tables.end())
    {
        std::cerr << "no table " << table << ": take cells, skew, iterations or balance\n";
        return 1;
    }
    std::cout << std::setprecision(9);
    found->second();
}
