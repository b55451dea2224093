// SPDX-License-Identifier: GPL-2.0-only
#include "rails-starter-descriptor.h"

#include "component-path.h"
#include "component-registry.h"
#include "rails-catalogue.h"
#include "rails-key-help.h"

#include "ns3/component-documentation.h"
#include "ns3/rails-nearest-name.h"
#include "ns3/rails-quantity.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <exception>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

using Json = nlohmann::ordered_json;

/// Values of the keys that determine the size of a run, for a run of about a second, and a chunk
/// that is small against the bytes between two GPUs.
const std::map<std::string, std::string>&
GetSmallValues()
{
    static const std::map<std::string, std::string> values{
        {"domains", "4"},
        {"gpus_per_domain", "4"},
        {"spines", "4"},
        {"bytes", "1MiB"},
        {"bytes_per_pair", "1MB"},
        {"chunk", "100KB"},
    };
    return values;
}

/// \return a small value of a key as text, empty without one
std::string
FindSmallValue(const ComponentKey& key)
{
    const auto value = GetSmallValues().find(key.name);
    if (value == GetSmallValues().end())
    {
        return "";
    }
    YamlNode node;
    node.kind = YamlNode::Kind::Scalar;
    node.text = value->second;
    try
    {
        key.kind->Read(key.attribute, node, "");
        return value->second;
    }
    catch (const DescriptorError&)
    {
        return ""; // this key only has the same name
    }
}

/// \return the type of a component that must be given: one that needs no file and has few keys
ComponentType
ChooseType(TypeId base)
{
    const std::vector<ComponentType> types = GetComponentTypes(base);
    const auto rank = [&](const ComponentType& type) {
        const std::vector<ComponentKey> keys = GetComponentKeys(type.id);
        const bool path = std::any_of(keys.begin(), keys.end(), [](const ComponentKey& key) {
            return key.kind->NamesFile();
        });
        const Json defaults = GetDefaults(type.id, base);
        const bool hasRequired =
            std::any_of(keys.begin(), keys.end(), [&](const ComponentKey& key) {
                return !defaults.contains(key.name);
            });
        return std::tuple(path, hasRequired, keys.size());
    };
    return *std::min_element(types.begin(), types.end(), [&](const auto& left, const auto& right) {
        return rank(left) < rank(right);
    });
}

/// Types that a descriptor for a fabric of several paths gives to components at their defaults.
const std::map<std::string, std::string>&
GetSprayingTypes()
{
    static const std::map<std::string, std::string> types{{"host", "spray"},
                                                          {"loss_recovery", "selective-repeat"}};
    return types;
}

/// Writes the lines of a descriptor.
class StarterWriter
{
  public:
    /// \param sprays whether frames of a message are to take several paths
    explicit StarterWriter(bool sprays)
        : m_sprays(sprays)
    {
    }

    /// Writes a line of prose; an empty one stays empty.
    void WriteProse(const std::string& text)
    {
        WriteWrapped("", text.empty() ? "" : "# ", text);
    }

    /**
     * \param active false: the line is a comment
     * \param depth how far it is indented
     * \param text key and value
     * \param meaning comment behind them
     */
    void WriteKey(bool active,
                  std::size_t depth,
                  const std::string& text,
                  const std::string& meaning = "")
    {
        constexpr std::size_t column = 36;
        std::string line = std::string(2 * depth, ' ') + (active ? "" : "#") + text;
        if (meaning.empty())
        {
            m_text << line << '\n';
            return;
        }
        line.resize(std::max(line.size() + 1, column), ' ');
        WriteWrapped(line, "# ", meaning);
    }

    /**
     * Writes the keys of a component.
     * \param active false: all are comments
     */
    void WriteKeys(bool active, std::size_t depth, TypeId id, TypeId base)
    {
        const Json defaults = GetDefaults(id, base);
        for (const ComponentKey& key : GetComponentKeys(id))
        {
            if (key.IsOptional() && !defaults.contains(key.name))
            {
                continue; // there is no value to show
            }
            if (key.Is(ValueKind::Shape::Component))
            {
                WriteComponentKey(active, depth, key, defaults);
            }
            else if (defaults.contains(key.name))
            {
                WriteValueKey(active, depth, key, GetComponentTypeName(id, base), defaults);
            }
        }
    }

    /// Writes the line that names a type.
    void WriteType(bool active, std::size_t depth, TypeId id, TypeId base)
    {
        if (HasComponentTypes(base))
        {
            WriteKey(active,
                     depth,
                     "type: " + GetComponentTypeName(id, base),
                     KeyHelp::Split(GetDocumentation(id)).GetFirstSentence());
        }
    }

    std::string GetText() const
    {
        return m_text.str();
    }

    /// \return true when a file is named, which may not be there yet
    bool NamesFile() const
    {
        return m_namesFile;
    }

  private:
    void WriteComponentKey(bool active,
                           std::size_t depth,
                           const ComponentKey& key,
                           const Json& defaults)
    {
        const TypeId base = GetInnerBase(key.attribute);
        const bool required = !defaults.contains(key.name);
        const std::string meaning = KeyHelp::Split(key.attribute.help).GetFirstSentence();
        const auto chosen = GetSprayingTypes().find(key.name);
        const bool isChosen = m_sprays && !required && chosen != GetSprayingTypes().end();
        const bool isActive = active && (required || isChosen);
        // Of keys without values of their own none is shown.
        const bool isEmpty =
            !required && !HasComponentTypes(base) && GetDefaults(base, base).empty();
        WriteKey(isActive,
                 depth,
                 key.name + (isEmpty ? ": {}" : ":"),
                 HasComponentTypes(base) || isEmpty ? meaning + " (" + DescribeAllowed(key) + ")"
                                                    : meaning);
        TypeId id = base;
        if (required)
        {
            id = ChooseType(base).id;
        }
        else if (HasComponentTypes(base))
        {
            const std::string name =
                isChosen ? chosen->second : defaults.at(key.name).at("type").get<std::string>();
            const auto types = GetComponentTypes(base);
            id = std::find_if(types.begin(), types.end(), [&](const ComponentType& type) {
                     return name == type.name;
                 })->id;
        }
        WriteType(isActive, depth + 1, id, base);
        WriteKeys(active && required, depth + 1, id, base);
    }

    void WriteValueKey(bool active,
                       std::size_t depth,
                       const ComponentKey& key,
                       const std::string& type,
                       const Json& defaults)
    {
        const std::string standard = key.kind->Format(defaults.at(key.name));
        // A word among defaults, such as `whole`, has no size.
        const bool hasSize = std::isdigit(static_cast<unsigned char>(standard[0])) != 0;
        std::string value = active && hasSize ? FindSmallValue(key) : "";
        std::string meaning =
            KeyHelp::Split(key.attribute.help).GetFirstSentence() + " (" + DescribeBriefly(key);
        if (active && key.kind->NamesFile())
        {
            value = Json(type + ".csv").dump();
            meaning += " of a file that you make";
            m_namesFile = true;
        }
        else if (!value.empty())
        {
            meaning += "; default " + standard;
        }
        WriteKey(!value.empty(),
                 depth,
                 key.name + ": " + (value.empty() ? standard : value),
                 meaning + ")");
    }

    /// Writes a line with a comment, which goes on below itself when it is long.
    void WriteWrapped(const std::string& begin, const std::string& mark, const std::string& text)
    {
        constexpr std::size_t width = 100;
        std::istringstream words(text);
        std::string line = begin + mark;
        std::size_t used = 0;
        for (std::string word; words >> word;)
        {
            if (used > 0 && line.size() + word.size() > width)
            {
                Flush(line);
                line = std::string(begin.size(), ' ') + mark;
            }
            line += word + " ";
            ++used;
        }
        Flush(line);
    }

    void Flush(std::string line)
    {
        line.erase(line.find_last_not_of(' ') + 1);
        m_text << line << '\n';
    }

    std::ostringstream m_text;
    bool m_sprays;
    bool m_namesFile{false};
};

TypeId
FindType(const std::string& section, TypeId base, const std::string& name)
{
    for (const ComponentType& type : GetComponentTypes(base))
    {
        if (type.IsCalled(name))
        {
            return type.id;
        }
    }
    throw UnknownNameError("--" + section + " " + name + ": error: no type of this name" +
                           SuggestType(name, base));
}

void
WriteSection(StarterWriter& writer, const Section& section, const std::string& type, bool sprays)
{
    const TypeId base = GetSectionBase(section);
    const bool chosen = !type.empty();
    TypeId id = base;
    if (chosen)
    {
        id = FindType(section.name, base, type);
    }
    else if (const std::optional<TypeId> standard = GetSectionStandard(section))
    {
        id = *standard;
    }
    else if (HasComponentTypes(base))
    {
        id = ChooseType(base).id; // a section of a program's own
    }
    const bool active = chosen || (HasComponentTypes(base) && !GetSectionStandard(section)) ||
                        (sprays && section.name == "transport");
    writer.WriteProse("");
    writer.WriteProse(
        KeyHelp::Split(section.meaning.empty() ? GetDocumentation(base) : section.meaning).meaning);
    writer.WriteKey(active, 0, section.name + ":");
    writer.WriteType(active, 1, id, base);
    writer.WriteKeys(active, 1, id, base);
}

/// \return a value of the key `balance`
std::string
WriteBalance(const std::string& type, bool sprays)
{
    return sprays ? "{type: " + type + ", host: spray}" : type;
}

/// Adds a few more types of balance with which a descriptor is valid.
void
AddOtherBalances(const std::string& text,
                 const ExperimentCheck& check,
                 bool sprays,
                 std::vector<std::string>& balances)
{
    constexpr std::size_t most = 3;
    const auto section =
        std::find_if(GetSections().begin(), GetSections().end(), [](const Section& candidate) {
            return candidate.name == "balance";
        });
    for (const ComponentType& type : GetComponentTypes(GetSectionBase(*section)))
    {
        if (balances.size() == most || type.name == balances.front())
        {
            continue;
        }
        try
        {
            Descriptor::FromText(text,
                                 "new",
                                 {"balance=" + WriteBalance(type.name, sprays)},
                                 check);
            balances.push_back(type.name);
        }
        catch (const DescriptorError&)
        {
            // One that does not go with the rest.
        }
    }
}

/// Writes a descriptor with spraying or without, up to its sweep.
StarterWriter
WriteStarter(const StarterChoice& choice, bool sprays)
{
    const std::map<std::string, std::string> types{{"topology", choice.topology},
                                                   {"workload", choice.workload},
                                                   {"balance", choice.balance}};
    StarterWriter writer(sprays);
    writer.WriteProse("An experiment to start from: ./rails validate FILE checks it, ./rails run "
                      "FILE runs it, ./rails describe KEY says more.");
    writer.WriteProse("Behind # without a space are keys with their defaults. To change one, take "
                      "away its # and that of the lines it belongs to, further left above it.");
    writer.WriteProse("Units: time " + DimensionUnits(Dimension::Time) + "; rate " +
                      DimensionUnits(Dimension::Rate) + "; bytes " +
                      DimensionUnits(Dimension::Bytes) + ".");
    if (sprays)
    {
        writer.WriteProse(
            "There are several paths from NIC to NIC here: frames are sprayed over "
            "them. By default a hash puts each queue pair on one path, which may decide "
            "which fabric is best.");
    }
    writer.WriteProse("");
    writer.WriteKey(false, 0, "seed: 1", "All random numbers follow from it (count)");
    for (const Section& section : GetSections())
    {
        if (section.kind != ExperimentKind::Simulation)
        {
            continue;
        }
        const auto type = types.find(section.name);
        WriteSection(writer, section, type == types.end() ? "" : type->second, sprays);
    }
    return writer;
}

/// \return true when the fabric has several paths: then sprayed frames overtake each other, of
/// which a check warns as long as the receiver wants them in order
bool
HasSeveralPaths(const StarterChoice& choice, const ExperimentCheck& check)
{
    if (!check)
    {
        return false;
    }
    StarterChoice other = choice;
    other.workload = StarterChoice().workload; // needs no file
    try
    {
        const std::string text = WriteStarter(other, false).GetText();
        const Descriptor descriptor =
            Descriptor::FromText(text, "new", {"balance.host=spray"}, nullptr);
        const auto warnings = check(descriptor.MakeExperiment(0));
        return std::any_of(warnings.begin(), warnings.end(), [](const ExperimentWarning& warning) {
            return warning.key == "balance.host";
        });
    }
    catch (const std::exception&)
    {
        return false; // these types do not fit each other; the check of the descriptor reports it
    }
}

} // namespace

std::string
MakeStarterDescriptor(const StarterChoice& choice, const ExperimentCheck& check)
{
    const bool sprays = HasSeveralPaths(choice, check);
    StarterWriter writer = WriteStarter(choice, sprays);
    std::vector<std::string> balances{choice.balance};
    if (!writer.NamesFile())
    {
        Descriptor::FromText(writer.GetText(), "new", {}, check); // or else it throws
        AddOtherBalances(writer.GetText(), check, sprays, balances);
    }
    for (std::string& balance : balances)
    {
        balance = WriteBalance(balance, sprays);
    }
    writer.WriteProse("");
    writer.WriteProse("A sweep: every combination of these values is run.");
    writer.WriteKey(false, 0, "sweep:");
    writer.WriteKey(false, 1, "balance: [" + JoinNames(balances) + "]");
    writer.WriteKey(false, 1, "seed: [1, 2, 3]");
    return writer.GetText();
}

} // namespace ns3::rails
