// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_EXPLANATION_TABLE_H
#define RAILS_EXPLANATION_TABLE_H

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ns3::rails
{

/// The explanations of results as text.
struct ExplainedResults
{
    std::string text;
    std::map<std::string, std::string> damaged; //!< why a point has no explanation, by name
};

/**
 * Explains the normalized completion time of runs, from the key `explain` of their results. A
 * single run gets the chain of factors, the activity of the NIC and the link that finished last,
 * and a sentence. A sweep gets a row of factors for each point.
 * \param folder folder of a result or of a sweep
 * \param accepts selects by result.json or failure.json; empty: all points, also points without
 * either file
 * \throws OutputError when there is no result, or the only result has no explanation
 */
ExplainedResults ExplainResults(const std::filesystem::path& folder,
                                const std::function<bool(const nlohmann::json&)>& accepts = {});

} // namespace ns3::rails

#endif // RAILS_EXPLANATION_TABLE_H
