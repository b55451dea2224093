// SPDX-License-Identifier: GPL-2.0-only
#include "partial-path.h"

#include "ns3/rails-sha256.h"

#include <array>
#include <boost/algorithm/string/predicate.hpp>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <system_error>

namespace ns3::rails
{

namespace
{

namespace fs = std::filesystem;

const std::string kMark = ".partial-";
const std::string kFormer = ".old";
constexpr std::size_t kRandomDigits = 16;

/// \return the prefix of hidden names for a target
std::string
GetBegin(const fs::path& place)
{
    // The whole name must not exceed 255 bytes.
    constexpr std::size_t longest = 140;
    constexpr std::size_t digits = 12;
    std::string name = place.filename().string();
    if (name.size() > longest)
    {
        name = name.substr(0, longest - digits) + ComputeSha256(name).substr(0, digits);
    }
    return "." + name + kMark;
}

/// \return unpredictable digits
std::string
MakeRandomDigits()
{
    std::random_device device;
    std::array<char, kRandomDigits + 1> digits{};
    std::snprintf(digits.data(), digits.size(), "%08x%08x", device(), device());
    return digits.data();
}

/// A hidden name without the name of its target.
struct HiddenEnd
{
    WriterIdentity writer;
    bool isFormer;
};

/// \param end what follows the mark
std::optional<HiddenEnd>
ParseEnd(std::string end)
{
    const bool isFormer = boost::algorithm::ends_with(end, kFormer);
    end.resize(end.size() - (isFormer ? kFormer.size() : 0));
    const std::size_t hyphen = end.rfind('-');
    if (hyphen == std::string::npos || end.size() - hyphen - 1 != kRandomDigits ||
        end.find_first_not_of("0123456789abcdef", hyphen + 1) != std::string::npos)
    {
        return std::nullopt;
    }
    const std::optional<WriterIdentity> writer = WriterIdentity::Parse(end.substr(0, hyphen));
    return writer ? std::optional(HiddenEnd{*writer, isFormer}) : std::nullopt;
}

/// Calls for the names in a folder that begin with some text, while it returns true. A large sweep
/// has very many names, so they are compared as they come.
void
VisitNames(const fs::path& folder,
           const std::string& begin,
           const std::function<bool(const char*)>& visit)
{
    const std::unique_ptr<DIR, int (*)(DIR*)> open(opendir(folder.c_str()), closedir);
    while (const dirent* entry = open ? readdir(open.get()) : nullptr)
    {
        if (std::strncmp(entry->d_name, begin.c_str(), begin.size()) == 0 && !visit(entry->d_name))
        {
            return;
        }
    }
}

} // namespace

fs::path
MakePartialPath(const fs::path& place)
{
    return place.parent_path() /
           (GetBegin(place) + WriterIdentity::OfThisProcess().ToText() + "-" + MakeRandomDigits());
}

fs::path
MakeFormerPath(const fs::path& partial)
{
    return partial.string() + kFormer;
}

std::vector<PartialPath>
FindPartialPaths(const fs::path& place)
{
    const std::string begin = GetBegin(place);
    const fs::path parent = place.has_parent_path() ? place.parent_path() : ".";
    std::vector<PartialPath> found;
    VisitNames(parent, begin, [&](const char* name) {
        if (const std::optional<HiddenEnd> end = ParseEnd(name + begin.size()))
        {
            found.push_back({parent / name, end->writer, end->isFormer});
        }
        return true;
    });
    return found;
}

void
RemoveDeadPartials(const fs::path& place)
{
    for (const PartialPath& partial : FindPartialPaths(place))
    {
        if (partial.writer.GetState() == WriterState::Dead)
        {
            std::error_code ignored;
            fs::remove(partial.path, ignored);
        }
    }
}

std::optional<WriterIdentity>
FindWriter(const fs::path& hidden)
{
    const std::string name = hidden.filename().string();
    const std::size_t mark = name.rfind(kMark);
    const bool isHidden = name.front() == '.' && mark != std::string::npos && mark > 1;
    const std::optional<HiddenEnd> end =
        isHidden ? ParseEnd(name.substr(mark + kMark.size())) : std::nullopt;
    return end ? std::optional(end->writer) : std::nullopt;
}

bool
HasFormerPaths(const fs::path& folder)
{
    bool isAny = false;
    VisitNames(folder, ".", [&](const char* name) {
        isAny = boost::algorithm::ends_with(name, kFormer) && FindWriter(name).has_value();
        return !isAny;
    });
    return isAny;
}

} // namespace ns3::rails
