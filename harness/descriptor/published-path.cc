// SPDX-License-Identifier: GPL-2.0-only
#include "published-path.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace ns3::rails
{

namespace
{

namespace fs = std::filesystem;

constexpr const char* kHome = "~";
constexpr const char* kAround = " \t\n'\"`()[]{}<>:;,"; // what a path of a text stands between

/// \return whether a word of a text is a file or folder, or names one that could be made
bool
IsPath(const std::string& word)
{
    std::error_code error; // such as a name that is too long
    const fs::path path(word);
    return path.is_absolute() && path.has_relative_path() &&
           (fs::exists(path, error) ||
            (path.parent_path().has_relative_path() && fs::exists(path.parent_path(), error)));
}

} // namespace

std::string
PublishPath(const fs::path& path, const fs::path& folder)
{
    if (path.empty())
    {
        return "";
    }
    const fs::path file = fs::absolute(path).lexically_normal();
    const fs::path base = fs::absolute(folder).lexically_normal();
    const char* home = std::getenv("HOME");
    const fs::path inHome = home ? file.lexically_relative(home) : fs::path();
    const bool isInHome = home && *home == '/' && !inHome.empty() && *inHome.begin() != "..";
    const fs::path above = isInHome ? base.lexically_relative(home) : fs::path();
    return isInHome && *above.begin() == ".." ? (kHome / inHome).string()
                                              : file.lexically_relative(base).string();
}

std::string
ResolvePath(const fs::path& path, const fs::path& folder)
{
    if (path.empty())
    {
        return "";
    }
    const char* home = std::getenv("HOME");
    const bool isInHome = home && *path.begin() == kHome;
    const fs::path file =
        isInHome ? fs::path(home) / path.lexically_relative(kHome) : folder / path;
    return fs::absolute(file).lexically_normal().string();
}

std::string
PublishText(const std::string& text, const fs::path& folder)
{
    std::string published;
    for (std::size_t at = 0; at < text.size();)
    {
        std::size_t end = std::min(text.find_first_of(kAround, at), text.size());
        std::string word = text.substr(at, end - at);
        const std::size_t value = word[0] == '-' ? word.find('=') + 1 : 0; // of an option, if any
        published += word.substr(0, value);
        word.erase(0, value);
        published += IsPath(word) ? PublishPath(word, folder) : word;
        for (; end < text.size() && std::strchr(kAround, text[end]); ++end)
        {
            published += text[end];
        }
        at = end;
    }
    return published;
}

} // namespace ns3::rails
