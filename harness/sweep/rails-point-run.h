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

/// What became of a run.
struct PointOutcome
{
    int status{0};          //!< exit status
    bool isDiskFull{false}; //!< the result could not be written for want of space
    bool isYielded{false};  //!< not run, because another process has begun with it
};

/// Where and as what a point is run.
struct PointTarget
{
    std::filesystem::path folder;          //!< of its result
    std::string key;                       //!< see RunKeys
    VersionInfo version{GetVersionInfo()}; //!< what it is run with
    bool force{false};                     //!< a result that is there already is replaced
    /// The caller forces the results of short runs to disk together, and comes back to a point that
    /// another process is running.
    bool isOneOfMany{false};
    bool isRepeated{false}; //!< with isOneOfMany: the point is run although it had its result
};

/**
 * Runs one experiment in this process and writes its result. What goes wrong is printed to standard
 * error; nothing is thrown.
 * \param descriptor the descriptor
 * \param point which point of it
 * \param target where to
 * \param scenario what runs an experiment
 * \param progress shown while it runs, possibly none
 */
PointOutcome RunPoint(const Descriptor& descriptor,
                      std::size_t point,
                      const PointTarget& target,
                      const ScenarioFunction& scenario,
                      const ProgressCallback& progress);

/**
 * \param scenario runs an experiment
 * \param options of the run, which have to live as long as what is returned
 * \return the same, which gives external policies their programs before it begins
 */
ScenarioFunction GivePrograms(const ScenarioFunction& scenario, const RunOptions& options);

/**
 * \param options of the run
 * \return bytes of memory that the machine has for a run now; 0 when that cannot be told, or shall
 * not matter
 */
uint64_t FindMemoryLimit(const RunOptions& options);

/**
 * \param scenario runs an experiment
 * \param size how large it is, possibly none
 * \param options of the run, which have to live as long as what is returned
 * \return the same, which refuses what takes more memory than there is before it begins
 */
ScenarioFunction LimitMemory(const ScenarioFunction& scenario,
                             const SizeFunction& size,
                             const RunOptions& options);

} // namespace ns3::rails

#endif // RAILS_POINT_RUN_H
