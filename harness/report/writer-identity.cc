// SPDX-License-Identifier: GPL-2.0-only
#include "writer-identity.h"

#include "ns3/rails-sha256.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace ns3::rails
{

namespace
{

constexpr std::size_t kDigits = 12; // of 2^48 machines no two that share a folder are the same

std::string
ReadText(const char* file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// \return digits of a hash, which do not reveal their source
std::string
HashPlace(const std::string& kind, const std::string& text)
{
    return ComputeSha256("rails " + kind + "\n" + text).substr(0, kDigits);
}

std::string
GetHostName()
{
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    return host.data();
}

/// \return this machine, its restart, and this namespace, with no process
WriterIdentity
FindPlace()
{
    std::error_code none;
    WriterIdentity place;
    place.host = HashPlace("host", GetHostName() + "\n" + ReadText("/etc/machine-id"));
    place.boot = HashPlace("boot", ReadText("/proc/sys/kernel/random/boot_id"));
    place.processes =
        HashPlace("processes", std::filesystem::read_symlink("/proc/self/ns/pid", none).string());
    return place;
}

/// \return the fields that child processes share
const WriterIdentity&
GetPlace()
{
    static const WriterIdentity place = FindPlace();
    return place;
}

/// Status of a process from the system.
struct ProcessStatus
{
    bool hasEnded; //!< a zombie, whose status was not yet read
    uint64_t start;
};

/// \return zeros when unknown
ProcessStatus
FindStatus(int process)
{
    const std::string text = ReadText(("/proc/" + std::to_string(process) + "/stat").c_str());
    // The name, in brackets, may contain anything.
    std::istringstream fields(text.substr(std::min(text.size(), text.rfind(')') + 1)));
    std::string state;
    fields >> state;
    constexpr int before = 18; // fields between the state and the start, see proc(5)
    std::string field;
    for (int i = 0; i < before; ++i)
    {
        fields >> field;
    }
    uint64_t start = 0;
    fields >> start;
    return {state == "Z" || state == "X", start};
}

bool
IsPlace(std::string_view text)
{
    return text.size() == kDigits &&
           text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// \return false for anything but the digits of a number as they are written
template <typename Number>
bool
ReadNumber(std::string_view text, Number& number)
{
    const char* end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && read == end && std::to_string(number) == text;
}

} // namespace

WriterIdentity
WriterIdentity::OfThisProcess()
{
    WriterIdentity identity = GetPlace();
    identity.process = getpid();
    identity.start = FindStatus(identity.process).start;
    return identity;
}

std::optional<WriterIdentity>
WriterIdentity::Parse(const std::string& text)
{
    std::vector<std::string_view> parts;
    for (std::string_view rest = text; parts.empty() || !rest.empty();)
    {
        const std::size_t end = std::min(rest.find('-'), rest.size());
        parts.push_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    WriterIdentity identity;
    constexpr std::size_t all = 5;
    if (parts.size() != all || !IsPlace(parts[0]) || !IsPlace(parts[1]) || !IsPlace(parts[2]) ||
        !ReadNumber(parts[3], identity.process) || identity.process <= 0 ||
        !ReadNumber(parts[4], identity.start))
    {
        return std::nullopt;
    }
    identity.host = parts[0];
    identity.boot = parts[1];
    identity.processes = parts[2];
    return identity.ToText() == text ? std::optional(identity) : std::nullopt;
}

std::string
WriterIdentity::ToText() const
{
    return host + "-" + boot + "-" + processes + "-" + std::to_string(process) + "-" +
           std::to_string(start);
}

WriterState
WriterIdentity::GetState() const
{
    const WriterIdentity& here = GetPlace();
    if (host != here.host)
    {
        return WriterState::Unknown;
    }
    if (boot != here.boot)
    {
        return WriterState::Dead;
    }
    if (processes != here.processes)
    {
        return WriterState::Unknown;
    }
    if (kill(process, 0) != 0 && errno == ESRCH)
    {
        return WriterState::Dead;
    }
    // Processes of other users may be hidden: then it may be this one.
    const ProcessStatus status = FindStatus(process);
    const bool isSame = status.start == start || status.start == 0;
    return isSame && !status.hasEnded ? WriterState::Living : WriterState::Dead;
}

std::string
WriterIdentity::Describe() const
{
    return GetState() == WriterState::Unknown
               ? "a process on another machine or in another container"
               : "process " + std::to_string(process) + " on this machine";
}

bool
WriterIdentity::operator==(const WriterIdentity& other) const
{
    return ToText() == other.ToText();
}

} // namespace ns3::rails
