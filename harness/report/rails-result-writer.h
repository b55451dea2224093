// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RESULT_WRITER_H
#define RAILS_RESULT_WRITER_H

#include "rails-result.h"

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// \return result.json: the result without its tables, with the fingerprint
nlohmann::ordered_json MakeResultJson(const Result& result);

/**
 * Writes what the values of a point are called: `axes` and `labels`, each where there is any.
 * \param axes labels in the names of folders, by axis
 * \param labels those that the user gave, by key
 * \param [in,out] json of a result or a failure
 */
void WriteNames(const std::vector<std::pair<std::string, std::string>>& axes,
                const std::map<std::string, std::string>& labels,
                nlohmann::ordered_json& json);

/// \return what a run was made with
nlohmann::ordered_json MakeVersionJson(const VersionInfo& version);

/// \return the versions that MakeVersionJson() wrote; a version that is missing is "unknown"
VersionInfo ReadVersionJson(const nlohmann::json& json);

/**
 * Writes result.json and the tables that are wanted (messages.csv, queues.csv, links.csv,
 * timeline.json).
 * \param result the result
 * \param folder an existing folder
 * \throws OutputError when a file cannot be written whole
 */
void WriteResult(const Result& result, const std::filesystem::path& folder);

/**
 * \param folder folder of a result
 * \return its result.json; a discarded value when there is none, or not a whole one: a file
 * that it names is missing or cut, or a value is not of its kind
 */
nlohmann::json ReadResultJson(const std::filesystem::path& folder);

/// \return the record of why a point has no result; a discarded value when there is none, or not a
/// whole one
nlohmann::json ReadFailureJson(const std::filesystem::path& folder);

/**
 * \param folder folder of a result
 * \param key what a run is known by
 * \return status of the result; nothing unless it is a whole one of this run
 */
std::optional<int> FindResultStatus(const std::filesystem::path& folder, const std::string& key);

/// \return the JSON in a file; a discarded value when there is none, or not a whole one
nlohmann::json ReadJsonFile(const std::filesystem::path& path);

} // namespace ns3::rails

#endif // RAILS_RESULT_WRITER_H
