// SPDX-License-Identifier: GPL-2.0-only
#include "rails-sweep-folder.h"

#include "index-file.h"
#include "rails-output-folder.h"
#include "rails-result-reader.h"
#include "rails-result-writer.h"
#include "rails-shell-word.h"
#include "rails-version.h"

#include "ns3/published-path.h"
#include "ns3/rails-sha256.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
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
            std::string key = pointer.empty() ? pointer : pointer.substr(1); // of an empty object
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

/// \return the differences between the versions of a result and of this program, for people
std::string
DescribeMaker(const VersionInfo& there, const VersionInfo& here)
{
    if (there.module != here.module || there.ns3 != here.ns3)
    {
        return "rails " + there.module + " with ns-3 " + there.ns3;
    }
    for (const auto* side : {&there.libraries, &here.libraries})
    {
        const auto& other = side == &there.libraries ? here.libraries : there.libraries;
        for (const auto& [name, hash] : *side)
        {
            const auto same = other.find(name);
            if (same == other.end())
            {
                return "another library of components (" + name + ")";
            }
            if (same->second != hash)
            {
                return "another build of " + name;
            }
        }
    }
    return "another build of rails " + there.module;
}

/// \return the kind of experiment of a configuration
ExperimentKind
GetKind(const nlohmann::json& config)
{
    for (const Section& section : GetSections())
    {
        if (section.kind == ExperimentKind::ExpertStudy && config.contains(section.name))
        {
            return section.kind;
        }
    }
    return ExperimentKind::Simulation;
}

/**
 * \param moves renames of folders
 * \return further renames of folders in the way, such as the record of a failure: they get the
 * names that become free
 */
std::vector<std::pair<std::string, std::string>>
FindObstacles(const std::vector<std::pair<std::string, std::string>>& moves)
{
    std::map<std::string, std::string> targets;
    std::map<std::string, std::string> sources;
    for (const auto& [from, to] : moves)
    {
        targets[from] = to;
        sources[to] = from;
    }
    std::vector<std::pair<std::string, std::string>> obstacles;
    for (const auto& [to, from] : sources)
    {
        if (targets.count(to) > 0)
        {
            continue;
        }
        std::string free = from;
        for (auto found = sources.find(free); found != sources.end(); found = sources.find(free))
        {
            free = found->second;
        }
        obstacles.emplace_back(to, free);
    }
    return obstacles;
}

/// \throws OutputError when a folder to write into is a link or no folder
void
RefuseLink(const fs::path& folder)
{
    const fs::file_type type = fs::symlink_status(folder).type();
    if (type != fs::file_type::directory && type != fs::file_type::not_found)
    {
        throw OutputError(folder, "it is no folder, and nothing is written into it; remove it");
    }
}

/// Renames a result so that readers ignore it.
void
PutAside(const fs::path& folder)
{
    const fs::path aside = folder / kEarlierResult;
    CheckReplaceable(
        aside,
        [](const fs::path& file) {
            const nlohmann::json json = ReadJsonFile(file);
            return json.is_object() && json.contains("fingerprint");
        },
        "it is no result, and not replaced: rename it");
    std::error_code ignored; // there may be none
    fs::rename(folder / "result.json", aside, ignored);
}

/// \return a configuration without keys that do not affect the result
nlohmann::json
WithoutName(nlohmann::json config)
{
    config.erase("name");
    return config;
}

} // namespace

std::string
HashConfig(nlohmann::json config)
{
    return ComputeSha256(WithoutName(std::move(config)).dump());
}

std::string
SweepSnapshot::Hash() const
{
    // Texts of a folder need not be UTF-8 when they were made elsewhere.
    return ComputeSha256(nlohmann::json{source, text, sets}
                             .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

SweepSnapshot
MakeSnapshot(const DescriptorText& text)
{
    SweepSnapshot snapshot;
    snapshot.source = fs::absolute(text.source).lexically_normal().string();
    snapshot.text = text.text;
    snapshot.sets = text.sets;
    return snapshot;
}

std::string
MakeRunCommand(const SweepSnapshot& snapshot, const std::vector<std::string>& libraries)
{
    // The launcher passes the name that it was called by.
    const char* launcher = std::getenv("RAILS_LAUNCHER");
    std::string command =
        QuoteForShell(launcher ? launcher : fs::read_symlink("/proc/self/exe").string()) + " run " +
        QuoteForShell(snapshot.source);
    for (const std::string& library : libraries)
    {
        command += " --with " + QuoteForShell(library);
    }
    for (const std::string& set : snapshot.sets)
    {
        command += " --set " + QuoteForShell(set);
    }
    return command;
}

SweepFolder::SweepFolder(fs::path path)
    : m_path(std::move(path))
{
}

SweepFolder
SweepFolder::OfOneRun(fs::path path)
{
    SweepFolder folder(std::move(path));
    folder.m_isOneRun = true;
    return folder;
}

fs::path
SweepFolder::GetPointFolder(const std::string& name) const
{
    return m_isOneRun ? m_path : m_path / name;
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
    CheckStateFolder();
    CheckIndexFile(m_path);
    CheckReplaceable(
        m_path / "points.json",
        [this](const fs::path&) { return HasSnapshot() || HasPointOfList(); },
        "no sweep has written it, and it is not replaced: rename it, or choose "
        "another folder by --out");
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

bool
SweepFolder::IsInterrupted() const
{
    return HasFormerPaths(m_isOneRun ? m_path.parent_path() : m_path);
}

void
SweepFolder::Recover(const std::vector<std::string>& names) const
{
    for (const std::string& name : names)
    {
        OutputFolder::Recover(GetPointFolder(name));
    }
}

/// \throws OutputError when the state of the sweep would be written elsewhere
void
SweepFolder::CheckStateFolder() const
{
    RefuseLink(GetStateFolder());
    RefuseLink(GetStateFolder() / "slurm");
}

/// \return true when a sweep was started in the folder
bool
SweepFolder::HasSnapshot() const
{
    const nlohmann::json json = ReadJsonFile(GetStateFolder() / "sweep.json");
    return json.is_object() && json.contains("text");
}

/// \return true when there is a point that `points.json` names
bool
SweepFolder::HasPointOfList() const
{
    const std::vector<std::string> points = ReadPoints();
    return std::any_of(points.begin(), points.end(), [this](const std::string& name) {
        return !ReadResultJson(m_path / name).is_discarded();
    });
}

/// \return the folder of a point, which is no link
fs::path
SweepFolder::GetOwnFolder(const std::string& name) const
{
    const fs::path folder = GetPointFolder(name);
    if (!m_isOneRun)
    {
        RefuseLink(folder);
    }
    return folder;
}

/// \return the kind of experiment of any result in the folder; nothing without a result
std::optional<ExperimentKind>
SweepFolder::FindKind() const
{
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(m_path, error))
    {
        const nlohmann::json json = ReadResultJson(entry.path());
        if (json.is_object() && json.contains("config"))
        {
            return GetKind(json.at("config"));
        }
    }
    return std::nullopt;
}

void
SweepFolder::CheckKind(ExperimentKind kind) const
{
    const std::optional<ExperimentKind> there = FindKind();
    if (!there || *there == kind)
    {
        return;
    }
    const auto name = [](ExperimentKind which) {
        return which == ExperimentKind::ExpertStudy ? "studies of policies for experts"
                                                    : "simulations";
    };
    throw OutputError(m_path,
                      std::string("the folder holds results of ") + name(*there) + ", and " +
                          name(kind) + " do not belong with them; choose another one by --out");
}

PointRecord
SweepFolder::Find(const std::string& name,
                  const Experiment& experiment,
                  const VersionInfo& version,
                  RunKeys& keys) const
{
    const fs::path folder = GetPointFolder(name);
    PointRecord record;
    record.json = ReadResultJson(folder);
    if (record.json.is_discarded())
    {
        const nlohmann::json failure = ReadFailureJson(folder);
        record.json = failure.is_object() ? failure : nlohmann::json();
        const bool isOwn = failure.is_object() && failure.value("key", "") == experiment.key;
        record.state = isOwn ? PointState::Failed : PointState::Missing;
        return record;
    }
    const std::string key = record.json.value("key", "");
    if (key == experiment.key)
    {
        record.state = PointState::Done;
        return record;
    }
    const nlohmann::json there = WithoutName(record.json.at("config"));
    const nlohmann::json here = nlohmann::json::parse(experiment.canonicalConfig);
    if (there != here)
    {
        record.state = PointState::OtherConfig;
        record.difference = DescribeDifference(there, here);
        return record;
    }
    const VersionInfo maker = ReadVersionJson(record.json.value("version", nlohmann::json()));
    record.maker = DescribeMaker(maker, version);
    // Another version may compute its keys differently.
    const bool isOfVersion = maker.module == version.module && maker.ns3 == version.ns3;
    record.state = isOfVersion && key != keys.Compute(experiment, maker) ? PointState::OtherInput
                                                                         : PointState::OtherMaker;
    return record;
}

std::vector<std::string>
SweepFolder::ListFolders() const
{
    std::vector<std::string> folders;
    if (m_isOneRun)
    {
        return folders;
    }
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(m_path, error))
    {
        const std::string name = entry.path().filename().string();
        if (name.front() != '.' && (fs::exists(entry.path() / "result.json", error) ||
                                    fs::exists(entry.path() / "failure.json", error)))
        {
            folders.push_back(name);
        }
    }
    std::sort(folders.begin(), folders.end());
    return folders;
}

std::map<std::string, std::string>
SweepFolder::IndexConfigs() const
{
    std::map<std::string, std::string> folders;
    for (const std::string& name : ListFolders())
    {
        nlohmann::json json = ReadResultJson(m_path / name);
        json = json.is_object() ? json : ReadFailureJson(m_path / name);
        if (json.is_object() && json.contains("config"))
        {
            folders.emplace(HashConfig(json.at("config")), name);
        }
    }
    return folders;
}

void
SweepFolder::Rename(std::vector<std::pair<std::string, std::string>> moves) const
{
    const auto exists = [this](const std::string& name) {
        std::error_code error;
        return fs::exists(m_path / name, error);
    };
    const auto rename = [this](const std::string& from, const std::string& to) {
        std::error_code error;
        fs::rename(m_path / from, m_path / to, error);
        if (error)
        {
            throw OutputError(m_path / from,
                              "it cannot be renamed to " + to + " (" + error.message() + ")");
        }
    };
    for (const auto& [from, to] : FindObstacles(moves))
    {
        if (exists(from))
        {
            moves.emplace_back(from, to);
        }
    }
    // Not hidden: after an interrupt the next sweep finds its result.
    const std::string mark = ",aside";
    std::set<std::string> aside;
    while (!moves.empty())
    {
        const auto free = std::find_if(moves.begin(), moves.end(), [&](const auto& move) {
            return !exists(move.second);
        });
        if (free != moves.end())
        {
            rename(free->first, free->second);
            moves.erase(free);
            continue;
        }
        // A cycle of renames: one folder is renamed temporarily.
        const auto there = std::find_if(moves.begin(), moves.end(), [&](const auto& move) {
            return aside.count(move.first) == 0;
        });
        if (there == moves.end())
        {
            throw OutputError(m_path / moves.front().second, "another point is in the way");
        }
        std::string name = there->first + mark;
        for (unsigned number = 2; exists(name); ++number)
        {
            name = there->first + mark + "-" + std::to_string(number);
        }
        rename(there->first, name);
        there->first = name;
        aside.insert(name);
    }
}

void
SweepFolder::WriteNames(const std::string& name, const nlohmann::ordered_json& names) const
{
    const fs::path file = GetOwnFolder(name) / "result.json";
    std::string fault;
    nlohmann::ordered_json json =
        nlohmann::ordered_json::parse(ReadJsonText(file, fault).value_or(""), nullptr, false);
    if (!json.is_object())
    {
        return; // another process is writing here
    }
    for (const std::string key : {"axes", "labels"})
    {
        if (names.contains(key))
        {
            json[key] = names.at(key);
        }
        else
        {
            json.erase(key);
        }
    }
    WriteFileAtOnce(file,
                    json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

std::optional<int>
SweepFolder::FindResult(const std::string& name, const std::string& key) const
{
    return FindResultStatus(GetPointFolder(name), key);
}

void
SweepFolder::WriteFailure(const std::string& name, const nlohmann::ordered_json& failure) const
{
    const fs::path folder = GetOwnFolder(name);
    std::error_code error;
    fs::create_directories(folder, error);
    // Replacement characters rather than an exception for a text that is not UTF-8.
    WriteFileAtOnce(folder / "failure.json",
                    failure.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
    PutAside(folder);
}

void
SweepFolder::Forget(const std::string& name, const std::string& key) const
{
    const fs::path folder = GetOwnFolder(name);
    std::error_code ignored;
    if (!ReadFailureJson(folder).is_discarded())
    {
        fs::remove(folder / "failure.json", ignored);
    }
    if (FindResult(name, key))
    {
        PutAside(folder);
    }
}

std::optional<int>
SweepFolder::FindEnd(const std::string& name, const std::string& key) const
{
    if (const std::optional<int> status = FindResult(name, key))
    {
        return status;
    }
    const nlohmann::json failure = ReadFailureJson(GetPointFolder(name));
    const bool isOwn = failure.is_object() && failure.value("key", "") == key;
    return isOwn ? std::optional<int>(failure.value("status", 0)) : std::nullopt;
}

void
SweepFolder::WriteSnapshot(const SweepSnapshot& snapshot) const
{
    nlohmann::ordered_json json;
    json["source"] = PublishPath(snapshot.source, m_path);
    json["text"] = snapshot.text;
    json["sets"] = snapshot.sets;
    json["name"] = snapshot.name;
    json["points"] = snapshot.points;
    json["options"] = snapshot.options;
    if (!snapshot.baseline.empty())
    {
        json["baseline"] = snapshot.baseline;
    }
    json["version"] = MakeVersionJson(GetVersionInfo());
    WriteFileAtOnce(GetStateFolder() / "sweep.json", json.dump(2) + "\n");
}

SweepSnapshot
SweepFolder::ReadSnapshot() const
{
    CheckStateFolder();
    const fs::path place = GetStateFolder() / "sweep.json";
    std::string fault;
    const nlohmann::json json = ReadJsonFile(place, fault);
    if (!json.is_object() || !json.contains("text"))
    {
        throw OutputError(m_path,
                          "this is not the folder of a sweep (.rails/sweep.json " +
                              (fault.empty() ? "has no descriptor" : fault) + ")");
    }
    const JsonMembers members(json, place);
    SweepSnapshot snapshot;
    snapshot.source = ResolvePath(members.GetText("source"), m_path);
    snapshot.text = members.GetText("text");
    snapshot.sets = members.GetTexts("sets");
    snapshot.name = members.GetText("name");
    snapshot.options = json.value("options", nlohmann::json::object());
    snapshot.program = ReadVersionJson(json.value("version", nlohmann::json())).program;
    return snapshot;
}

void
SweepFolder::WritePoints(const std::vector<std::string>& names) const
{
    WriteFileAtOnce(m_path / "points.json", nlohmann::json(names).dump(1) + "\n");
}

std::vector<std::string>
SweepFolder::ReadPoints() const
{
    const nlohmann::json json = ReadJsonFile(m_path / "points.json");
    std::vector<std::string> names;
    for (const nlohmann::json& name : json.is_array() ? json : nlohmann::json::array())
    {
        if (name.is_string() && IsPointName(name.get<std::string>()))
        {
            names.push_back(name.get<std::string>());
        }
    }
    return names;
}

void
SweepFolder::WriteSizes(const std::map<std::string, RunSize>& sizes) const
{
    nlohmann::json json = ReadJsonFile(GetSizesFile());
    json = json.is_object() ? json : nlohmann::json::object();
    for (const auto& [name, size] : sizes)
    {
        json[name] = {{"engine", size.engine}, {"seconds", size.seconds}, {"kind", size.kind}};
    }
    WriteFileAtOnce(GetSizesFile(), json.dump(1) + "\n");
}

std::map<std::string, RunSize>
SweepFolder::ReadSizes() const
{
    std::map<std::string, RunSize> sizes;
    const nlohmann::json json = ReadJsonFile(GetSizesFile());
    if (!json.is_object())
    {
        return sizes;
    }
    for (const auto& [name, size] : json.items())
    {
        const auto isText = [&size = size](const char* key) {
            return size.contains(key) && size.at(key).is_string();
        };
        if (size.is_object() && isText("engine") && isText("kind") && size.contains("seconds") &&
            size.at("seconds").is_number())
        {
            sizes[name] = {size.at("engine"), size.at("seconds"), size.at("kind")};
        }
    }
    return sizes;
}

fs::path
SweepFolder::GetSizesFile() const
{
    return GetStateFolder() / "sizes.json";
}

std::vector<std::string>
SweepFolder::ListEarlierPoints() const
{
    const std::vector<std::string> points = ReadPoints();
    const std::set<std::string> own(points.begin(), points.end());
    std::vector<std::string> earlier = own.empty() ? std::vector<std::string>() : ListFolders();
    earlier.erase(std::remove_if(earlier.begin(),
                                 earlier.end(),
                                 [&](const std::string& name) { return own.count(name) > 0; }),
                  earlier.end());
    return earlier;
}

} // namespace ns3::rails
