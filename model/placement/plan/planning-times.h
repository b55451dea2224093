// SPDX-License-Identifier: GPL-2.0-only
#ifndef PLANNING_TIMES_H
#define PLANNING_TIMES_H

#include "expert-policy.h"
#include "expert-setting.h"

#include <optional>
#include <string>

namespace ns3::rails
{

/**
 * \return type and non-default keys of a policy, except planning_time: its name in tables of
 *     planning times
 */
std::string DescribePolicy(const ExpertPolicy& policy);

/// Common rule for planning times of all policies; without entries, each policy's declared time
/// counts.
struct PlanningRule
{
    std::string key; //!< key of `seconds`
    std::optional<double> seconds{};
    std::string pathKey; //!< key of `path`
    /// Path of a table of measured times, so that runs repeat. The CSV file has the columns policy
    /// (DescribePolicy()), experts, gpus (planned together), planning_ns and measured_on, as
    /// written by `./rails index DIR --planning FILE`.
    std::optional<std::string> path{};
};

/**
 * \param rule for all policies
 * \param policy that is charged
 * \param setting its experts, and its GPUs that are planned together
 * \return the charge; nothing if the policy's declared time counts, or it plans nothing
 * \throws ConfigurationError with the key of the table when the file is invalid, lacks the policy's
 *     time, or `seconds` is given as well
 */
std::optional<PlanningCharge> ChargePlanning(const PlanningRule& rule,
                                             const ExpertPolicy& policy,
                                             const ExpertSetting& setting);

} // namespace ns3::rails

#endif // PLANNING_TIMES_H
