// SPDX-License-Identifier: GPL-2.0-only
#ifndef BENCH_EXPERIMENT_H
#define BENCH_EXPERIMENT_H

#include "ns3/rails-experiment.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// Measurements of one simulation, by either engine.
struct ExperimentRun
{
    /// Processor time from the first plan on, without set-up and report. With other programs on the
    /// machine, wall-clock time would favour the shorter run.
    double cpuSeconds{0};
    double wallSeconds{0};      //!< wall-clock time of the same
    uint64_t events{0};         //!< of ns-3
    uint64_t frameHops{0};      //!< 0 with the flow-level engine
    uint64_t solves{0};         //!< solves of rates; 0 with the packet-level engine
    uint64_t touchedClasses{0}; //!< classes with recomputed rates, over all solves; 0 likewise
};

/**
 * \param text a descriptor without a sweep
 * \param sets changes of the descriptor, KEY=VALUE
 * \throws DescriptorError with all errors
 */
Experiment MakeBenchExperiment(const std::string& text, const std::vector<std::string>& sets = {});

/// Measures the speed of an experiment without failures and recorders.
ExperimentRun RunBenchExperiment(const Experiment& experiment);

} // namespace ns3::rails

#endif // BENCH_EXPERIMENT_H
