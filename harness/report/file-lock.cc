// SPDX-License-Identifier: GPL-2.0-only
#include "file-lock.h"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

namespace ns3::rails
{

namespace
{

int
Open(const std::filesystem::path& path, int flags)
{
    constexpr mode_t mode = 0666; // less what the user's mask takes away
    return open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode);
}

/// \return false when another process has it
bool
Lock(int file, int mode)
{
    using namespace std::chrono_literals;
    constexpr int most = 40;
    for (int i = 0; flock(file, mode | LOCK_NB) != 0; ++i)
    {
        if ((errno != EWOULDBLOCK && errno != EINTR) || i == most)
        {
            return errno != EWOULDBLOCK; // a system without locks: continue without
        }
        std::this_thread::sleep_for(50ms);
    }
    return true;
}

} // namespace

FileLock::FileLock(const std::filesystem::path& path, int flags, bool isShared)
{
    const int mode = isShared ? LOCK_SH : LOCK_EX;
    // Not open for writing, which would keep a file system from becoming read-only; but NFS only
    // locks files that are open for writing.
    m_file = Open(path, flags | O_RDONLY);
    if (m_file >= 0 && flock(m_file, mode | LOCK_NB) != 0 && errno == EBADF)
    {
        close(m_file);
        m_file = Open(path, flags | O_RDWR);
    }
    m_isFree = m_file < 0 || Lock(m_file, mode);
}

FileLock::~FileLock()
{
    if (m_file >= 0)
    {
        close(m_file);
    }
}

} // namespace ns3::rails
