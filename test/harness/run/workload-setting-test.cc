// SPDX-License-Identifier: GPL-2.0-only
#include "../../collective/collective-fixtures.h"
#include "run-experiment-fixtures.h"

#include "ns3/rails-error.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace ns3::rails
{

namespace
{

class WorkloadSettingTest : public RunTest
{
};

/// \return recorded counts of two iterations on four GPUs with eight experts; a GPU has `first`
/// tokens for each expert in the first, and `second` in the other
std::string
MakeTrace(uint32_t first, uint32_t second)
{
    std::ostringstream os;
    os << "iteration,layer,microbatch,rank,e0,e1,e2,e3,e4,e5,e6,e7\n";
    for (uint32_t iteration = 0; iteration < 2; ++iteration)
    {
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            os << iteration << ",0,0," << rank;
            for (uint32_t expert = 0; expert < 8; ++expert)
            {
                os << ',' << (iteration == 0 ? first : second);
            }
            os << '\n';
        }
    }
    return os.str();
}

TEST_F(WorkloadSettingTest, ARecordedLoadThatIsAskedForLaterIsFoundBeforeTheRun)
{
    for (const uint32_t second : {16, 17})
    {
        const TemporaryFile file(MakeTrace(16, second));
        const std::string text =
            "topology: {type: rail, domains: 2, gpus_per_domain: 2, spines: 2}\n"
            "transport: {congestion_control: none}\n"
            "engine: flow\n"
            "balance: rails\n"
            "workload:\n"
            "  type: training\n"
            "  model: {type: qwen3-235b, hidden: 64, heads: 4, kv_heads: 2, head_width: 16,\n"
            "    experts: 8, expert_ffn: 64, vocabulary: 100, top_k: 2}\n"
            "  parallel: {ep: 4}\n"
            "  batch: {micro: 1, global: 4, sequence: 64}\n"
            "  compute: {type: flops, peak: 1e13}\n"
            "  layers: 1\n"
            "  iterations: 2\n"
            "  load: {type: trace, path: " +
            file.GetPath() + "}\n";
        if (second == 16)
        {
            EXPECT_NO_THROW(Run(text));
            continue;
        }
        try
        {
            Run(text);
            ADD_FAILURE() << "it ran";
        }
        catch (const std::exception& error)
        {
            EXPECT_NE(std::string(error.what()).find("a row counts 136 tokens"), std::string::npos)
                << error.what();
        }
    }
}

} // namespace

} // namespace ns3::rails
