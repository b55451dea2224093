// SPDX-License-Identifier: GPL-2.0-only
#include "rails-result-reader.h"

#include "output-file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <functional>
#include <map>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace ns3::rails
{

namespace
{

namespace fs = std::filesystem;
using nlohmann::json;

/// Several times the size of a result with a million NICs, bytes.
constexpr std::size_t kLargestFile = 64 << 20;
/// Many times the depth of any result; readers of JSON recurse.
constexpr std::size_t kDeepest = 100;
/// Bytes of all dotted keys ("a.b.c") of a file, one per value: a few long keys around many values
/// would fill the memory.
constexpr std::size_t kMostKeyBytes = 64 << 20;
constexpr auto kLargestStatus = static_cast<uint64_t>(RunStatus::InvariantBroken);

/// Checks a JSON text before parsing for depth and sizes that parsers and readers do not handle.
class JsonScan
{
  public:
    explicit JsonScan(std::string_view text)
        : m_text(text)
    {
    }

    /// \return the exceeded limit; empty without one
    std::string Run()
    {
        for (; m_at < m_text.size() && m_fault.empty(); ++m_at)
        {
            switch (m_text[m_at])
            {
            case '"':
                SkipString();
                break;
            case '{':
            case '[':
                Open();
                break;
            case '}':
            case ']':
                CountValue();
                m_depth -= m_depth > 0 ? 1 : 0;
                break;
            case ':':
                m_keys[m_depth] = m_length;
                break;
            case ',':
                CountValue();
                break;
            default:
                break;
            }
        }
        return m_fault;
    }

  private:
    void SkipString()
    {
        const std::size_t begin = ++m_at;
        for (; m_at < m_text.size() && m_text[m_at] != '"'; ++m_at)
        {
            if (m_text[m_at] == '\\')
            {
                m_fault = m_text.substr(m_at + 1, 5) == "u0000" ? "has a NUL in a text" : m_fault;
                ++m_at;
            }
        }
        m_length = m_at - begin;
    }

    void Open()
    {
        if (m_depth == kDeepest)
        {
            m_fault = "is nested more than " + std::to_string(kDeepest) + " deep";
            return;
        }
        m_paths[m_depth + 1] = m_paths[m_depth] + m_keys[m_depth] + 1;
        m_keys[++m_depth] = 0;
    }

    void CountValue()
    {
        m_keyBytes += m_paths[m_depth] + m_keys[m_depth];
        if (m_keyBytes > kMostKeyBytes)
        {
            m_fault = "has too many values under long keys";
        }
    }

    std::string_view m_text;
    std::size_t m_at{0};
    std::size_t m_depth{0};
    std::size_t m_length{0}; //!< of the last string
    std::size_t m_keyBytes{0};
    std::array<std::size_t, kDeepest + 1> m_keys{};  //!< length of the key, by depth
    std::array<std::size_t, kDeepest + 1> m_paths{}; //!< of all keys around, by depth
    std::string m_fault;
};

/// \return the content of a regular file; never blocks on other kinds of files
std::optional<std::string>
ReadRegularFile(const fs::path& path, std::string& fault)
{
    const auto fail = [&fault](const std::string& why) {
        fault = why;
        return std::nullopt;
    };
    struct stat status = {};
    if (stat(path.c_str(), &status) != 0)
    {
        return fail(errno == ENOENT || errno == ENOTDIR ? "is missing" : "cannot be read");
    }
    if (S_ISDIR(status.st_mode))
    {
        return fail("is a folder, where a file of results is expected: rename it");
    }
    if (!S_ISREG(status.st_mode))
    {
        return fail("is a pipe or a device");
    }
    const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file < 0)
    {
        return fail("cannot be read");
    }
    std::string text;
    bool isRead = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    if (isRead && static_cast<uint64_t>(status.st_size) <= kLargestFile)
    {
        text.resize(static_cast<std::size_t>(status.st_size));
    }
    std::size_t filled = 0;
    while (isRead && filled < text.size())
    {
        const ssize_t bytes = read(file, text.data() + filled, text.size() - filled);
        if (bytes == 0 || (bytes < 0 && errno != EINTR))
        {
            isRead = bytes == 0; // it has become shorter
            break;
        }
        filled += static_cast<std::size_t>(std::max<ssize_t>(bytes, 0));
    }
    close(file);
    if (!isRead)
    {
        return fail("cannot be read");
    }
    if (static_cast<uint64_t>(status.st_size) > kLargestFile)
    {
        return fail("is larger than " + std::to_string(kLargestFile >> 20) + " MiB");
    }
    text.resize(filled);
    return text;
}

/// \return the artefact that is missing or has another size than it was written with; empty when
/// there is none
std::string
FindDamage(const json& artefacts, const fs::path& folder)
{
    if (!artefacts.is_array())
    {
        return "a value of result.json is not of its kind (artefacts)";
    }
    for (const json& artefact : artefacts)
    {
        const json file = artefact.is_object() ? artefact.value("file", json()) : json();
        const json bytes = artefact.is_object() ? artefact.value("bytes", json()) : json();
        if (!file.is_string() || !bytes.is_number_unsigned() ||
            !IsPointName(file.get<std::string>()))
        {
            return "a value of result.json is not of its kind (artefacts)";
        }
        const fs::path path = folder / file.get<std::string>();
        std::error_code error;
        if (!fs::is_regular_file(path, error) ||
            fs::file_size(path, error) != bytes.get<uintmax_t>() || error)
        {
            return file.get<std::string>() + " is missing, cut or no file";
        }
    }
    return "";
}

bool
IsText(const json& value)
{
    return value.is_string();
}

bool
IsNumberOrNull(const json& value)
{
    return value.is_null() || value.is_number();
}

/// \return true for an object whose values are texts
bool
IsNames(const json& value)
{
    return value.is_object() && std::all_of(value.begin(), value.end(), IsText);
}

/// A member that readers of a result use, and its type if it is present.
struct Member
{
    const char* key;
    bool (*isOfKind)(const json& value);
};

/// \return the first member with another type, in words; empty without one
std::string
FindOtherKind(const json& object)
{
    static const std::vector<Member> members{
        {"status",
         [](const json& value) {
             return value.is_number_unsigned() && value.get<uint64_t>() <= kLargestStatus;
         }},
        {"cct_s", IsNumberOrNull},
        {"cct_over_bound", IsNumberOrNull},
        {"cct_increase", IsNumberOrNull},
        {"busbw_Bps", IsNumberOrNull},
        {"pfc_pauses", IsNumberOrNull},
        {"frames", IsNumberOrNull},
        {"seed", [](const json& value) { return value.is_number_unsigned(); }},
        {"wall_s", [](const json& value) { return value.is_number(); }},
        {"config", [](const json& value) { return value.is_object(); }},
        {"version", [](const json& value) { return value.is_object(); }},
        {"axes", IsNames},
        {"labels", IsNames},
        {"key", IsText},
        {"report", IsText},
        {"reason", IsText},
        {"engine", IsText},
        {"notes", [](const json& value) {
             return value.is_array() && std::all_of(value.begin(), value.end(), IsText);
         }}};
    for (const Member& member : members)
    {
        const auto found = object.find(member.key);
        if (found != object.end() && !member.isOfKind(*found))
        {
            return std::string("not of its kind (") + member.key + ")";
        }
    }
    return "";
}

/**
 * \param file name of the file
 * \param needed members that it must have
 * \return the object in it; a discarded value otherwise
 */
json
ReadRecord(const fs::path& folder,
           const std::string& file,
           const std::vector<std::string>& needed,
           std::string& fault)
{
    json value = ReadJsonFile(folder / file, fault);
    if (!fault.empty())
    {
        fault = file + " " + fault;
        return value;
    }
    for (const std::string& key : needed)
    {
        if (!value.is_object() || !value.contains(key))
        {
            fault = file + " lacks '" + key + "'";
            return json(json::value_t::discarded);
        }
    }
    if (const std::string other = FindOtherKind(value); !other.empty())
    {
        fault = "a value of " + file + " is " + other;
        return json(json::value_t::discarded);
    }
    return value;
}

} // namespace

std::optional<std::string>
ReadJsonText(const fs::path& path, std::string& fault)
{
    std::optional<std::string> text = ReadRegularFile(path, fault);
    if (text)
    {
        fault = JsonScan(*text).Run();
    }
    return fault.empty() ? text : std::nullopt;
}

json
ReadJsonFile(const fs::path& path)
{
    std::string ignored;
    return ReadJsonFile(path, ignored);
}

json
ReadJsonFile(const fs::path& path, std::string& fault)
{
    fault.clear();
    const std::optional<std::string> text = ReadJsonText(path, fault);
    json value = text ? json::parse(*text, nullptr, false) : json(json::value_t::discarded);
    fault = text && value.is_discarded() ? "is cut or no JSON" : fault;
    return value;
}

json
ReadResultJson(const fs::path& folder)
{
    std::string ignored;
    return ReadResultJson(folder, ignored);
}

json
ReadResultJson(const fs::path& folder, std::string& fault)
{
    json value =
        ReadRecord(folder, "result.json", {"status", "config", "fingerprint", "cct_s"}, fault);
    if (!value.is_discarded())
    {
        fault = FindDamage(value.value("artefacts", json::array()), folder);
    }
    return fault.empty() ? value : json(json::value_t::discarded);
}

json
ReadFailureJson(const fs::path& folder)
{
    std::string ignored;
    return ReadRecord(folder, "failure.json", {"status", "reason"}, ignored);
}

std::optional<int>
FindResultStatus(const fs::path& folder, const std::string& key)
{
    const json value = ReadResultJson(folder);
    const bool isOwn = !value.is_discarded() && value.value("key", "") == key;
    return isOwn ? std::optional<int>(value.at("status").get<int>()) : std::nullopt;
}

VersionInfo
ReadVersionJson(const json& value)
{
    VersionInfo version;
    const auto read = [&value](const char* key, std::string& text) {
        const auto found = value.find(key);
        text = found != value.end() && found->is_string() ? found->get<std::string>() : "unknown";
    };
    if (value.is_object())
    {
        read("module", version.module);
        read("ns3", version.ns3);
        read("compiler", version.compiler);
        read("build", version.build);
        read("program", version.program);
        const json libraries = value.value("libraries", json::object());
        for (const auto& [name, hash] : libraries.items())
        {
            version.libraries[name] = hash.is_string() ? hash.get<std::string>() : "unknown";
        }
    }
    return version;
}

bool
IsPointName(const std::string& name)
{
    return !name.empty() && name.front() != '.' && name.find('/') == std::string::npos &&
           name.find('\0') == std::string::npos;
}

JsonMembers::JsonMembers(json value, fs::path place)
    : m_json(std::move(value)),
      m_place(std::move(place))
{
}

std::string
JsonMembers::GetText(const std::string& key, const std::string& usual) const
{
    const json value = Find(key);
    if (!value.is_null() && !value.is_string())
    {
        Fail(key, "a text");
    }
    return value.is_null() ? usual : value.get<std::string>();
}

std::vector<std::string>
JsonMembers::GetTexts(const std::string& key) const
{
    const json value = Find(key);
    if (!value.is_null() && !(value.is_array() && std::all_of(value.begin(), value.end(), IsText)))
    {
        Fail(key, "a list of texts");
    }
    return value.is_null() ? std::vector<std::string>() : value.get<std::vector<std::string>>();
}

bool
JsonMembers::GetFlag(const std::string& key, bool usual) const
{
    const json value = Find(key);
    if (!value.is_null() && !value.is_boolean())
    {
        Fail(key, "true or false");
    }
    return value.is_null() ? usual : value.get<bool>();
}

JsonMembers
JsonMembers::GetMembers(const std::string& key) const
{
    const json value = Find(key);
    if (!value.is_null() && !value.is_object())
    {
        Fail(key, "an object");
    }
    return {value, m_place};
}

json
JsonMembers::Find(const std::string& key) const
{
    return m_json.is_object() ? m_json.value(key, json()) : json();
}

void
JsonMembers::Fail(const std::string& key, const std::string& expected) const
{
    throw OutputError(m_place, "'" + key + "' is not " + expected + "; start the sweep again");
}

} // namespace ns3::rails
