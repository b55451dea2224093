// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_POINT_RUN_H
#define RAILS_POINT_RUN_H

#include "rails-run-options.h"

#include "ns3/rails-descriptor.h"
#include "ns3/rails-version.h"

#include <cstddef>
#include <filesystem>
#include <string>

namespace ns3::rails
{

/// The outcome of a point's run.
struct PointOutcome
{
    int status{0};          //!< exit status
    bool isDiskFull{false}; //!< the disk was full, so the result was not written
    bool isYielded{false};  //!< not run, as another process has started it
};

/// The target of a point's run.
struct PointTarget
{
    std::filesystem::path folder;          //!< of its result
    std::string key;                       //!< see RunKeys
    VersionInfo version{GetVersionInfo()}; //!< of the program and libraries
    bool force{false};                     //!< replace an existing result
    /// The caller forces the results of short runs to disk together, and waits for points that
    /// another process runs.
    bool isOneOfMany{false};
    bool isRepeated{false}; //!< with isOneOfMany: run the point although it has a result
};

/**
 * Runs one experiment in this process and writes its result. Prints errors to standard error and
 * throws nothing.
 * \param point number in the descriptor
 * \param simulate runs an experiment
 * \param progress called during the run, possibly none
 */
PointOutcome RunPoint(const Descriptor& descriptor,
                      std::size_t point,
                      const PointTarget& target,
                      const ExperimentFunction& simulate,
                      const ProgressCallback& progress);

/**
 * \param simulate runs an experiment
 * \param options of the run; must outlive the returned function
 * \return a function that gives external policies their programs, then calls `simulate`
 */
ExperimentFunction GivePrograms(const ExperimentFunction& simulate, const RunOptions& options);

/**
 * \return memory in bytes that is available to a run now; 0 when unknown, or ignored by an option
 */
uint64_t FindMemoryLimit(const RunOptions& options);

/**
 * \param simulate runs an experiment
 * \param size estimates its size, possibly none
 * \param options of the run; must outlive the returned function
 * \return a function that rejects experiments beyond the available memory, then calls `simulate`
 */
ExperimentFunction LimitMemory(const ExperimentFunction& simulate,
                               const SizeFunction& size,
                               const RunOptions& options);

} // namespace ns3::rails

#endif // RAILS_POINT_RUN_H
