// SPDX-License-Identifier: GPL-2.0-only
#include "rails-output-folder.h"

#include "ns3/rails-sha256.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <ios>
#include <memory>
#include <sstream>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

namespace fs = std::filesystem;

/// \return true for what is made of results: it is not in the way of another one, and stays
bool
IsMadeOfResults(const fs::path& file)
{
    const std::string name = file.filename().string();
    return name == "figures" || name == "index.sqlite" || name == "report.html" ||
           (name.rfind("report-", 0) == 0 && file.extension() == ".html");
}

/// \return true for what a result consists of
bool
IsOfResult(const fs::path& file)
{
    const std::string name = file.filename().string();
    const std::vector<std::string>& names = GetResultFiles();
    return std::find(names.begin(), names.end(), name) != names.end() || name == kEarlierResult ||
           file.extension() == ".pcap" ||
           name.rfind(".failure.json.partial-", 0) == 0; // of a process that was killed
}

/// \return the path that a user can do something about: the second of two is the target
const fs::path&
GetPlace(const fs::filesystem_error& error)
{
    return error.path2().empty() ? error.path1() : error.path2();
}

std::string
FindRemedy(const std::error_code& code)
{
    if (code == std::errc::filename_too_long)
    {
        return ": choose a shorter name";
    }
    if (code == std::errc::too_many_symbolic_link_levels)
    {
        return ": it is a link that leads to itself, remove it or name another place";
    }
    if (code == std::errc::is_a_directory)
    {
        return ": a file is to be written there, remove the folder";
    }
    return ": see to it, or name another place";
}

/// \return how the hidden folders for a place begin on this machine
std::string
GetPartialName(const fs::path& path)
{
    // With a name of a machine (64) and the rest it must not be longer than 255 bytes.
    constexpr std::size_t longest = 140;
    constexpr std::size_t digits = 12;
    std::string name = path.filename().string();
    if (name.size() > longest)
    {
        name = name.substr(0, longest - digits) + ComputeSha256(name).substr(0, digits);
    }
    return "." + name + ".partial-" + GetHostName() + "-";
}

/**
 * \return when a process was started, in ticks of the system: a later one may have the same number,
 * but not the same start. 0 where it cannot be told
 */
unsigned long long
GetStart(long process)
{
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(file, text);
    // The name, in brackets, may contain anything.
    std::istringstream fields(text.substr(std::min(text.size(), text.rfind(')') + 1)));
    constexpr int before = 19; // fields between the name and the start, see proc(5)
    std::string field;
    for (int i = 0; i < before; ++i)
    {
        fields >> field;
    }
    unsigned long long start = 0;
    fields >> start;
    return start;
}

/// A hidden file or folder that a process writes into.
struct Partial
{
    fs::path path;
    long process;
    unsigned long long start; //!< of the process
};

std::vector<Partial>
FindPartials(const fs::path& path)
{
    const std::string begin = GetPartialName(path);
    const fs::path parent = path.has_parent_path() ? path.parent_path() : ".";
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(parent.c_str()), closedir);
    std::vector<Partial> partials;
    // A large sweep has very many names here, so they are compared as they come.
    while (const dirent* entry = folder ? readdir(folder.get()) : nullptr)
    {
        if (std::strncmp(entry->d_name, begin.c_str(), begin.size()) == 0)
        {
            char* end = nullptr;
            const long process = std::strtol(entry->d_name + begin.size(), &end, 10);
            const unsigned long long start = *end == '-' ? std::strtoull(end + 1, nullptr, 10) : 0;
            partials.push_back({parent / entry->d_name, process, start});
        }
    }
    return partials;
}

bool
IsAlive(const Partial& partial)
{
    return partial.process > 0 && partial.process <= INT_MAX &&
           (kill(static_cast<pid_t>(partial.process), 0) == 0 || errno != ESRCH) &&
           GetStart(partial.process) == partial.start;
}

/**
 * Forces a file or folder to disk.
 * \throws OutputError
 */
void
Synchronise(const fs::path& path)
{
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    // File systems that cannot do it for a folder (EINVAL) need not.
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
 * Takes what was made of results over into the folder that takes the place of another. It is there
 * twice (by links, where the file system has them) until the other one is removed, so that it
 * outlives a process that is killed in between.
 * \throws OutputError
 */
void
TakeOver(const fs::path& from, const fs::path& to)
{
    for (const fs::directory_entry& entry : fs::directory_iterator(from))
    {
        const fs::path target = to / entry.path().filename();
        if (!IsMadeOfResults(entry.path()) || fs::exists(target))
        {
            continue;
        }
        constexpr auto all = fs::copy_options::recursive | fs::copy_options::copy_symlinks;
        std::error_code error;
        fs::copy(entry.path(), target, all | fs::copy_options::create_hard_links, error);
        if (error)
        {
            fs::remove_all(target, error);
            fs::copy(entry.path(), target, all, error);
        }
        if (error)
        {
            throw OutputError(entry.path(), "cannot be taken over", error);
        }
    }
}

/// \return false when the file system cannot do it
bool
Exchange(const fs::path& left, const fs::path& right)
{
#ifdef RENAME_EXCHANGE
    return renameat2(AT_FDCWD, left.c_str(), AT_FDCWD, right.c_str(), RENAME_EXCHANGE) == 0;
#else
    return false;
#endif
}

} // namespace

OutputError::OutputError(const fs::filesystem_error& error)
    : OutputError(GetPlace(error), "cannot be used" + FindRemedy(error.code()), error.code())
{
}

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

fs::path
MakePartialPath(const fs::path& path)
{
    return path.parent_path() / (GetPartialName(path) + std::to_string(getpid()) + "-" +
                                 std::to_string(GetStart(getpid())));
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
CheckFile(const fs::path& path)
{
    std::error_code ignored;
    const bool isNew = !fs::exists(path, ignored);
    errno = 0;
    const std::ofstream file(path, std::ios::binary | std::ios::app);
    if (!file)
    {
        throw OutputError(path,
                          "cannot be written",
                          {errno != 0 ? errno : EIO, std::generic_category()});
    }
    if (isNew)
    {
        fs::remove(path, ignored);
    }
}

std::string
GetHostName()
{
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    return host.data();
}

std::error_code
FindWriteError(const std::ios& file)
{
    return {file ? 0 : (errno != 0 ? errno : EIO), std::generic_category()};
}

void
WriteFileAtOnce(const fs::path& path, const std::string& text)
{
    std::error_code ignored;
    const fs::file_type type = fs::symlink_status(path, ignored).type();
    // A rename would put a file in the place of a link, a pipe or a device.
    const bool isReplaced = type == fs::file_type::regular || type == fs::file_type::not_found;
    OutputFolder::RemoveLeftovers(path);
    const fs::path fresh = isReplaced ? MakePartialPath(path) : path;
    errno = 0;
    std::ofstream file(fresh, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    std::error_code error = FindWriteError(file);
    if (!error && isReplaced)
    {
        Synchronise(fresh);
        fs::rename(fresh, path, error);
    }
    if (error)
    {
        if (isReplaced)
        {
            fs::remove(fresh, ignored);
        }
        throw OutputError(path, "cannot be written", error);
    }
}

/// \return an absolute path without links
fs::path
OutputFolder::MakePath(const std::string& path)
{
    std::error_code error;
    fs::path made = fs::weakly_canonical(fs::absolute(path, error), error);
    if (error || made.empty())
    {
        throw OutputError(path, "not a usable path" + (error ? " (" + error.message() + ")" : ""));
    }
    return made.filename().empty() ? made.parent_path() : made; // a slash at the end
}

void
OutputFolder::Check(const std::string& path, bool force)
{
    CheckContent(MakePath(path), force);
}

void
OutputFolder::RemovePartial(const std::string& path)
{
    std::error_code ignored;
    fs::remove_all(MakePartialPath(MakePath(path)), ignored);
}

OutputFolder::OutputFolder(const std::string& path, bool force)
    : m_path(MakePath(path))
{
    std::error_code error;
    CheckContent(m_path, force);
    fs::create_directories(m_path.parent_path(), error);
    if (error)
    {
        throw OutputError(path, "the folder cannot be made", error);
    }
    RemoveLeftovers(m_path);
    m_work = MakePartialPath(m_path);
    fs::remove_all(m_work, error);
    if (!fs::create_directory(m_work, error))
    {
        throw OutputError(path,
                          error ? "no folder can be made beside it"
                                : "no folder can be made beside it (it exists)",
                          error);
    }
}

OutputFolder::~OutputFolder()
{
    if (!m_committed)
    {
        std::error_code error;
        fs::remove_all(m_work, error);
    }
}

const fs::path&
OutputFolder::GetWorkFolder() const
{
    return m_work;
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
    std::error_code error;
    // This replaces an empty folder too.
    fs::rename(m_work, m_path, error);
    if (error && fs::is_directory(m_path))
    {
        CheckContent(m_path, true); // something may have come while the run went on
        TakeOver(m_path, m_work);
        error.clear();
        fs::path old = m_work;
        if (!Exchange(m_work, m_path))
        {
            old = m_work;
            old += ".old";
            fs::rename(m_path, old, error);
            if (!error)
            {
                fs::rename(m_work, m_path, error);
            }
        }
        if (!error)
        {
            std::error_code ignored; // the result is in place
            fs::remove_all(old, ignored);
        }
    }
    if (error)
    {
        throw OutputError(m_path, "the result cannot be put in place", error);
    }
    m_committed = true;
    if (isForced)
    {
        Synchronise(m_path.parent_path());
    }
}

void
OutputFolder::CheckContent(const fs::path& path, bool force)
{
    std::error_code error;
    if (!fs::exists(path, error))
    {
        return;
    }
    if (!fs::is_directory(path, error))
    {
        throw OutputError(path, "this is a file; a result needs a folder");
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(path, error))
    {
        if (IsMadeOfResults(entry.path()))
        {
            continue;
        }
        if (!IsOfResult(entry.path()))
        {
            throw OutputError(path,
                              "the folder holds something that is not part of a result (" +
                                  entry.path().filename().string() +
                                  ") and is not replaced; choose another one by --out");
        }
        if (!force)
        {
            throw OutputError(path, "the folder is not empty; --force replaces the result in it");
        }
    }
    if (error)
    {
        throw OutputError(path, "the folder cannot be read (" + error.message() + ")");
    }
}

bool
OutputFolder::IsSecond() const
{
    const std::pair<unsigned long long, long> own{GetStart(getpid()), getpid()};
    const std::vector<Partial> partials = FindPartials(m_path);
    return std::any_of(partials.begin(), partials.end(), [&](const Partial& partial) {
        return std::pair(partial.start, partial.process) < own && IsAlive(partial);
    });
}

bool
OutputFolder::IsBeingWritten(const fs::path& path)
{
    const std::vector<Partial> partials = FindPartials(path);
    return std::any_of(partials.begin(), partials.end(), IsAlive);
}

void
OutputFolder::RemoveLeftovers(const fs::path& path)
{
    for (const Partial& partial : FindPartials(path))
    {
        if (!IsAlive(partial))
        {
            std::error_code ignored;
            fs::remove_all(partial.path, ignored);
        }
    }
}

} // namespace ns3::rails
