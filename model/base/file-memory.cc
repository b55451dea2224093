// SPDX-License-Identifier: GPL-2.0-only
#include "file-memory.h"

#include <chrono>
#include <sys/stat.h>
#include <tuple>

namespace ns3::rails
{

namespace
{

constexpr int64_t kNanosecondsPerSecond = 1'000'000'000;
/// File times have a granularity, and a file may be written twice within one step. (10 ms with the
/// slowest clock of Linux.)
constexpr int64_t kClockSteps = 100'000'000;

int64_t
ToNanoseconds(const timespec& time)
{
    return time.tv_sec * kNanosecondsPerSecond + time.tv_nsec;
}

} // namespace

std::optional<FileStamp>
FileStamp::Read(const std::string& path)
{
    struct stat status = {};
    if (stat(path.c_str(), &status) != 0)
    {
        return std::nullopt;
    }
    FileStamp stamp;
    stamp.m_device = status.st_dev;
    stamp.m_inode = status.st_ino;
    stamp.m_bytes = static_cast<uint64_t>(status.st_size);
    stamp.m_written = ToNanoseconds(status.st_mtim);
    stamp.m_changed = ToNanoseconds(status.st_ctim);
    return stamp;
}

bool
FileStamp::operator==(const FileStamp& other) const
{
    return std::tie(m_device, m_inode, m_bytes, m_written, m_changed) ==
           std::tie(other.m_device, other.m_inode, other.m_bytes, other.m_written, other.m_changed);
}

bool
FileStamp::IsSettled() const
{
    const int64_t now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                            std::chrono::system_clock::now().time_since_epoch())
                            .count();
    return now - m_changed > kClockSteps;
}

} // namespace ns3::rails
