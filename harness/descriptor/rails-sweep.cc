// SPDX-License-Identifier: GPL-2.0-only
#include "rails-sweep.h"

#include "ns3/rails-quantity.h"
#include "ns3/rails-sha256.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace ns3::rails
{

namespace
{

constexpr std::size_t kMostPoints = 100'000;
constexpr std::size_t kLongestPointName = 200; // file systems allow 255 bytes
const std::string kZip = "zip";
const std::string kPoints = "points";
const std::string kRepeat = "repeat";
const std::string kSeed = "seed";
const std::string kTooMany = "the sweep has more than " + std::to_string(kMostPoints) + " points";

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

/// \return a text that is the same for values that mean the same
std::string
Spell(const YamlNode& node)
{
    std::string text;
    switch (node.kind)
    {
    case YamlNode::Kind::Null:
        return "~";
    case YamlNode::Kind::Scalar:
        return std::to_string(node.text.size()) + ":" + node.text;
    case YamlNode::Kind::List:
        for (const YamlNode& item : node.items)
        {
            text += Spell(item) + ",";
        }
        return "[" + text + "]";
    case YamlNode::Kind::Map:
        break;
    }
    std::map<std::string, std::string> sorted;
    for (const YamlEntry& entry : node.entries)
    {
        sorted[entry.key] = Spell(entry.value);
    }
    for (const auto& [key, value] : sorted)
    {
        text += std::to_string(key.size()) + ":" + key + "=" + value + ",";
    }
    return "{" + text + "}";
}

/// The labels of all values of one key.
class LabelTable
{
  public:
    void Add(const YamlNode& value)
    {
        if (m_known.emplace(Spell(value), m_values.size()).second)
        {
            m_values.push_back(&value);
        }
    }

    /// Labels that all differ: types alone where that is enough, then with keys, then numbered.
    void Finish()
    {
        std::map<std::string, std::size_t> plain;
        for (const YamlNode* value : m_values)
        {
            ++plain[MakeLabel(*value, false)];
        }
        std::set<std::string> used;
        for (const YamlNode* value : m_values)
        {
            const std::string type = MakeLabel(*value, false);
            const std::string whole = plain[type] == 1 ? type : MakeLabel(*value, true);
            std::string label = whole;
            for (std::size_t number = 2; !used.insert(label).second; ++number)
            {
                label = whole + "-" + std::to_string(number);
            }
            m_labels.push_back(label);
        }
    }

    const std::string& Get(const YamlNode& value) const
    {
        return m_labels[m_known.at(Spell(value))];
    }

  private:
    std::map<std::string, std::size_t> m_known; //!< number of a value by its spelling
    std::vector<const YamlNode*> m_values;
    std::vector<std::string> m_labels;
};

/// Refuses what cannot be a key of an axis.
void
CheckKey(const YamlEntry& entry)
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
}

/// \return the choices of a list of values, each different
std::vector<SweepChoice>
ReadAxis(const YamlEntry& entry)
{
    CheckKey(entry);
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
    std::map<std::string, Place> known;
    std::vector<SweepChoice> choices;
    for (const YamlNode& item : entry.value.items)
    {
        const auto [first, isNew] = known.emplace(Spell(item), item.place);
        if (!isNew)
        {
            throw DescriptorError(item.place,
                                  "this value of the axis '" + entry.key +
                                      "' is here twice; the first is at " +
                                      first->second.ToString());
        }
        choices.push_back({{{entry.key, item.place, item}}, {}});
    }
    return choices;
}

/// \return the choices of lists of values that go together
std::vector<SweepChoice>
ReadZip(const YamlNode& node)
{
    if (node.kind != YamlNode::Kind::Map || node.entries.empty())
    {
        throw DescriptorError(
            node.place,
            "expected a map of keys with lists of values that go together, found " +
                node.Describe());
    }
    std::vector<SweepChoice> choices;
    for (const YamlEntry& entry : node.entries)
    {
        CheckKey(entry);
        const YamlNode& list = entry.value;
        if (list.kind != YamlNode::Kind::List || list.items.empty())
        {
            throw DescriptorError(list.place,
                                  "expected a list of the values of '" + entry.key + "', found " +
                                      list.Describe());
        }
        if (choices.empty())
        {
            choices.resize(list.items.size());
        }
        if (list.items.size() != choices.size())
        {
            throw DescriptorError(list.place,
                                  "lists that go together are of equal length; '" +
                                      node.entries.front().key + "' has " +
                                      std::to_string(choices.size()) + " values and '" + entry.key +
                                      "' " + std::to_string(list.items.size()));
        }
        for (std::size_t i = 0; i < choices.size(); ++i)
        {
            choices[i].values.push_back({entry.key, list.items[i].place, list.items[i]});
        }
    }
    return choices;
}

/// \return the maps of `zip`: one, or a list of several
std::vector<const YamlNode*>
ListZips(const YamlNode& node)
{
    std::vector<const YamlNode*> zips;
    if (node.kind != YamlNode::Kind::List)
    {
        return {&node};
    }
    for (const YamlNode& item : node.items)
    {
        zips.push_back(&item);
    }
    return zips;
}

/// \return the points that are given one by one
std::vector<SweepChoice>
ReadPoints(const YamlNode& node)
{
    if (node.kind != YamlNode::Kind::List || node.items.empty())
    {
        throw DescriptorError(node.place,
                              "expected a list of points, each a map of keys with their values, "
                              "found " +
                                  node.Describe());
    }
    std::vector<SweepChoice> choices;
    for (const YamlNode& item : node.items)
    {
        if (item.kind != YamlNode::Kind::Map || item.entries.empty())
        {
            throw DescriptorError(item.place,
                                  "expected a map of keys with the values of this point, such as "
                                  "{balance: ecmp, seed: 3}; found " +
                                      item.Describe());
        }
        SweepChoice choice;
        for (const YamlEntry& entry : item.entries)
        {
            CheckKey(entry);
            choice.values.push_back({entry.key, entry.place, entry.value});
        }
        choices.push_back(std::move(choice));
    }
    return choices;
}

/// \return how many seeds each point is run with
uint64_t
ReadRepeat(const YamlEntry& entry)
{
    try
    {
        const bool isPlain = entry.value.kind == YamlNode::Kind::Scalar && !entry.value.quoted;
        const uint64_t repeat = isPlain ? ParseCount(entry.value.text) : 0;
        if (repeat >= 1 && repeat <= kMostPoints)
        {
            return repeat;
        }
    }
    catch (const QuantityError&)
    {
    }
    throw DescriptorError(entry.value.place,
                          "expected how many seeds each point is run with, 1 to " +
                              std::to_string(kMostPoints) + "; found " + entry.value.Describe());
}

/// \return the seed in a node, 1 without one (whether it is right is looked at elsewhere)
uint64_t
GetSeed(const YamlNode* node)
{
    try
    {
        return node ? ParseCount(node->text) : 1;
    }
    catch (const QuantityError&)
    {
        return 1;
    }
}

/// \return the seeds from a first one on
std::vector<SweepChoice>
MakeSeeds(uint64_t first, uint64_t count, const Place& place)
{
    std::vector<SweepChoice> choices;
    for (uint64_t i = 0; i < count; ++i)
    {
        YamlNode seed;
        seed.kind = YamlNode::Kind::Scalar;
        seed.place = place;
        seed.text = std::to_string(first + i);
        choices.push_back({{{kSeed, place, seed}}, {}});
    }
    return choices;
}

/// Gives each point several seeds, from its own or the descriptor's on.
std::vector<SweepChoice>
Repeat(const std::vector<SweepChoice>& points,
       const YamlNode* seed,
       uint64_t count,
       const Place& place)
{
    std::vector<SweepChoice> repeated;
    for (const SweepChoice& point : points)
    {
        SweepChoice rest;
        const YamlNode* own = seed;
        for (const Override& value : point.values)
        {
            if (value.key == kSeed)
            {
                own = &value.value;
            }
            else
            {
                rest.values.push_back(value);
            }
        }
        for (const SweepChoice& choice : MakeSeeds(GetSeed(own), count, place))
        {
            repeated.push_back(rest);
            repeated.back().values.push_back(choice.values.front());
        }
    }
    return repeated;
}

using Grid = std::vector<std::vector<SweepChoice>>;

std::size_t
CountPoints(const Grid& grid)
{
    std::size_t count = 1;
    for (const std::vector<SweepChoice>& dimension : grid)
    {
        count *= dimension.size(); // at most the largest file's values times kMostPoints
    }
    return count;
}

/// Gathers what a section says, entry by entry.
class SectionReader
{
  public:
    /// \throws DescriptorError
    void Read(const YamlEntry& entry)
    {
        if (entry.key == kZip)
        {
            for (const YamlNode* zip : ListZips(entry.value))
            {
                AddDimension(ReadZip(*zip), entry.place);
            }
        }
        else if (entry.key == kPoints)
        {
            m_points = ReadPoints(entry.value);
        }
        else if (entry.key == kRepeat)
        {
            m_repeat = &entry;
            m_seeds = ReadRepeat(entry);
        }
        else
        {
            AddDimension(ReadAxis(entry), entry.place);
        }
    }

    /**
     * \param seed the descriptor's seed, if it has one
     * \return the grids: the one of the axes, and the points given one by one
     * \throws DescriptorError
     */
    std::vector<Grid> Finish(const YamlNode* seed)
    {
        CheckKeys();
        if (m_repeat)
        {
            if (m_points.size() * m_seeds > kMostPoints)
            {
                throw DescriptorError(m_repeat->place, kTooMany);
            }
            m_points = Repeat(m_points, seed, m_seeds, m_repeat->place);
            if (!m_grid.empty() || m_points.empty())
            {
                m_grid.push_back(MakeSeeds(GetSeed(seed), m_seeds, m_repeat->place));
            }
        }
        std::vector<Grid> grids;
        if (!m_grid.empty())
        {
            grids.push_back(std::move(m_grid));
        }
        if (!m_points.empty())
        {
            grids.push_back({std::move(m_points)});
        }
        std::size_t count = 0;
        for (const Grid& grid : grids)
        {
            count += CountPoints(grid);
        }
        if (count > kMostPoints)
        {
            throw DescriptorError(grids.back().back().front().values.front().place, kTooMany);
        }
        return grids;
    }

  private:
    void AddDimension(std::vector<SweepChoice> dimension, const Place& place)
    {
        m_grid.push_back(std::move(dimension));
        if (CountPoints(m_grid) > kMostPoints)
        {
            m_grid.clear();
            throw DescriptorError(place, kTooMany);
        }
    }

    /// Refuses a key that two axes vary.
    void CheckKeys() const
    {
        std::set<std::string> keys;
        for (const std::vector<SweepChoice>& dimension : m_grid)
        {
            for (const Override& value : dimension.front().values)
            {
                if (!keys.insert(value.key).second || (m_repeat && value.key == kSeed))
                {
                    throw DescriptorError(value.place,
                                          "'" + value.key + "' is varied twice in this sweep");
                }
            }
        }
    }

    Grid m_grid;
    std::vector<SweepChoice> m_points;
    const YamlEntry* m_repeat{nullptr};
    uint64_t m_seeds{1};
};

/// Takes a key out of a map of keys that a sweep varies.
void
FixKeyOfMap(YamlNode& map, const Override& set, const std::string& where)
{
    map.Remove(set.GetTarget());
    map.Remove(set.key);
    for (const YamlEntry& entry : map.entries)
    {
        if (IsInside(set.key, entry.key))
        {
            throw DescriptorError(set.place,
                                  "'" + entry.key + "' is an axis of the sweep; set " + where +
                                      " instead");
        }
    }
}

/// The same for each map of a list; those that are empty then go.
void
FixKeyOfMaps(YamlNode& list, const Override& set, const std::string& where)
{
    for (YamlNode& item : list.items)
    {
        FixKeyOfMap(item, set, where);
    }
    list.items.erase(std::remove_if(list.items.begin(),
                                    list.items.end(),
                                    [](const YamlNode& item) {
                                        return item.kind == YamlNode::Kind::Map &&
                                               item.entries.empty();
                                    }),
                     list.items.end());
}

} // namespace

Sweep::Sweep(const YamlNode& root, DiagnosticList& diagnostics)
{
    const YamlEntry* section = root.Find("sweep");
    if (!section)
    {
        return;
    }
    if (section->value.kind != YamlNode::Kind::Map)
    {
        diagnostics.Add(section->value.place,
                        "expected a map from keys to lists of values, found " +
                            section->value.Describe());
        return;
    }
    SectionReader reader;
    for (const YamlEntry& entry : section->value.entries)
    {
        try
        {
            reader.Read(entry);
        }
        catch (const DescriptorError& error)
        {
            diagnostics.Add(error);
        }
    }
    const YamlEntry* seed = root.Find(kSeed);
    try
    {
        m_grids = reader.Finish(seed ? &seed->value : nullptr);
    }
    catch (const DescriptorError& error)
    {
        diagnostics.Add(error);
        return;
    }
    MakeLabels();
}

bool
Sweep::HasPoints() const
{
    return !m_grids.empty();
}

std::size_t
Sweep::GetPointCount() const
{
    std::size_t count = 0;
    for (const Grid& grid : m_grids)
    {
        count += CountPoints(grid);
    }
    return std::max<std::size_t>(count, 1);
}

std::vector<const SweepChoice*>
Sweep::GetChoices(std::size_t point) const
{
    std::vector<const SweepChoice*> choices;
    for (const Grid& grid : m_grids)
    {
        choices.assign(grid.size(), nullptr);
        std::size_t rest = point;
        for (std::size_t i = grid.size(); i-- > 0;)
        {
            choices[i] = &grid[i][rest % grid[i].size()];
            rest /= grid[i].size();
        }
        if (rest == 0)
        {
            break;
        }
        point -= CountPoints(grid);
    }
    return choices;
}

std::vector<std::pair<std::string, std::string>>
Sweep::GetAxes(std::size_t point) const
{
    std::vector<std::pair<std::string, std::string>> axes;
    for (const SweepChoice* choice : GetChoices(point))
    {
        for (std::size_t i = 0; i < choice->values.size(); ++i)
        {
            axes.emplace_back(choice->values[i].key, choice->labels[i]);
        }
    }
    return axes;
}

std::string
Sweep::GetPointName(std::size_t point) const
{
    return MakeName(point, true);
}

std::string
Sweep::GetGroupName(std::size_t point) const
{
    return MakeName(point, false);
}

std::string
Sweep::MakeName(std::size_t point, bool withSeed) const
{
    std::string name;
    for (const auto& [key, label] : GetAxes(point))
    {
        if (withSeed || key != kSeed)
        {
            name += (name.empty() ? "" : ",") + m_names.at(key) + "=" + label;
        }
    }
    if (name.size() > kLongestPointName)
    {
        constexpr std::size_t digits = 12;
        name = name.substr(0, kLongestPointName) + "," + ComputeSha256(name).substr(0, digits);
    }
    return name;
}

Place
Sweep::FindDifference(std::size_t point, std::size_t other) const
{
    const std::vector<const SweepChoice*> choices = GetChoices(point);
    const std::vector<const SweepChoice*> others = GetChoices(other);
    const auto found =
        std::mismatch(choices.begin(), choices.end(), others.begin(), others.end()).first;
    return (found == choices.end() ? choices.front() : *found)->values.front().place;
}

void
Sweep::Apply(std::size_t point, YamlNode& root) const
{
    std::vector<const Override*> values;
    for (const SweepChoice* choice : GetChoices(point))
    {
        for (const Override& value : choice->values)
        {
            values.push_back(&value);
        }
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

void
Sweep::MakeLabels()
{
    std::map<std::string, LabelTable> tables;
    const auto forEach = [&](const auto& function) {
        for (Grid& grid : m_grids)
        {
            for (std::vector<SweepChoice>& dimension : grid)
            {
                std::for_each(dimension.begin(), dimension.end(), function);
            }
        }
    };
    forEach([&](SweepChoice& choice) {
        for (const Override& value : choice.values)
        {
            tables[value.key].Add(value.value);
        }
    });
    std::map<std::string, std::size_t> ends;
    for (auto& [key, table] : tables)
    {
        table.Finish();
        ++ends[SplitPath(key).back()];
    }
    forEach([&](SweepChoice& choice) {
        for (const Override& value : choice.values)
        {
            choice.labels.push_back(tables[value.key].Get(value.value));
        }
    });
    // The last part of a key is how people call it, unless another one has the same.
    for (const auto& [key, table] : tables)
    {
        const std::string end = SplitPath(key).back();
        m_names[key] = MakeSafe(ends[end] == 1 ? end : key);
    }
}

void
FixSweptKey(YamlNode& sweep, const Override& set)
{
    for (YamlEntry& entry : sweep.entries)
    {
        if (entry.key == kZip || entry.key == kPoints)
        {
            const std::string where = "sweep." + entry.key;
            FixKeyOfMap(entry.value, set, where);
            FixKeyOfMaps(entry.value, set, where);
        }
    }
    for (const std::string& key : {kZip, kPoints})
    {
        const YamlEntry* entry = sweep.Find(key);
        if (entry && entry->value.kind != YamlNode::Kind::Scalar && entry->value.items.empty() &&
            entry->value.entries.empty())
        {
            sweep.Remove(key);
        }
    }
    sweep.Remove(set.GetTarget());
    sweep.Remove(set.key);
    for (const YamlEntry& axis : sweep.entries)
    {
        if (IsInside(set.key, axis.key))
        {
            throw DescriptorError(set.place,
                                  "'" + axis.key + "' is an axis of the sweep; set sweep." +
                                      axis.key + " instead");
        }
    }
}

} // namespace ns3::rails
