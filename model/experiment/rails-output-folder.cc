// SPDX-License-Identifier: GPL-2.0-only
#include "rails-output-folder.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace ns3::rails
{

namespace
{

namespace fs = std::filesystem;

/// \return name of this machine: folders are shared between machines
std::string
GetHost()
{
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    return host.data();
}

/// \return true for what a result consists of, figures drawn from it included
bool
IsOfResult(const fs::path& file)
{
    const std::string name = file.filename().string();
    return name == "result.json" || name == "messages.csv" || name == "queues.csv" ||
           name == "links.csv" || name == "figures" || file.extension() == ".pcap";
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

OutputFolder::OutputFolder(const std::string& path, bool force)
{
    std::error_code error;
    m_path = fs::weakly_canonical(fs::absolute(path, error), error);
    if (error || m_path.empty())
    {
        throw OutputError(path, "not a usable path" + (error ? " (" + error.message() + ")" : ""));
    }
    if (m_path.filename().empty())
    {
        m_path = m_path.parent_path(); // a slash at the end
    }
    CheckContent(force);
    fs::create_directories(m_path.parent_path(), error);
    if (error)
    {
        throw OutputError(path, "the folder cannot be made (" + error.message() + ")");
    }
    RemoveLeftovers();
    m_work = m_path.parent_path() / ("." + m_path.filename().string() + ".partial-" + GetHost() +
                                     "-" + std::to_string(getpid()));
    fs::remove_all(m_work, error);
    if (!fs::create_directory(m_work, error))
    {
        throw OutputError(path,
                          "no folder can be made beside it (" +
                              (error ? error.message() : "it exists") + ")");
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
OutputFolder::Commit()
{
    std::error_code error;
    // This replaces an empty folder too.
    fs::rename(m_work, m_path, error);
    if (error && fs::is_directory(m_path))
    {
        CheckContent(true); // something may have come while the run went on
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
        throw OutputError(m_path, "the result cannot be put in place (" + error.message() + ")");
    }
    m_committed = true;
}

void
OutputFolder::CheckContent(bool force) const
{
    std::error_code error;
    if (!fs::exists(m_path, error))
    {
        return;
    }
    if (!fs::is_directory(m_path, error))
    {
        throw OutputError(m_path, "this is a file; a result needs a folder");
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(m_path, error))
    {
        if (!IsOfResult(entry.path()))
        {
            throw OutputError(m_path,
                              "the folder holds something that is not part of a result (" +
                                  entry.path().filename().string() +
                                  ") and is not replaced; choose another one by --out");
        }
        if (!force)
        {
            throw OutputError(m_path, "the folder is not empty; --force replaces the result in it");
        }
    }
    if (error)
    {
        throw OutputError(m_path, "the folder cannot be read (" + error.message() + ")");
    }
}

/// Removes hidden folders of runs of this machine that were killed.
void
OutputFolder::RemoveLeftovers() const
{
    const std::string begin = "." + m_path.filename().string() + ".partial-" + GetHost() + "-";
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(m_path.parent_path(), error))
    {
        const std::string name = entry.path().filename().string();
        if (name.compare(0, begin.size(), begin) != 0)
        {
            continue;
        }
        const long process = std::strtol(name.c_str() + begin.size(), nullptr, 10);
        const bool alive = process > 0 && process <= INT_MAX &&
                           (kill(static_cast<pid_t>(process), 0) == 0 || errno != ESRCH);
        if (!alive)
        {
            std::error_code ignored;
            fs::remove_all(entry.path(), ignored);
        }
    }
}

} // namespace ns3::rails
