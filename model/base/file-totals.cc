// SPDX-License-Identifier: GPL-2.0-only
#include "file-totals.h"

#include <chrono>
#include <sys/stat.h>
#include <tuple>

namespace ns3::rails
{

namespace
{

constexpr int64_t kNanosecondsPerSecond = 1'000'000'000;
/// File systems count time in steps: a file may be written to twice within one. (10 ms with the
/// slowest clock of Linux.)
constexpr int64_t kClockSteps = 100'000'000;
constexpr size_t kMostTotals = 100'000;

int64_t
ToNanoseconds(const timespec& time)
{
    return time.tv_sec * kNanosecondsPerSecond + time.tv_nsec;
}

} // namespace

uint64_t
FileTotals::Get(const std::string& path,
                const std::vector<uint64_t>& selection,
                const std::function<uint64_t()>& read)
{
    Stamp stamp;
    if (!ReadStamp(path, stamp))
    {
        return read(); // which says what is wrong
    }
    const auto known = m_totals.find({path, selection});
    if (known != m_totals.end() && known->second.stamp == stamp)
    {
        return known->second.sum;
    }
    const int64_t now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                            std::chrono::system_clock::now().time_since_epoch())
                            .count();
    const uint64_t sum = read();
    if (now - stamp.changed > kClockSteps)
    {
        if (m_totals.size() >= kMostTotals)
        {
            m_totals.clear();
        }
        m_totals[{path, selection}] = {stamp, sum};
    }
    return sum;
}

bool
FileTotals::Stamp::operator==(const Stamp& other) const
{
    return std::tie(device, inode, bytes, written, changed) ==
           std::tie(other.device, other.inode, other.bytes, other.written, other.changed);
}

bool
FileTotals::ReadStamp(const std::string& path, Stamp& stamp)
{
    struct stat status = {};
    if (stat(path.c_str(), &status) != 0)
    {
        return false;
    }
    stamp = {status.st_dev,
             status.st_ino,
             static_cast<uint64_t>(status.st_size),
             ToNanoseconds(status.st_mtim),
             ToNanoseconds(status.st_ctim)};
    return true;
}

} // namespace ns3::rails
