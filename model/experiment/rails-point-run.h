// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_POINT_RUN_H
#define RAILS_POINT_RUN_H

#include "rails-runner.h"

#include <cstddef>
#include <filesystem>
#include <string>

namespace ns3::rails
{

/// What is in the folder of a point before it is run.
enum class PointState
{
    Missing, //!< no whole result
    Whole,   //!< the result of this very configuration
    Other    //!< the result of another configuration
};

/**
 * \param folder folder of the point
 * \param effective its effective configuration
 * \param [out] difference for Other: the first key that differs, and how
 */
PointState FindPointState(const std::filesystem::path& folder,
                          const std::string& effective,
                          std::string& difference);

/**
 * Runs one experiment in this process and writes its result. What goes wrong is printed to standard
 * error; nothing is thrown.
 * \param descriptor the descriptor
 * \param point which point of it
 * \param options where to and whether to replace; the number of processes does not matter
 * \param scenario what runs an experiment
 * \param progress shown while it runs, possibly none
 * \return the exit status
 */
int RunPoint(const Descriptor& descriptor,
             std::size_t point,
             const RunOptions& options,
             const ScenarioFunction& scenario,
             const ProgressCallback& progress);

} // namespace ns3::rails

#endif // RAILS_POINT_RUN_H
