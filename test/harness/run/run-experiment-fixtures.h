// SPDX-License-Identifier: GPL-2.0-only
#ifndef RUN_EXPERIMENT_FIXTURES_H
#define RUN_EXPERIMENT_FIXTURES_H

#include "../../support/sanitized.h"
#include "experiment-fixtures.h"

#include "ns3/rails-fingerprint.h"
#include "ns3/run-experiment.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// A small training on 64 GPUs; the key `layers` is to follow.
inline const std::string kSmallTraining =
    "workload:\n"
    "  type: training\n"
    "  model: {type: qwen3-235b, hidden: 256, heads: 4, kv_heads: 2, head_width: 16, experts: 32,\n"
    "    expert_ffn: 512, vocabulary: 1000, top_k: 4}\n"
    "  parallel: {ep: 32, pp: 2}\n"
    "  batch: {micro: 1, global: 64, sequence: 256}\n"
    "  load: {type: synthetic, preset: no-aux}\n"
    "  compute: {type: flops, peak: 1e13}\n";

/// Runs descriptors from the first byte to the last.
class RunTest : public ExperimentTest
{
  protected:
    using Sets = std::vector<std::string>;

    /**
     * \param text a descriptor of one experiment
     * \param sets arguments of `--set`
     * \param scheduler TypeId name of the ns-3 event scheduler
     */
    static Result Run(const std::string& text,
                      const Sets& sets = {},
                      const std::string& scheduler = "ns3::HeapScheduler")
    {
        return RunExperiment(Read(text, sets).MakeExperiment(0), nullptr, scheduler);
    }

    static std::string GetFingerprint(const Result& result)
    {
        return result.fingerprint;
    }

    /// \return the sum of a counter of frames over the ports of a class
    template <typename T>
    static uint64_t SumPorts(const Result& result,
                             const std::string& portClass,
                             T PortFrames::*counter)
    {
        uint64_t sum = 0;
        for (const PortRecord& port : result.portRecords)
        {
            sum += port.portClass == portClass ? static_cast<uint64_t>((*port.frames).*counter) : 0;
        }
        return sum;
    }
};

} // namespace ns3::rails

#endif // RUN_EXPERIMENT_FIXTURES_H
