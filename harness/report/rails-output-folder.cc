// SPDX-License-Identifier: GPL-2.0-only
#include "rails-output-folder.h"

#include "file-lock.h"
#include "rails-result-reader.h"
#include "rails-result-writer.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <iterator>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace ns3::rails
{

namespace
{

namespace fs = std::filesystem;

/// Names of files that belong to a result and are removed with it.
using FileNames = std::set<std::string>;

/// \return true for figures, indexes and reports, which may be in a folder without a result
bool
IsMadeOfResults(const std::string& name)
{
    const fs::path file = name;
    return name == "figures" || name == "index.sqlite" || name == "report.html" ||
           (name.rfind("report-", 0) == 0 && file.extension() == ".html");
}

/// \return true for possible file names of a new result
bool
IsOfResult(const std::string& name)
{
    const std::vector<std::string>& names = GetResultFiles();
    return std::find(names.begin(), names.end(), name) != names.end() || name == kEarlierResult ||
           fs::path(name).extension() == ".pcap";
}

fs::file_type
GetType(const fs::path& path)
{
    std::error_code ignored;
    return fs::symlink_status(path, ignored).type();
}

bool
IsFile(const fs::path& path)
{
    return GetType(path) == fs::file_type::regular;
}

/// \return true for a result or the record of a failure, whole or not
bool
IsRecord(const nlohmann::json& json)
{
    return json.is_object() && json.contains("status") && json.contains("config") &&
           (json.contains("fingerprint") || json.contains("reason"));
}

/**
 * Adds the files that a result lists, if they exist with the listed size.
 * \param isAnySize accept any size
 * \return false when the list is damaged
 */
bool
AddArtefacts(const nlohmann::json& result, const fs::path& folder, bool isAnySize, FileNames& names)
{
    const nlohmann::json artefacts = result.value("artefacts", nlohmann::json::array());
    bool isList = artefacts.is_array();
    for (const nlohmann::json& artefact : artefacts)
    {
        const nlohmann::json none;
        const nlohmann::json file = artefact.is_object() ? artefact.value("file", none) : none;
        const nlohmann::json bytes = artefact.is_object() ? artefact.value("bytes", none) : none;
        const std::string name = file.is_string() ? file.get<std::string>() : "";
        isList = isList && !name.empty();
        std::error_code ignored;
        if (!name.empty() && fs::path(name).filename() == name && IsFile(folder / name) &&
            (isAnySize || fs::file_size(folder / name, ignored) == bytes))
        {
            names.insert(name);
        }
    }
    return isList;
}

/**
 * \param isPoint of a sweep, where files of a damaged result may be removed, too
 * \return files of a result or a recorded failure in a folder; no other file may be removed
 */
FileNames
ListOwnFiles(const fs::path& folder, bool isPoint)
{
    FileNames names;
    for (const char* record : {"result.json", "failure.json", kEarlierResult})
    {
        if (!IsFile(folder / record))
        {
            continue;
        }
        const nlohmann::json json = ReadJsonFile(folder / record);
        bool isWhole = IsRecord(json);
        if (isWhole)
        {
            names.insert(record);
            isWhole = AddArtefacts(json, folder, isPoint, names);
        }
        if (!isWhole && isPoint) // cut by a power failure, say
        {
            std::copy_if(GetResultFiles().begin(),
                         GetResultFiles().end(),
                         std::inserter(names, names.end()),
                         [&folder](const std::string& name) { return IsFile(folder / name); });
        }
    }
    return names;
}

/**
 * \return files of the result in a folder; nothing without a result
 * \throws OutputError when a new result may not be put there
 */
FileNames
CheckContent(const fs::path& path, bool force, bool isPoint)
{
    std::error_code error;
    if (!fs::exists(path, error))
    {
        return {};
    }
    if (!fs::is_directory(path, error))
    {
        throw OutputError(path, "this is a file; a result needs a folder");
    }
    FileNames own = ListOwnFiles(path, isPoint);
    for (const fs::directory_entry& entry : fs::directory_iterator(path, error))
    {
        const std::string name = entry.path().filename().string();
        if (own.count(name) > 0 || IsMadeOfResults(name) || FindWriter(name))
        {
            continue;
        }
        if (own.empty() || IsOfResult(name))
        {
            throw OutputError(path,
                              "the folder holds something that is not part of a result (" + name +
                                  ") and is not replaced; move it or the folder away, or choose "
                                  "another one by --out");
        }
    }
    if (error)
    {
        throw OutputError(path, "the folder cannot be read (" + error.message() + ")");
    }
    if (!own.empty() && !force)
    {
        throw OutputError(path, "the folder is not empty; --force replaces the result in it");
    }
    return own;
}

/**
 * Forces a file or folder to disk.
 * \throws OutputError
 */
void
Synchronise(const fs::path& path)
{
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    // EINVAL: the file system does not support it for folders.
    const bool failed = file < 0 || (fsync(file) != 0 && errno != EINVAL);
    const std::error_code error(errno, std::generic_category());
    if (file >= 0)
    {
        close(file);
    }
    if (failed)
    {
        throw OutputError(path, "cannot be written to the disk", error);
    }
}

/**
 * Adds a file or folder to another folder, too (by hard links, if the file system has them).
 * \param isLast the other folder already has it, unless it is new or no file
 * \throws OutputError
 */
void
TakeOverEntry(const fs::path& from, const fs::path& to, bool isLast)
{
    const fs::file_type type = GetType(from);
    const bool isThere = GetType(to) != fs::file_type::not_found;
    bool isCopied = false;
    std::error_code error;
    if (isThere && !(type == fs::file_type::directory && GetType(to) == type))
    {
        error = isLast ? error : std::make_error_code(std::errc::file_exists);
    }
    else if (type == fs::file_type::directory)
    {
        fs::create_directory(to, error);
        for (const fs::directory_entry& entry : fs::directory_iterator(from))
        {
            TakeOverEntry(entry.path(), to / entry.path().filename(), isLast);
        }
        if (!isThere)
        {
            fs::permissions(to, fs::status(from).permissions(), error);
        }
    }
    else if (type == fs::file_type::regular)
    {
        fs::create_hard_link(from, to, error);
        if (error)
        {
            fs::copy_file(from, to, error);
            isCopied = !error;
        }
    }
    else if (type == fs::file_type::symlink)
    {
        fs::copy_symlink(from, to, error);
    }
    else if (isLast) // a pipe, say, of which there is one only
    {
        fs::rename(from, to, error);
    }
    if (error)
    {
        throw OutputError(from, "cannot be taken over", error);
    }
    if (isCopied)
    {
        Synchronise(to); // the other one will be removed
    }
}

/// Adds files that do not belong to a result to the folder of the new result.
void
TakeOver(const fs::path& from, const FileNames& own, const fs::path& to, bool isLast)
{
    for (const fs::directory_entry& entry : fs::directory_iterator(from))
    {
        const std::string name = entry.path().filename().string();
        const std::optional<WriterIdentity> writer = FindWriter(name);
        if (own.count(name) == 0 && !(writer && writer->GetState() == WriterState::Dead))
        {
            TakeOverEntry(entry.path(), to / name, isLast);
        }
    }
}

/**
 * Removes a hidden folder with a replaced or an uncommitted result.
 * \param own its files of a result
 * \param path of the result
 * \throws OutputError when other files in it cannot be added to the result's folder
 */
void
Discard(const fs::path& hidden, const FileNames& own, const fs::path& path)
{
    if (!own.empty() && fs::is_directory(path))
    {
        TakeOver(hidden, own, path, true);
    }
    std::error_code ignored;
    fs::remove_all(hidden, ignored);
}

/// Restores a half-replaced result, unless the new one is in its place.
void
PutBack(const fs::path& former, const fs::path& path)
{
    std::error_code error;
    fs::rename(former, path, error); // into an empty folder, too
    if (!error || error == std::errc::no_such_file_or_directory)
    {
        return;
    }
    if (ReadResultJson(path).is_discarded())
    {
        throw OutputError(path,
                          "the earlier result, which is in " + former.string() +
                              ", cannot be put back",
                          error);
    }
    Discard(former, ListOwnFiles(former, false), path);
}

/// \return false when the file system does not support it
bool
Exchange(const fs::path& left, const fs::path& right)
{
#ifdef RENAME_EXCHANGE
    return renameat2(AT_FDCWD, left.c_str(), AT_FDCWD, right.c_str(), RENAME_EXCHANGE) == 0;
#else
    return false;
#endif
}

/// \return true for a living process of this machine
bool
IsAlive(const PartialPath& partial)
{
    return partial.writer.GetState() == WriterState::Living;
}

bool
IsDead(const PartialPath& partial)
{
    return partial.writer.GetState() == WriterState::Dead;
}

/// \return an absolute path without links
fs::path
MakePath(const std::string& path)
{
    std::error_code error;
    fs::path made = fs::weakly_canonical(fs::absolute(path, error), error);
    if (error || made.empty())
    {
        throw OutputError(path, "not a usable path" + (error ? " (" + error.message() + ")" : ""));
    }
    return made.filename().empty() ? made.parent_path() : made; // a slash at the end
}

/// Locked while a result is committed, and while partial results are removed.
std::mutex&
GetMutex()
{
    static std::mutex mutex;
    return mutex;
}

} // namespace

const std::vector<std::string>&
GetResultFiles()
{
    static const std::vector<std::string> names{"result.json",
                                                "failure.json",
                                                "messages.csv",
                                                "circuits.csv",
                                                "queues.csv",
                                                "links.csv",
                                                "timeline.json",
                                                "plans.csv",
                                                "gpu_loads.csv",
                                                "placement.csv"};
    return names;
}

void
ForceToDisk(const fs::path& folder)
{
    const int file = open(folder.c_str(), O_RDONLY | O_CLOEXEC);
    if (file >= 0)
    {
#ifdef __linux__
        syncfs(file);
#else
        sync();
#endif
        close(file);
    }
}

void
OutputFolder::Check(const std::string& path, bool force)
{
    CheckContent(MakePath(path), force, false);
}

void
OutputFolder::RemovePartial(const std::string& path)
{
    const std::lock_guard<std::mutex> guard(GetMutex());
    const WriterIdentity own = WriterIdentity::OfThisProcess();
    for (const PartialPath& partial : FindPartialPaths(MakePath(path)))
    {
        if (partial.writer == own && !partial.isFormer)
        {
            std::error_code ignored;
            fs::remove_all(partial.path, ignored);
        }
    }
}

OutputFolder::OutputFolder(fs::path path, bool isPoint)
    : m_path(std::move(path)),
      m_isPoint(isPoint)
{
}

// The delegated constructor makes the object complete, so the destructor runs after an exception.
OutputFolder::OutputFolder(const std::string& path, bool force, bool isPoint)
    : OutputFolder(MakePath(path), isPoint)
{
    if (isPoint && GetType(path) == fs::file_type::symlink)
    {
        throw OutputError(path, "it is a link, where a sweep has the folder of a point; remove it");
    }
    Recover(m_path);
    CheckContent(m_path, force, isPoint);
    std::error_code error;
    fs::create_directories(m_path.parent_path(), error);
    if (error)
    {
        throw OutputError(path, "the folder cannot be made", error);
    }
    // Of two processes that start at the same time, one sees the other.
    std::optional<FileLock> lock;
    if (!isPoint)
    {
        lock.emplace(m_path.parent_path(), O_DIRECTORY, false);
    }
    const fs::path work = MakePartialPath(m_path);
    if (!fs::create_directory(work, error))
    {
        throw OutputError(path, "no folder can be made beside it", error);
    }
    m_work = work;
    if (!isPoint)
    {
        RefuseSecond();
    }
}

OutputFolder::~OutputFolder()
{
    if (!m_committed && !m_work.empty())
    {
        std::error_code error;
        fs::remove_all(m_work, error);
    }
}

/// \throws OutputError when another process writes for the same place, or may do so
void
OutputFolder::RefuseSecond() const
{
    for (const PartialPath& partial : FindPartialPaths(m_path))
    {
        if (partial.path == m_work || IsDead(partial))
        {
            continue;
        }
        const bool isKnown = IsAlive(partial);
        const std::string remedy =
            isKnown
                ? "wait until it has ended"
                : "when it has ended, " + (partial.isFormer ? "rename " + partial.path.string() +
                                                                  " to " + m_path.string()
                                                            : "remove " + partial.path.string());
        throw OutputError(m_path,
                          std::string("another run ") + (isKnown ? "is" : "may be") +
                              " writing this result (" + partial.writer.Describe() + "); " +
                              remedy + ", or choose another folder by --out");
    }
}

void
OutputFolder::Commit(bool isForced)
{
    if (isForced)
    {
        for (const fs::directory_entry& file : fs::directory_iterator(m_work))
        {
            Synchronise(file.path());
        }
        Synchronise(m_work);
    }
    const std::lock_guard<std::mutex> guard(GetMutex());
    std::error_code error;
    // This replaces an empty folder too.
    fs::rename(m_work, m_path, error);
    m_committed = !error;
    if (error && fs::is_directory(m_path) && fs::is_directory(m_work))
    {
        Replace();
    }
    else if (error)
    {
        throw OutputError(m_path, "the result cannot be put in place", error);
    }
    if (isForced)
    {
        Synchronise(m_path.parent_path());
    }
}

/// Replaces another result, which stays in place until then, or is restored.
void
OutputFolder::Replace()
{
    const FileNames own = CheckContent(m_path, true, m_isPoint); // something may have come
    TakeOver(m_path, own, m_work, false);
    fs::path old = m_work;
    if (!Exchange(m_work, m_path))
    {
        old = MakeFormerPath(m_work);
        std::error_code error;
        fs::rename(m_path, old, error);
        if (!error)
        {
            fs::rename(m_work, m_path, error);
        }
        if (error)
        {
            std::error_code ignored; // nothing was renamed, or it is put back later
            fs::rename(old, m_path, ignored);
            throw OutputError(m_path, "the result cannot be put in place", error);
        }
    }
    m_committed = true;
    Discard(old, own, m_path);
}

bool
OutputFolder::IsSecond() const
{
    const auto getOrder = [](const WriterIdentity& writer) {
        return std::pair(writer.start, writer.process);
    };
    const auto own = getOrder(WriterIdentity::OfThisProcess());
    const std::vector<PartialPath> partials = FindPartialPaths(m_path);
    return std::any_of(partials.begin(), partials.end(), [&](const PartialPath& partial) {
        return getOrder(partial.writer) < own && IsAlive(partial);
    });
}

bool
OutputFolder::IsBeingWritten(const fs::path& path)
{
    const std::vector<PartialPath> partials = FindPartialPaths(path);
    return std::any_of(partials.begin(), partials.end(), IsAlive);
}

void
OutputFolder::Recover(const fs::path& path)
{
    const std::vector<PartialPath> partials = FindPartialPaths(path);
    const bool isQuiet = std::all_of(partials.begin(), partials.end(), IsDead);
    for (const PartialPath& partial : partials)
    {
        if (partial.isFormer && isQuiet) // or it may be about to be put back
        {
            PutBack(partial.path, path);
        }
    }
    for (const PartialPath& partial : partials)
    {
        if (!partial.isFormer && IsDead(partial))
        {
            Discard(partial.path, ListOwnFiles(partial.path, false), path);
        }
    }
}

} // namespace ns3::rails
