// SPDX-License-Identifier: GPL-2.0-only
#ifndef BENCH_EXPERIMENT_H
#define BENCH_EXPERIMENT_H

#include "ns3/rails-experiment.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// One simulation of an experiment, by either engine.
struct ExperimentRun
{
    /// Processor time from the first plan on: set-up and report excluded. Elapsed time would
    /// flatter the shorter run where other programs are at work, too.
    double cpuSeconds{0};
    double wallSeconds{0};      //!< elapsed meanwhile
    uint64_t events{0};         //!< of ns-3
    uint64_t frameHops{0};      //!< 0 with flows
    uint64_t solves{0};         //!< times that rates were found; 0 with frames
    uint64_t touchedClasses{0}; //!< whose rates were found anew, over all solves; 0 with frames
};

/**
 * \param text a descriptor without a sweep
 * \param sets changes of it, KEY=VALUE
 * \throws DescriptorError with everything that is wrong
 */
Experiment MakeBenchExperiment(const std::string& text, const std::vector<std::string>& sets = {});

/// Runs an experiment that has no failures, records nothing, and reports nothing but its speed.
ExperimentRun RunBenchExperiment(const Experiment& experiment);

} // namespace ns3::rails

#endif // BENCH_EXPERIMENT_H
