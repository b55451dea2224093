// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RESULT_READER_H
#define RAILS_RESULT_READER_H

#include "rails-result.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace ns3::rails
{

// Reads folders of results, which are untrusted input. Invalid files are reported; they cause no
// exception and no waiting.

/**
 * Reads a JSON text from a regular file of a bounded size.
 * \param [out] fault why there is no text: "result.json is missing", deep nesting, not a regular
 * file
 * \return the text, which may be invalid JSON
 */
std::optional<std::string> ReadJsonText(const std::filesystem::path& path, std::string& fault);

/// \return the JSON in a file; a discarded value when it is missing or not whole
nlohmann::json ReadJsonFile(const std::filesystem::path& path);

/// Reads the JSON in a file. \param [out] fault why the value is discarded
nlohmann::json ReadJsonFile(const std::filesystem::path& path, std::string& fault);

/**
 * \param folder folder of a result
 * \return its result.json; a discarded value when it is missing or not whole: a listed file is
 * missing or truncated, or a value has the wrong type
 */
nlohmann::json ReadResultJson(const std::filesystem::path& folder);

/// Reads a result.json. \param [out] fault why the value is discarded
nlohmann::json ReadResultJson(const std::filesystem::path& folder, std::string& fault);

/// \return failure.json of a point; a discarded value when it is missing or not whole
nlohmann::json ReadFailureJson(const std::filesystem::path& folder);

/**
 * \param folder folder of a result
 * \param key of the run, see RunKeys
 * \return status of the result; nothing unless it is whole and of this run
 */
std::optional<int> FindResultStatus(const std::filesystem::path& folder, const std::string& key);

/// \return the versions from MakeVersionJson(); a missing version is "unknown"
VersionInfo ReadVersionJson(const nlohmann::json& json);

/// \return true for the name of a folder inside a folder of results, never a path that leads out of
/// it
bool IsPointName(const std::string& name);

/// Typed access to the members of a JSON object.
class JsonMembers
{
  public:
    /**
     * \param json an object; another value has no members
     * \param place its file, for errors
     */
    JsonMembers(nlohmann::json json, std::filesystem::path place);

    /// \return a member, or `usual` when it is missing
    /// \throws OutputError when the member has another type
    std::string GetText(const std::string& key, const std::string& usual = "") const;
    std::vector<std::string> GetTexts(const std::string& key) const;
    bool GetFlag(const std::string& key, bool usual) const;
    JsonMembers GetMembers(const std::string& key) const;

    /// \return a number, or `usual` when it is missing
    /// \param least, most range of the number
    /// \throws OutputError when the member has another type or is out of range
    template <typename Number>
    Number GetNumber(const std::string& key, Number usual, double least, double most) const
    {
        const nlohmann::json value = Find(key);
        const bool isOfKind =
            std::is_integral_v<Number> ? value.is_number_integer() : value.is_number();
        if (value.is_null())
        {
            return usual;
        }
        if (!isOfKind || !(value.get<double>() >= least && value.get<double>() <= most))
        {
            Fail(key, "a number in its range");
        }
        return value.get<Number>();
    }

  private:
    nlohmann::json Find(const std::string& key) const;
    [[noreturn]] void Fail(const std::string& key, const std::string& expected) const;

    nlohmann::json m_json;
    std::filesystem::path m_place;
};

} // namespace ns3::rails

#endif // RAILS_RESULT_READER_H
