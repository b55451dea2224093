// SPDX-License-Identifier: GPL-2.0-only
#include "rails-run-memory.h"

#include "ns3/rails-record-options.h"
#include "ns3/rails-transport.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <limits>
#include <optional>
#include <sstream>

namespace ns3::rails
{

namespace
{

namespace fs = std::filesystem;

/// \return the number in a file; nothing where there is none, or the word "max"
std::optional<uint64_t>
ReadNumber(const fs::path& file)
{
    std::ifstream stream(file);
    uint64_t number = 0;
    return stream >> number ? std::optional(number) : std::nullopt;
}

/// \return the number behind a word that begins a line
std::optional<uint64_t>
ReadNumber(const fs::path& file, const std::string& word)
{
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);)
    {
        std::istringstream words(line);
        std::string first;
        uint64_t number = 0;
        if (words >> first >> number && first == word)
        {
            return number;
        }
    }
    return std::nullopt;
}

/// What the two versions of control groups call their files.
struct GroupFiles
{
    std::string limit;
    std::string used;
    std::string cache; //!< word in memory.stat: what the kernel gives back when somebody needs it
};

/// \return the least that a control group and those above it have left
uint64_t
FindLeft(const fs::path& top, fs::path group, const GroupFiles& files)
{
    uint64_t least = std::numeric_limits<uint64_t>::max();
    for (;; group = group.parent_path())
    {
        const fs::path folder = top / group.relative_path();
        const std::optional<uint64_t> limit = ReadNumber(folder / files.limit);
        const std::optional<uint64_t> used = ReadNumber(folder / files.used);
        if (limit && used)
        {
            const uint64_t cache =
                std::min(*used, ReadNumber(folder / "memory.stat", files.cache).value_or(0));
            least = std::min(least, *limit - std::min(*limit, *used - cache));
        }
        if (!group.has_relative_path())
        {
            return least;
        }
    }
}

} // namespace

void
EstimateRunMemory(const RunSettings& settings,
                  const Wiring& wiring,
                  const Workload& workload,
                  const WorkloadSetting& setting,
                  const ExpectedTraffic& traffic,
                  RunSize& size)
{
    constexpr double program = 22e6;
    constexpr double kept = 200;    // bytes of a message in memory
    constexpr double written = 130; // more of one that goes into messages.csv
    const ClusterShape& shape = setting.shape;
    const double bytes = traffic.bytes / std::max(1.0, traffic.messages);
    // Without phases messages that cost as much as several count as several, and large ones stay
    // inside servers.
    const double messages =
        traffic.messages *
        (workload.GetTraits().hasPhases
             ? settings.balancer->EstimatePieces(bytes, shape, workload.SendsEvenly())
             : 0.5);
    const uint32_t ways = settings.balancer->CrossesRails() ? shape.nicsPerServer : 1;
    const bool isByNics = settings.parts.transport->GetQueuePairPer() == Transport::NIC_PAIR;
    const double queuePairs =
        isByNics ? std::min(messages, workload.EstimateConnections(setting, ways)) : messages;
    const auto most = static_cast<double>(settings.record->GetMostMessages());
    const bool isWritten =
        messages <= most && settings.record->WantsMessages(static_cast<uint64_t>(messages));
    // How many there are is not known well enough to tell whether they will be written.
    const double ofMessages = workload.GetTraits().hasPhases
                                  ? messages * (kept + (isWritten ? written : 0))
                                  : std::min(messages, most) * kept;
    size.memoryBytes =
        program + ofMessages +
        settings.engine->EstimateMemory(static_cast<double>(wiring.GetCables().size()), queuePairs);
    const bool isMostlyMessages = ofMessages > size.memoryBytes / 2;
    if (isWritten && isMostlyMessages)
    {
        size.memoryKey = "record.messages";
        size.memoryRemedy = "set record.messages to false";
    }
    else if (isMostlyMessages && messages > 2 * traffic.messages)
    {
        size.memoryKey = "balance";
        size.memoryRemedy = "choose a balance that cuts messages into fewer pieces";
    }
    else
    {
        size.memoryKey = "topology";
        size.memoryRemedy = "take fewer GPUs";
    }
}

std::string
FormatMemorySize(double bytes)
{
    constexpr double mebi = 1 << 20;
    constexpr double gibi = 1 << 30;
    std::ostringstream text;
    text << std::fixed << std::setprecision(bytes >= gibi && bytes < 9.95 * gibi ? 1 : 0)
         << (bytes < gibi ? bytes / mebi : bytes / gibi) << (bytes < gibi ? " MiB" : " GiB");
    return text.str();
}

std::string
DescribeLack(const RunSize& size, uint64_t limit)
{
    if (limit == 0 || size.memoryBytes <= static_cast<double>(limit))
    {
        return "";
    }
    return "the run takes about " + FormatMemorySize(size.memoryBytes) +
           " of memory, and there is " + FormatMemorySize(static_cast<double>(limit)) + ": " +
           size.memoryRemedy + " (--any-memory begins it all the same)";
}

uint64_t
FindAvailableMemory(const std::string& root)
{
    const fs::path top(root);
    uint64_t least = std::numeric_limits<uint64_t>::max();
    if (const auto kibibytes = ReadNumber(top / "proc/meminfo", "MemAvailable:"))
    {
        least = *kibibytes * 1024;
    }
    std::ifstream groups(top / "proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) // NUMBER:CONTROLLERS:PATH
    {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (second == std::string::npos)
        {
            continue;
        }
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        const fs::path group = line.substr(second + 1);
        if (controllers == ",,")
        {
            least = std::min(least,
                             FindLeft(top / "sys/fs/cgroup",
                                      group,
                                      {"memory.max", "memory.current", "inactive_file"}));
        }
        else if (controllers.find(",memory,") != std::string::npos)
        {
            least = std::min(
                least,
                FindLeft(
                    top / "sys/fs/cgroup/memory",
                    group,
                    {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"}));
        }
    }
    return least == std::numeric_limits<uint64_t>::max() ? 0 : std::max<uint64_t>(1, least);
}

} // namespace ns3::rails
