// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_EXPLANATION_TABLE_H
#define RAILS_EXPLANATION_TABLE_H

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace ns3::rails
{

/// What there is to tell of results.
struct ExplainedResults
{
    std::string text;
    std::vector<std::string> damaged; //!< names of points of which nothing can be told
};

/**
 * Tells why runs took the multiple of their lower bound that they took, from the key `explain` of
 * their results: of a single run the chain of factors, what the NIC and the cable that finished
 * last did, and a sentence; of a sweep a row of factors for each point.
 * \param folder folder of a result or of a sweep
 * \param accepts says of a result, or of the record of a failure, whether to tell of it; without it
 * of all. What has neither is told of only without it
 * \throws OutputError when there is no result in it, or the only one has nothing to tell
 */
ExplainedResults ExplainResults(const std::filesystem::path& folder,
                                const std::function<bool(const nlohmann::json&)>& accepts = {});

} // namespace ns3::rails

#endif // RAILS_EXPLANATION_TABLE_H
