// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RESULT_WRITER_H
#define RAILS_RESULT_WRITER_H

#include "rails-result.h"

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// \return result.json: the result without its tables, with the fingerprint
nlohmann::ordered_json MakeResultJson(const Result& result);

/**
 * Adds the names of a point's values: `axes` and `labels`, unless they are empty.
 * \param axes labels in the names of folders, by axis
 * \param labels from the user, by key
 * \param [in,out] json of a result or a failure
 */
void WriteNames(const std::vector<std::pair<std::string, std::string>>& axes,
                const std::map<std::string, std::string>& labels,
                nlohmann::ordered_json& json);

nlohmann::ordered_json MakeVersionJson(const VersionInfo& version);

/**
 * Writes result.json and the requested tables (messages.csv, queues.csv, links.csv, timeline.json).
 * \param folder an existing folder
 * \throws OutputError when a file cannot be written whole
 */
void WriteResult(const Result& result, const std::filesystem::path& folder);

} // namespace ns3::rails

#endif // RAILS_RESULT_WRITER_H
