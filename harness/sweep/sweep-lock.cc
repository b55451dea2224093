// SPDX-License-Identifier: GPL-2.0-only
#include "sweep-lock.h"

#include "ns3/rails-output-folder.h"

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

namespace ns3::rails
{

namespace
{

/// \return this process, as somebody at another computer can find it
std::string
DescribeOwner()
{
    const std::string host = GetHostName();
    return "process " + std::to_string(getpid()) + (host.empty() ? "" : " on " + host);
}

int
GetMode(bool isShared)
{
    return (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB;
}

/**
 * Takes a lock, and waits a little for points of a process that was killed to end as well.
 * \return false when somebody else has it
 */
bool
Lock(int file, bool isShared)
{
    using namespace std::chrono_literals;
    constexpr int most = 40;
    for (int i = 0; flock(file, GetMode(isShared)) != 0; ++i)
    {
        if ((errno != EWOULDBLOCK && errno != EINTR) || i == most)
        {
            return errno != EWOULDBLOCK; // it is no use to ask a system that has no locks
        }
        std::this_thread::sleep_for(50ms);
    }
    return true;
}

} // namespace

SweepLock::SweepLock(const SweepFolder& folder, bool isShared)
{
    const std::filesystem::path place = folder.GetStateFolder() / "lock";
    constexpr mode_t mode = 0666; // less what the user's mask takes away
    // Nothing stays open for writing, which would keep a file system from becoming read-only; but
    // NFS takes locks of such files alone.
    m_file = open(place.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, mode);
    if (m_file >= 0 && flock(m_file, GetMode(isShared)) != 0 && errno == EBADF)
    {
        close(m_file);
        m_file = open(place.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, mode);
    }
    if (m_file < 0)
    {
        return; // what cannot be written is told by what has to be
    }
    if (!Lock(m_file, isShared))
    {
        close(m_file);
        std::string owner;
        std::ifstream stream(place);
        std::getline(stream, owner);
        throw OutputError(folder.GetPath(),
                          "another sweep is at work in this folder (" +
                              (owner.empty() ? "an unknown process" : owner) +
                              "); wait until it has ended, or choose another folder with --out");
    }
    std::ofstream(place) << DescribeOwner() << '\n';
}

SweepLock::~SweepLock()
{
    if (m_file >= 0)
    {
        close(m_file);
    }
}

} // namespace ns3::rails
