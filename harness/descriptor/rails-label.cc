// SPDX-License-Identifier: GPL-2.0-only
#include "rails-label.h"

#include "ns3/rails-sha256.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ns3::rails
{

namespace
{

const std::string kLabel = "label";
const std::string kValue = "value";
constexpr std::size_t kLongest = 60; // bytes; figures and folder names have no room for more

} // namespace

bool
IsLabel(const YamlEntry& entry)
{
    return entry.key == kLabel;
}

Label
ReadLabel(const YamlEntry& entry)
{
    const YamlNode& node = entry.value;
    const std::string& text = node.text;
    const bool hasControls = std::any_of(text.begin(), text.end(), [](unsigned char letter) {
        return letter < ' ' || letter == 0x7F;
    });
    if (node.kind != YamlNode::Kind::Scalar || text.empty() || text.size() > kLongest ||
        text.front() == ' ' || text.back() == ' ' || hasControls)
    {
        throw DescriptorError(node.place,
                              "expected a label, a text in one line of at most " +
                                  std::to_string(kLongest) + " bytes; found " + node.Describe());
    }
    return {text, node.place};
}

std::optional<Label>
TakeLabel(YamlNode& value)
{
    const YamlEntry* entry = value.kind == YamlNode::Kind::Map ? value.Find(kLabel) : nullptr;
    if (!entry)
    {
        return std::nullopt;
    }
    Label label = ReadLabel(*entry);
    if (value.entries.size() == 1)
    {
        throw DescriptorError(entry->place,
                              "a label needs what it names: {label: " + label.text +
                                  ", value: ...}, or the keys of a component beside it");
    }
    const YamlEntry* inner = value.entries.size() == 2 ? value.Find(kValue) : nullptr;
    if (!inner)
    {
        value.Remove(kLabel);
        return label;
    }
    YamlNode whole = inner->value;
    if (const std::optional<Label> second = TakeLabel(whole))
    {
        throw DescriptorError(second->place,
                              "this value is called '" + label.text +
                                  "' already; a value has one label");
    }
    value = std::move(whole);
    return label;
}

std::string
MakeSafe(const std::string& text)
{
    const std::string allowed = "._+-";
    std::string safe;
    bool isOther = false; // the letter before was of another script
    bool hasOthers = false;
    for (const char letter : text)
    {
        if (static_cast<unsigned char>(letter) > 0x7F)
        {
            safe += isOther ? "" : "-";
            isOther = hasOthers = true;
            continue;
        }
        isOther = false;
        const bool plain = (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
                           (letter >= 'A' && letter <= 'Z') ||
                           allowed.find(letter) != std::string::npos;
        safe += plain ? letter : '-';
    }
    if (hasOthers)
    {
        constexpr std::size_t digits = 8;
        safe.erase(safe.find_last_not_of('-') + 1);
        return safe + "-" + ComputeSha256(text).substr(0, digits);
    }
    return safe.empty() ? "-" : safe;
}

} // namespace ns3::rails
