// SPDX-License-Identifier: GPL-2.0-only
#include "rails-sweep-folder.h"

#include "ns3/rails-output-folder.h"
#include "ns3/rails-result-writer.h"
#include "ns3/rails-version.h"

#include <cerrno>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace ns3::rails
{

namespace
{

namespace fs = std::filesystem;

/// \return "transport.mtu: "4096B" there, "1024B" here"
std::string
DescribeDifference(const nlohmann::json& there, const nlohmann::json& here)
{
    const nlohmann::json left = there.flatten();
    const nlohmann::json right = here.flatten();
    const auto valueOf = [](const nlohmann::json& flat, const std::string& key) {
        return flat.contains(key) ? flat.at(key).dump() : std::string("nothing");
    };
    for (const nlohmann::json* side : {&left, &right})
    {
        for (const auto& [pointer, value] : side->items())
        {
            if (valueOf(left, pointer) == valueOf(right, pointer))
            {
                continue;
            }
            std::string key = pointer.substr(1);
            for (char& letter : key)
            {
                letter = letter == '/' ? '.' : letter;
            }
            return key + ": " + valueOf(left, pointer) + " there, " + valueOf(right, pointer) +
                   " here";
        }
    }
    return "";
}

/// \return a configuration without what has no influence on the result
nlohmann::json
WithoutName(nlohmann::json config)
{
    config.erase("name");
    return config;
}

} // namespace

SweepFolder::SweepFolder(fs::path path)
    : m_path(std::move(path))
{
}

const fs::path&
SweepFolder::GetPath() const
{
    return m_path;
}

fs::path
SweepFolder::GetPointFolder(const std::string& name) const
{
    return m_path / name;
}

fs::path
SweepFolder::GetStateFolder() const
{
    return m_path / ".rails";
}

void
SweepFolder::Prepare() const
{
    std::error_code error;
    if (fs::exists(m_path / "result.json", error))
    {
        throw OutputError(m_path,
                          "the folder holds the result of a single run; choose another one by "
                          "--out");
    }
    fs::create_directories(GetStateFolder(), error);
    if (!error && access(m_path.c_str(), W_OK | X_OK) != 0)
    {
        error.assign(errno, std::generic_category());
    }
    if (error)
    {
        throw OutputError(m_path, "the folder cannot be written to (" + error.message() + ")");
    }
}

PointRecord
SweepFolder::Find(const std::string& name, const Experiment& experiment) const
{
    const fs::path folder = GetPointFolder(name);
    PointRecord record;
    record.json = ReadResultJson(folder);
    if (record.json.is_discarded())
    {
        const nlohmann::json failure = ReadJsonFile(folder / "failure.json");
        record.json = failure.is_object() ? failure : nlohmann::json();
        const bool isOwn = failure.is_object() && failure.value("key", "") == experiment.key;
        record.state = isOwn ? PointState::Failed : PointState::Missing;
        return record;
    }
    const nlohmann::json version = record.json.value("version", nlohmann::json::object());
    const VersionInfo& own = GetVersionInfo();
    if (record.json.value("key", "") == experiment.key)
    {
        record.state = PointState::Done;
        record.isOtherBuild = version.value("program", "") != own.program;
        return record;
    }
    const nlohmann::json there = WithoutName(record.json.at("config"));
    const nlohmann::json here = WithoutName(nlohmann::json::parse(experiment.effective));
    if (there != here)
    {
        record.state = PointState::OtherConfig;
        record.difference = DescribeDifference(there, here);
        return record;
    }
    const bool sameVersion =
        version.value("module", "") == own.module && version.value("ns3", "") == own.ns3;
    record.state = sameVersion && record.json.contains("key") ? PointState::OtherInput
                                                              : PointState::OtherVersion;
    return record;
}

std::optional<int>
SweepFolder::FindResult(const std::string& name, const std::string& key) const
{
    return FindResultStatus(GetPointFolder(name), key);
}

void
SweepFolder::WriteFailure(const std::string& name, const nlohmann::ordered_json& failure) const
{
    const fs::path folder = GetPointFolder(name);
    std::error_code error;
    fs::create_directories(folder, error);
    // Replacement characters rather than an exception for a text that is not UTF-8.
    WriteFileAtOnce(folder / "failure.json",
                    failure.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void
SweepFolder::Forget(const std::string& name, const std::string& key) const
{
    std::error_code ignored;
    fs::remove(GetPointFolder(name) / "failure.json", ignored);
    if (FindResult(name, key))
    {
        fs::remove(GetPointFolder(name) / "result.json", ignored);
    }
}

std::optional<int>
SweepFolder::FindEnd(const std::string& name, const std::string& key) const
{
    if (const std::optional<int> status = FindResult(name, key))
    {
        return status;
    }
    const nlohmann::json failure = ReadJsonFile(GetPointFolder(name) / "failure.json");
    const bool isOwn = failure.is_object() && failure.value("key", "") == key;
    return isOwn ? std::optional<int>(failure.value("status", 0)) : std::nullopt;
}

void
SweepFolder::WriteSnapshot(const SweepSnapshot& snapshot) const
{
    nlohmann::ordered_json json;
    json["source"] = snapshot.source;
    json["text"] = snapshot.text;
    json["sets"] = snapshot.sets;
    json["name"] = snapshot.name;
    json["points"] = snapshot.points;
    json["options"] = snapshot.options;
    json["version"] = MakeVersionJson(GetVersionInfo());
    WriteFileAtOnce(GetStateFolder() / "sweep.json", json.dump(2) + "\n");
}

SweepSnapshot
SweepFolder::ReadSnapshot() const
{
    const nlohmann::json json = ReadJsonFile(GetStateFolder() / "sweep.json");
    if (!json.is_object() || !json.contains("text"))
    {
        throw OutputError(m_path,
                          "this is not the folder of a sweep (.rails/sweep.json is missing)");
    }
    return {json.value("source", ""),
            json.value("text", ""),
            json.value("sets", std::vector<std::string>()),
            json.value("name", ""),
            json.value("points", std::size_t{0}),
            json.value("options", nlohmann::json::object())};
}

} // namespace ns3::rails
