// SPDX-License-Identifier: GPL-2.0-only
#include "rails-sweep.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace ns3::rails
{

namespace
{

constexpr std::size_t kMostPoints = 100'000;
constexpr std::size_t kLongestName = 200; // file systems allow 255 bytes

/// \return the text with everything replaced that a shell or a file system may take amiss
std::string
MakeSafe(const std::string& text)
{
    const std::string allowed = "._+-";
    std::string safe;
    for (const char letter : text)
    {
        const bool plain = (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
                           (letter >= 'A' && letter <= 'Z') ||
                           allowed.find(letter) != std::string::npos;
        safe += plain ? letter : '-';
    }
    return safe.empty() ? "-" : safe;
}

/**
 * \param withKeys false: of a component with a type, the type alone
 * \return a value in one readable word
 */
std::string
MakeLabel(const YamlNode& node, bool withKeys)
{
    std::string text;
    switch (node.kind)
    {
    case YamlNode::Kind::Null:
        return "none";
    case YamlNode::Kind::Scalar:
        return MakeSafe(node.text);
    case YamlNode::Kind::List:
        for (const YamlNode& item : node.items)
        {
            text += (text.empty() ? "" : "+") + MakeLabel(item, withKeys);
        }
        return text.empty() ? "none" : text;
    case YamlNode::Kind::Map:
        break;
    }
    const YamlEntry* type = node.Find("type");
    if (type)
    {
        text = MakeLabel(type->value, withKeys);
        if (!withKeys)
        {
            return text;
        }
    }
    for (const YamlEntry& entry : node.entries)
    {
        if (&entry != type)
        {
            text += (text.empty() ? "" : "+") + MakeSafe(entry.key) + "-" +
                    MakeLabel(entry.value, true);
        }
    }
    return text.empty() ? "none" : text;
}

/// Labels that all differ: types alone where that is enough, then with keys, then numbered.
std::vector<std::string>
MakeLabels(const std::vector<Override>& values)
{
    const auto countSame = [](const std::vector<std::string>& labels, const std::string& label) {
        return std::count(labels.begin(), labels.end(), label);
    };
    std::vector<std::string> plain;
    for (const Override& value : values)
    {
        plain.push_back(MakeLabel(value.value, false));
    }
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        labels.push_back(countSame(plain, plain[i]) == 1 ? plain[i]
                                                         : MakeLabel(values[i].value, true));
    }
    for (std::size_t i = 0; i < labels.size(); ++i)
    {
        std::string label = labels[i];
        for (std::size_t number = 2; countSame(labels, labels[i]) > 1; ++number)
        {
            // Only the later ones of equal labels are numbered.
            if (std::find(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(i), label) ==
                labels.begin() + static_cast<std::ptrdiff_t>(i))
            {
                break;
            }
            label = labels[i] + "-" + std::to_string(number);
        }
        labels[i] = label;
    }
    return labels;
}

bool
IsSame(const YamlNode& left, const YamlNode& right)
{
    if (left.kind != right.kind || left.text != right.text ||
        left.items.size() != right.items.size() || left.entries.size() != right.entries.size())
    {
        return false;
    }
    for (std::size_t i = 0; i < left.items.size(); ++i)
    {
        if (!IsSame(left.items[i], right.items[i]))
        {
            return false;
        }
    }
    return std::all_of(left.entries.begin(), left.entries.end(), [&](const YamlEntry& entry) {
        const YamlEntry* other = right.Find(entry.key);
        return other && IsSame(entry.value, other->value);
    });
}

SweepAxis
ReadAxis(const YamlEntry& entry)
{
    if (entry.key == "name" || entry.key == "sweep")
    {
        throw DescriptorError(entry.place, "'" + entry.key + "' cannot be an axis of a sweep");
    }
    const std::vector<std::string> parts = SplitPath(entry.key);
    if (std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part.empty(); }))
    {
        throw DescriptorError(entry.place, "expected a key with points between its parts");
    }
    if (entry.value.kind != YamlNode::Kind::List)
    {
        const std::string hint = entry.value.kind == YamlNode::Kind::Map
                                     ? "; write inner keys with points, such as transport.mtu"
                                     : "";
        throw DescriptorError(entry.value.place,
                              "expected a list of the values of '" + entry.key + "', found " +
                                  entry.value.Describe() + hint);
    }
    if (entry.value.items.empty())
    {
        throw DescriptorError(entry.value.place, "the axis '" + entry.key + "' has no values");
    }
    SweepAxis axis;
    axis.key = entry.key;
    axis.place = entry.place;
    for (const YamlNode& item : entry.value.items)
    {
        for (const Override& earlier : axis.values)
        {
            if (IsSame(earlier.value, item))
            {
                throw DescriptorError(item.place,
                                      "this value of the axis '" + entry.key + "' is here twice");
            }
        }
        axis.values.push_back({entry.key, item.place, item});
    }
    axis.labels = MakeLabels(axis.values);
    return axis;
}

/// FNV-1a, to keep cut names apart.
std::string
Digest(const std::string& text)
{
    uint32_t hash = 2166136261U;
    for (const unsigned char letter : text)
    {
        hash = (hash ^ letter) * 16777619U;
    }
    return std::to_string(hash);
}

} // namespace

Sweep::Sweep(const YamlNode& node, DiagnosticList& diagnostics)
{
    if (node.kind != YamlNode::Kind::Map)
    {
        diagnostics.Add(node.place,
                        "expected a map from keys to the lists of their values, found " +
                            node.Describe());
        return;
    }
    for (const YamlEntry& entry : node.entries)
    {
        try
        {
            m_axes.push_back(ReadAxis(entry));
        }
        catch (const DescriptorError& error)
        {
            diagnostics.Add(error);
        }
    }
    std::size_t points = 1;
    for (const SweepAxis& axis : m_axes)
    {
        points *= axis.values.size(); // at most the largest file's values times kMostPoints
        if (points > kMostPoints)
        {
            diagnostics.Add(axis.place,
                            "the sweep has more than " + std::to_string(kMostPoints) + " points");
            m_axes.clear();
            return;
        }
    }
    // The last part of a key is how people call it, unless another axis has the same.
    for (const SweepAxis& axis : m_axes)
    {
        const auto sameEnd = [&](const SweepAxis& other) {
            return SplitPath(other.key).back() == SplitPath(axis.key).back();
        };
        const bool unique = std::count_if(m_axes.begin(), m_axes.end(), sameEnd) == 1;
        m_names.push_back(MakeSafe(unique ? SplitPath(axis.key).back() : axis.key));
    }
}

const std::vector<SweepAxis>&
Sweep::GetAxes() const
{
    return m_axes;
}

std::size_t
Sweep::GetPointCount() const
{
    return std::accumulate(
        m_axes.begin(),
        m_axes.end(),
        std::size_t{1},
        [](std::size_t count, const SweepAxis& axis) { return count * axis.values.size(); });
}

std::vector<std::size_t>
Sweep::GetChoices(std::size_t point) const
{
    std::vector<std::size_t> choices(m_axes.size());
    for (std::size_t i = m_axes.size(); i-- > 0;)
    {
        choices[i] = point % m_axes[i].values.size();
        point /= m_axes[i].values.size();
    }
    return choices;
}

std::string
Sweep::GetPointName(std::size_t point) const
{
    const std::vector<std::size_t> choices = GetChoices(point);
    std::string name;
    for (std::size_t i = 0; i < m_axes.size(); ++i)
    {
        name += (name.empty() ? "" : ",") + m_names[i] + "=" + m_axes[i].labels[choices[i]];
    }
    if (name.size() > kLongestName)
    {
        name = name.substr(0, kLongestName) + "," + Digest(name);
    }
    return name;
}

void
Sweep::Apply(std::size_t point, YamlNode& root) const
{
    const std::vector<std::size_t> choices = GetChoices(point);
    std::vector<const Override*> values;
    for (std::size_t i = 0; i < m_axes.size(); ++i)
    {
        values.push_back(&m_axes[i].values[choices[i]]);
    }
    // A whole component first, then axes that are keys of it.
    std::stable_sort(values.begin(), values.end(), [](const auto* left, const auto* right) {
        return left->IsBefore(*right);
    });
    for (const Override* value : values)
    {
        value->Apply(root);
    }
}

} // namespace ns3::rails
