// SPDX-License-Identifier: GPL-2.0-only
#ifndef PRO_PROPHET_CELLS_H
#define PRO_PROPHET_CELLS_H

// The experiments of Pro-Prophet (arXiv 2411.10003, Tables IV and V) on its own time model, with
// its unpublished parameters. Used by rails-pro-prophet-tables and by its test.

#include "ns3/block-schedule.h"
#include "ns3/boolean.h"
#include "ns3/component-maker.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/expert-policy.h"
#include "ns3/layer-time-model.h"
#include "ns3/string.h"
#include "ns3/synthetic-token-load.h"
#include "ns3/token-routing.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails::proprophet
{

/// Servers have four GPUs at PCIe 3.0, and a NIC of 100 Gb/s.
struct Cluster
{
    const char* name;
    uint32_t gpus;
    uint32_t tokens;  //!< of all GPUs in an iteration
    double peakFlops; //!< of a GPU with 32-bit numbers
};

constexpr Cluster kHpnv{"HPNV", 16, 16384, 35.6e12}; // RTX 3090
constexpr Cluster kLpwnv{"LPWNV", 8, 4096, 13.4e12}; // RTX 2080 Ti

struct Model
{
    const char* name;
    uint32_t layers;
    uint32_t width; //!< d
};

constexpr Model kS{"S", 12, 512};
constexpr Model kM{"M", 12, 1024};
constexpr Model kL{"L", 12, 2048};
constexpr Model kDs{"DS", 24, 512};
constexpr Model kDm{"DM", 24, 1024};

/// A cell of Table IV (HPNV) or V (LPWNV). The paper's values: experiments/pro-prophet/paper.csv.
struct Cell
{
    Cluster cluster;
    Model model;
    uint32_t topK;
};

inline std::vector<Cell>
GetCells()
{
    std::vector<Cell> cells;
    for (const uint32_t topK : {1U, 2U})
    {
        for (const Model& model : {kS, kM, kL, kDs, kDm})
        {
            cells.push_back({kHpnv, model, topK});
        }
        for (const Model& model : {kS, kM, kDs, kDm}) // L does not fit into its memory
        {
            cells.push_back({kLpwnv, model, topK});
        }
    }
    return cells;
}

/// Parameters of cluster and load that the paper does not publish.
struct World
{
    double exponent;   //!< of Zipf's law: skew of loads
    double bandwidth;  //!< B, in Gb/s; 0: a uniform all-to-all at the rates of the links
    double efficiency; //!< of GPUs: t relative to peak FLOPS
    double other;      //!< operations of the rest of a layer: 4 of PP-A, or 8; times b S d^2
};

/// Parameters of the planner that the paper does not publish.
struct Planner
{
    double tolerance; //!< alpha of eq. 7
    uint32_t part;    //!< n = GPUs / part are excluded; 0: none
};

/**
 * The grid of unknown parameters: all combinations are run, and no parameter is fitted.
 * - Skew: Fig. 3 has the three heaviest of 16 experts above 50 % and the three lightest below 5 %.
 *   Zipf with 1.0 gives 54 and 5.9 %, with 1.1 58 and 5.1 %: 1.0 to 1.2.
 * - B: the released planner has 15 and (commented out) 24 Gb/s for transfers. No more than a
 *   uniform all-to-all at line rate: 31 Gb/s on HPNV, 44 on LPWNV.
 * - t: the released planner comes to a quarter of the peak. Three quarters is a good library's.
 * - FNEC: the released planner has 4 b S^2 d + 4 b S d^2. Attention with four projections has
 *   4 b S^2 d + 8 b S d^2.
 */
inline std::vector<World>
GetWorlds()
{
    std::vector<World> worlds;
    for (const double exponent : {1.0, 1.1, 1.2})
    {
        for (const double bandwidth : {15.0, 24.0, 0.0})
        {
            for (const double efficiency : {0.25, 0.5, 0.75})
            {
                for (const double other : {4.0, 8.0})
                {
                    worlds.push_back({exponent, bandwidth, efficiency, other});
                }
            }
        }
    }
    return worlds;
}

/**
 * - alpha: 3 in the released planner, which lets a GPU have four times the mean; down to 0.5.
 * - n: none in nearly all layers of the released planner. An input of Algorithm 1: up to half.
 */
inline std::vector<Planner>
GetPlanners()
{
    std::vector<Planner> planners;
    for (const double tolerance : {0.5, 1.0, 3.0})
    {
        for (const uint32_t part : {0U, 4U, 2U})
        {
            planners.push_back({tolerance, part});
        }
    }
    return planners;
}

/// Capacity factors of DeepSpeed-MoE where it drops: its default is 1; C.1 gives none.
constexpr double kCapacities[]{1, 2, 4};

constexpr uint32_t kSequence = 256;   //!< S, of PP-A's launch script
constexpr uint32_t kIterations = 100; //!< that the paper measures

/// The middle of the grid.
constexpr World kMiddle{1.1, 24, 0.5, 8};

/// The size of a cell.
inline ExpertSetting
MakeSetting(const Cell& cell, const World& world)
{
    const double width = cell.model.width;
    const uint64_t expertBytes = 16ULL * cell.model.width * cell.model.width; // 2 alpha d^2 * 4
    ExpertSetting setting;
    setting.cluster.gpus = cell.cluster.gpus;
    setting.cluster.gpusPerServer = 4;
    setting.cluster.nicsPerServer = 1;
    setting.cluster.nvlinkRate = 88e9 / 8; // PCIe 3.0, as in FasterMoE's artifact
    setting.cluster.nicRate = 100e9 / 8;
    setting.cluster.flops = world.efficiency * cell.cluster.peakFlops;
    setting.expertParallel = setting.experts = cell.cluster.gpus;
    setting.topK = cell.topK;
    setting.tokens = cell.cluster.tokens / cell.cluster.gpus;
    setting.layers = cell.model.layers;
    setting.tokenBytes = 4ULL * cell.model.width;
    setting.weightBytes = setting.gradientBytes = expertBytes;
    setting.tokenFlops = 8 * width * width;
    const double otherFlops =
        setting.tokens * (4.0 * kSequence * width + world.other * width * width);
    setting.otherForward = otherFlops / setting.cluster.flops;
    setting.otherBackward = 2 * setting.otherForward;
    return setting;
}

/// \return B of a cell in bytes per second
inline double
FindBandwidth(const ExpertSetting& setting, const World& world)
{
    return world.bandwidth > 0 ? world.bandwidth * 1e9 / 8 : FindUniformBandwidth(setting.cluster);
}

inline DataRateValue
MakeRate(double bytesPerSecond)
{
    return DataRateValue(DataRate(static_cast<uint64_t>(std::llround(8 * bytesPerSecond))));
}

/// Token counts of all layers in an iteration, and the history with the iteration before.
struct Gates
{
    std::vector<LoadHistory> before;
    std::vector<TokenCounts> now;
};

/// \param load draws the counts /// \param iteration at least 1
inline Gates
DrawGates(const Cell& cell, const SyntheticTokenLoad& load, uint32_t iteration)
{
    const uint32_t gpus = cell.cluster.gpus;
    const LoadShape shape{gpus, gpus, cell.topK, cell.cluster.tokens / gpus};
    Gates gates;
    for (uint32_t layer = 0; layer < cell.model.layers; ++layer)
    {
        gates.before.emplace_back(gpus, 1);
        gates.before.back().Add({gpus, gpus, load.Draw(shape, {iteration - 1, layer, 0, 0})});
        gates.before.back().EndIteration();
        gates.now.emplace_back(gpus, gpus, load.Draw(shape, {iteration, layer, 0, 0}));
    }
    return gates;
}

inline Ptr<SyntheticTokenLoad>
MakeLoad(double exponent, int64_t stream = 1)
{
    const auto load = CreateObject<SyntheticTokenLoad>();
    load->SetAttribute("Preset", StringValue("no-aux"));
    load->SetAttribute("Exponent", DoubleValue(exponent));
    load->AssignStreams(stream);
    load->Start();
    return load;
}

/// One cell with one World.
class Bench
{
  public:
    Bench(const Cell& cell, const World& world)
        : m_setting(MakeSetting(cell, world)),
          m_bandwidth(FindBandwidth(m_setting, world)),
          m_model(MakeLayerRates(m_setting, m_bandwidth, m_setting.cluster.flops))
    {
    }

    /// \param scheduled the planner uses eq. 8, otherwise eq. 6
    Ptr<ExpertPolicy> MakeProProphet(const Planner& planner, bool scheduled) const
    {
        const auto policy = MakeComponent<ExpertPolicy>("ProProphetExpertPolicy");
        policy->SetAttribute("BalanceTolerance", DoubleValue(planner.tolerance));
        const uint32_t excluded = planner.part > 0 ? m_setting.cluster.gpus / planner.part : 0;
        policy->SetAttribute("Excluded", UintegerValue(excluded));
        policy->SetAttribute("Scheduled", BooleanValue(scheduled));
        policy->SetAttribute("Bandwidth", MakeRate(m_bandwidth));
        policy->Start(m_setting);
        return policy;
    }

    /// The released planner with its constants, independent of the World.
    Ptr<ExpertPolicy> MakeReleased() const
    {
        const auto policy = MakeComponent<ExpertPolicy>("ProProphetExpertPolicy");
        policy->SetAttribute("Variant", StringValue("released"));
        policy->Start(m_setting);
        return policy;
    }

    /// \param variant "artifact" with its constants, or another variant with B and t of the World
    Ptr<ExpertPolicy> MakeFasterMoe(const std::string& variant) const
    {
        const auto policy = MakeComponent<ExpertPolicy>("FasterMoeExpertPolicy");
        policy->SetAttribute("Variant", StringValue(variant));
        if (variant != "artifact")
        {
            policy->SetAttribute("Bandwidth", MakeRate(m_bandwidth));
        }
        policy->Start(m_setting);
        return policy;
    }

    /// \return times of all layers
    std::vector<LayerTime> FindTimes(ExpertPolicy& policy, const Gates& gates) const
    {
        std::vector<LayerTime> times;
        for (uint32_t layer = 0; layer < m_setting.layers; ++layer)
        {
            policy.BeginIteration(layer, gates.before[layer]);
            const ExpertPlan plan = policy.Plan(layer, gates.now[layer]);
            times.push_back(m_model.Evaluate(FindWork(m_setting.cluster.gpus, plan)));
        }
        return times;
    }

    /// \return times of all layers without shadows /// \param find returns the LayerWork for counts
    template <typename Find>
    std::vector<LayerTime> FindPlainTimes(const Gates& gates, const Find& find) const
    {
        std::vector<LayerTime> times;
        for (const TokenCounts& counts : gates.now)
        {
            times.push_back(m_model.Evaluate(find(counts)));
        }
        return times;
    }

    /// Work when all tokens are computed at home, without padding.
    LayerWork FindPlain(const TokenCounts& counts) const
    {
        ExpertPlan plan;
        plan.routes = RouteInGroups(counts, m_setting);
        return FindWork(m_setting.cluster.gpus, plan);
    }

    /// Work when every GPU sends to every expert the largest of all counts.
    LayerWork FindPadded(const TokenCounts& counts) const
    {
        const auto& all = counts.GetCounts();
        return FindRows(*std::max_element(all.begin(), all.end()));
    }

    /// Work when every GPU sends to every expert at most a capacity, in mean loads; the rest is
    /// dropped.
    LayerWork FindCapped(double capacity) const
    {
        const double rows = capacity * m_setting.GetMeanLoad() / m_setting.experts;
        return FindRows(static_cast<uint64_t>(std::ceil(rows)));
    }

    /// \return seconds of an iteration with blocking transfers
    static double AddBlocking(const std::vector<LayerTime>& times)
    {
        double seconds = 0;
        for (const LayerTime& time : times)
        {
            seconds += time.GetBlocking() + time.otherForward + time.otherBackward;
        }
        return seconds;
    }

    /// \return seconds of an iteration by the block-wise schedule
    static double AddScheduled(const std::vector<LayerTime>& times)
    {
        std::vector<BlockCut> cuts(times.size());
        for (std::size_t block = 1; block < times.size(); ++block)
        {
            cuts[block] = FindCut(times[block - 1], times[block]);
        }
        double seconds = 0;
        for (const BlockSpan& span : RunBlockSchedule(MakeBlockSchedule(cuts), times, 0))
        {
            seconds = std::max(seconds, span.end);
        }
        return seconds;
    }

  private:
    LayerWork FindRows(uint64_t perPair) const
    {
        const uint64_t gpus = m_setting.cluster.gpus;
        return {(gpus - 1) * perPair, gpus * perPair, 0, 0};
    }

    ExpertSetting m_setting;
    double m_bandwidth;
    LayerTimeModel m_model;
};

} // namespace ns3::rails::proprophet

#endif // PRO_PROPHET_CELLS_H
