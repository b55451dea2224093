// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_FIXTURES_H
#define GRAPH_FIXTURES_H

#include "run-experiment-fixtures.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace ns3::rails
{

inline const std::string kGraphCluster =
    "topology: {type: rail, domains: 4, gpus_per_domain: 2, spines: 1}\n"
    "balance: rails\n"
    "transport: {congestion_control: none}\n"
    "switch: {buffer: 1GiB}\n";

/// \param stages entries of the list
inline std::string
MakeGraph(const std::vector<std::string>& stages, uint32_t iterations = 1)
{
    std::string text = kGraphCluster +
                       "workload:\n  type: graph\n  iterations: " + std::to_string(iterations) +
                       "\n  stages:\n";
    for (const std::string& stage : stages)
    {
        text += "    - {" + stage + "}\n";
    }
    return text;
}

/// Runs of workloads that are graphs.
class GraphTest : public RunTest
{
  protected:
    /// \return a graph of any stages
    static std::string DrawGraph(uint32_t seed)
    {
        std::mt19937 random(seed);
        const auto draw = [&random](const std::vector<std::string>& from) {
            return from[random() % from.size()];
        };
        std::vector<std::string> stages;
        std::vector<std::string> names;
        std::vector<std::string> exchanges;
        const uint32_t count = 1 + random() % 7;
        for (uint32_t i = 0; i < count; ++i)
        {
            const std::string name = "s" + std::to_string(i);
            std::string type = draw({"compute",
                                     "exchange",
                                     "return",
                                     "all-reduce",
                                     "all-gather",
                                     "reduce-scatter",
                                     "broadcast",
                                     "reduce",
                                     "send",
                                     "barrier"});
            type = type == "return" && exchanges.empty() ? "compute" : type;
            std::string stage = "type: " + type + ", name: " + name;
            if (type == "compute")
            {
                stage += ", time: " + draw({"0ns", "1ns", "700ns", "20us"});
            }
            else if (type == "exchange")
            {
                exchanges.push_back(name);
                stage += ", matrix: " +
                         draw({"{type: uniform, bytes_per_pair: 1B}",
                               "{type: zipf, bytes_per_gpu: 300KB}",
                               "{type: sparse, density: 0.4, mean: 50KB, intra: true}"}) +
                         draw({"", ", groups: {size: 4, layout: strided}"});
            }
            else if (type == "return")
            {
                stage += ", of: " + draw(exchanges);
            }
            else if (type == "send")
            {
                stage += ", bytes: 100001B, distance: " + draw({"1", "-1", "3"}) +
                         ", wraps: " + draw({"true", "false"});
            }
            else if (type == "barrier")
            {
                stage += ", delay: " + draw({"500ns", "3us"});
            }
            else
            {
                stage += ", bytes: " + draw({"20B", "1001B", "1MB"}) +
                         draw({"", ", groups: {size: 2}", ", groups: {size: 4, layout: strided}"}) +
                         draw({"", ", algorithm: hierarchical"});
                stage += type == "broadcast" || type == "reduce"
                             ? draw({"", ", root: 1"}) + draw({"", ", chunks: 1", ", chunks: 3"})
                             : "";
            }
            stage += draw({"", "", ", stream: compute", ", stream: other"});
            stage +=
                draw({"", names.empty() ? ", after: [start]" : ", after: [" + draw(names) + "]"});
            names.push_back(name);
            stages.push_back(stage);
        }
        std::string text = MakeGraph(stages, 1 + random() % 3);
        return text + "seed: " + std::to_string(seed) + "\n";
    }

    static Result RunDone(const std::string& text, const Sets& sets = {})
    {
        Result result = Run(text, sets);
        EXPECT_EQ(result.status, RunStatus::Done) << result.report;
        EXPECT_TRUE(result.graph.has_value());
        return result;
    }

    static const KindRecord& GetKind(const Result& result, const std::string& name)
    {
        const auto& kinds = result.graph->kinds;
        return *std::find_if(kinds.begin(), kinds.end(), [&name](const KindRecord& kind) {
            return kind.name == name;
        });
    }
};

} // namespace ns3::rails

#endif // GRAPH_FIXTURES_H
