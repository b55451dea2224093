// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_POINT_FAILURE_H
#define RAILS_POINT_FAILURE_H

#include "rails-run-options.h"
#include "rails-sweep-plan.h"

#include "ns3/rails-descriptor.h"
#include "ns3/rails-sweep-folder.h"

#include <string>
#include <vector>

namespace ns3::rails
{

/// Why a point has no result.
struct PointFailure
{
    int status{0}; //!< exit status
    std::string reason;
    unsigned attempts{1};               //!< number of runs
    double seconds{0};                  //!< duration of the last run
    std::vector<std::string> lastLines; //!< of the standard error of its process
};

/**
 * Records why a point has no result as `failure.json` in the folder of the point, with the command
 * that repeats the point.
 * \param planned the point
 * \param options of the sweep
 * \param folder of the sweep
 * \throws OutputError
 */
void RecordFailure(const PointFailure& failure,
                   const PlannedPoint& planned,
                   const Descriptor& descriptor,
                   const RunOptions& options,
                   const SweepFolder& folder);

} // namespace ns3::rails

#endif // RAILS_POINT_FAILURE_H
