// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_FIXTURES_H
#define GRAPH_FIXTURES_H

#include "scenario-fixtures.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

namespace ns3::rails
{

/// Runs of workloads that are graphs.
class GraphTest : public RunTest
{
  protected:
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
