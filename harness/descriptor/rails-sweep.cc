// SPDX-License-Identifier: GPL-2.0-only
#include "rails-sweep.h"

#include "ns3/rails-nearest-name.h"
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
const std::string kRepeat = "repeat";
const std::string kSeed = "seed";
const std::string kTooMany = "the sweep has more than " + std::to_string(kMostPoints) + " points";

/**
 * \param withKeys false: of a component with a type, only the type
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
        if (&entry != type && !IsLabel(entry))
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
        if (!IsLabel(entry))
        {
            sorted[entry.key] = Spell(entry.value);
        }
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
    /// \throws DescriptorError when the value has another label elsewhere
    void Add(const SweepValue& value)
    {
        const auto [known, isNew] = m_known.emplace(Spell(value.set.value), m_values.size());
        if (isNew)
        {
            m_values.push_back({&value.set.value, value.given, ""});
            return;
        }
        std::optional<Label>& given = m_values[known->second].given;
        if (given && value.given && given->text != value.given->text)
        {
            throw DescriptorError(value.given->place,
                                  "this value is called '" + given->text + "' at " +
                                      given->place.ToString() + "; a value has one label");
        }
        given = given ? given : value.given;
    }

    /**
     * Makes distinct labels: the given ones, otherwise types if these are distinct, then types with
     * keys, then numbered.
     * \throws DescriptorError when a label that was given names two values
     */
    void Finish()
    {
        std::map<std::string, std::size_t> plain;
        for (Entry& entry : m_values)
        {
            if (entry.given)
            {
                UseGiven(entry);
            }
            else
            {
                ++plain[MakeLabel(*entry.value, false)];
            }
        }
        std::set<std::string> used;
        for (Entry& entry : m_values)
        {
            if (entry.given)
            {
                continue;
            }
            const std::string type = MakeLabel(*entry.value, false);
            const std::string whole = plain[type] == 1 ? type : MakeLabel(*entry.value, true);
            entry.label = whole;
            for (std::size_t number = 2; !used.insert(entry.label).second; ++number)
            {
                entry.label = whole + "-" + std::to_string(number);
            }
            CheckAgainstGiven(entry);
        }
    }

    /// Gives a value its label, and the one that the same value was given elsewhere.
    void Put(SweepValue& value) const
    {
        const Entry& entry = m_values[m_known.at(Spell(value.set.value))];
        value.label = entry.label;
        value.given = entry.given;
    }

  private:
    struct Entry
    {
        const YamlNode* value;
        std::optional<Label> given;
        std::string label;
    };

    void UseGiven(Entry& entry)
    {
        entry.label = MakeSafe(entry.given->text);
        const auto [first, isNew] = m_given.emplace(entry.label, *entry.given);
        if (isNew)
        {
            return;
        }
        const bool isSame = first->second.text == entry.given->text;
        throw DescriptorError(
            entry.given->place,
            (isSame ? "another value of this axis is called '" + entry.given->text + "' too, at "
                    : "'" + entry.given->text + "' and '" + first->second.text +
                          "' are the same in names of folders; the other one is at ") +
                first->second.place.ToString() + "; give each value a label of its own");
    }

    void CheckAgainstGiven(const Entry& entry) const
    {
        const auto given = m_given.find(entry.label);
        if (given != m_given.end())
        {
            throw DescriptorError(given->second.place,
                                  "'" + entry.label + "' is what the value at " +
                                      entry.value->place.ToString() +
                                      " is called without a label; give one of them another");
        }
    }

    std::map<std::string, std::size_t> m_known; //!< number of a value by its spelling
    std::vector<Entry> m_values;
    std::map<std::string, Label> m_given; //!< as they are in names of folders
};

/// \return a value of a key, apart from its label
SweepValue
MakeValue(const std::string& key, const Place& place, YamlNode node)
{
    std::optional<Label> label = TakeLabel(node);
    return {{key, place, std::move(node)}, std::move(label)};
}

/// Refuses what cannot be a key of an axis.
void
CheckKey(const YamlEntry& entry)
{
    if (entry.key == "name" || entry.key == "sweep")
    {
        throw DescriptorError(entry.place, "'" + entry.key + "' cannot be an axis of a sweep");
    }
    if (entry.key == "label")
    {
        throw DescriptorError(entry.place,
                              "a label stands in the value that it names: {label: X, value: Y}, or "
                              "{type: rails, label: X}");
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
        SweepValue value = MakeValue(entry.key, item.place, item);
        const auto [first, isNew] = known.emplace(Spell(value.set.value), item.place);
        if (!isNew)
        {
            throw DescriptorError(item.place,
                                  "this value of the axis '" + entry.key +
                                      "' is here twice; the first is at " +
                                      first->second.ToString());
        }
        choices.push_back({{std::move(value)}});
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
            choices[i].values.push_back(MakeValue(entry.key, list.items[i].place, list.items[i]));
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
        choice.isPoint = true;
        for (const YamlEntry& entry : item.entries)
        {
            CheckKey(entry);
            choice.values.push_back(MakeValue(entry.key, entry.place, entry.value));
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

/// \return the seed in a node, 1 without one (its check is elsewhere)
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
        choices.push_back({{{{kSeed, place, seed}, std::nullopt}}});
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
        rest.isPoint = point.isPoint;
        const YamlNode* own = seed;
        for (const SweepValue& value : point.values)
        {
            if (value.set.key == kSeed)
            {
                own = &value.set.value;
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

/// \return the value of a key, if the choice has one
const SweepValue*
FindValue(const SweepChoice& choice, const std::string& key)
{
    const auto found = std::find_if(choice.values.begin(),
                                    choice.values.end(),
                                    [&](const SweepValue& value) { return value.set.key == key; });
    return found == choice.values.end() ? nullptr : &*found;
}

/// \return what a value is called: by the user, or else in the names of folders
const std::string&
GetText(const SweepValue& value)
{
    return value.given ? value.given->text : value.label;
}

/// \return true when all values except one key's are equal
bool
IsSameBut(const SweepChoice& one, const SweepChoice& other, const std::string& key)
{
    return one.values.size() == other.values.size() &&
           std::all_of(one.values.begin(), one.values.end(), [&](const SweepValue& own) {
               const SweepValue* same = FindValue(other, own.set.key);
               return own.set.key == key || (same && same->label == own.label);
           });
}

/**
 * \param label of the baseline along a key
 * \return the baseline of a choice, if there is one: it has this value of the key, and all other
values are equal. Keys in one `zip` with the key may differ when only one choice has this value.
 */
const SweepChoice*
FindBaseline(const std::vector<SweepChoice>& choices,
             const SweepChoice& choice,
             const std::string& key,
             const std::string& label)
{
    std::vector<const SweepChoice*> found;
    for (const SweepChoice& other : choices)
    {
        const SweepValue* value = FindValue(other, key);
        if (!value || GetText(*value) != label)
        {
            continue;
        }
        if (IsSameBut(choice, other, key))
        {
            return &other;
        }
        found.push_back(&other);
    }
    return found.size() == 1 && !choice.isPoint ? found.front() : nullptr;
}

/// Adds the labels of values by key and by how people may write them.
void
AddLabels(const SweepChoice& choice,
          std::map<std::string, std::map<std::string, std::string>>& known)
{
    for (const SweepValue& value : choice.values)
    {
        known[value.set.key][value.label] = GetText(value);
        known[value.set.key][GetText(value)] = GetText(value);
    }
}

template <typename T>
std::vector<std::string>
GetKeys(const std::map<std::string, T>& map)
{
    std::vector<std::string> keys;
    for (const auto& [key, value] : map)
    {
        keys.push_back(key);
    }
    return keys;
}

/// \return the labels of the values of an axis
std::vector<std::string>
GetTexts(const std::map<std::string, std::string>& labels)
{
    std::set<std::string> texts;
    for (const auto& [said, text] : labels)
    {
        texts.insert(text);
    }
    return {texts.begin(), texts.end()};
}

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
        if (entry.key == kSweepZip)
        {
            for (const YamlNode* zip : ListZips(entry.value))
            {
                AddDimension(ReadZip(*zip), entry.place);
            }
        }
        else if (entry.key == kSweepPoints)
        {
            m_points = ReadPoints(entry.value);
        }
        else if (entry.key == kRepeat)
        {
            m_repeat = &entry;
            m_seeds = ReadRepeat(entry);
        }
        else if (entry.key == kSweepBaseline)
        {
            return; // checked when the labels are known
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
            throw DescriptorError(grids.back().back().front().values.front().set.place, kTooMany);
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
            for (const SweepValue& value : dimension.front().values)
            {
                const Override& set = value.set;
                if (!keys.insert(set.key).second || (m_repeat && set.key == kSeed))
                {
                    throw DescriptorError(set.place,
                                          "'" + set.key + "' is varied twice in this sweep");
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
    MakeLabels(diagnostics);
    try
    {
        if (const YamlEntry* baseline = section->value.Find(kSweepBaseline))
        {
            ReadBaseline(baseline->value);
        }
    }
    catch (const DescriptorError& error)
    {
        diagnostics.Add(error);
    }
}

bool
Sweep::HasPoints() const
{
    return !m_grids.empty();
}

std::size_t
Sweep::GetPointCount() const
{
    if (m_kept)
    {
        return m_kept->size();
    }
    std::size_t count = 0;
    for (const Grid& grid : m_grids)
    {
        count += CountPoints(grid);
    }
    return std::max<std::size_t>(count, 1);
}

void
Sweep::LeaveOut(const std::vector<std::size_t>& points)
{
    std::vector<std::size_t> kept;
    for (std::size_t point = 0; point < GetPointCount(); ++point)
    {
        if (!std::binary_search(points.begin(), points.end(), point))
        {
            kept.push_back(m_kept ? (*m_kept)[point] : point);
        }
    }
    m_kept = std::move(kept);
}

/// \param [out] own the grid that the point is of, if asked for
Sweep::Choices
Sweep::GetChoices(std::size_t point, const Grid** own) const
{
    Choices choices;
    point = m_kept ? (*m_kept)[point] : point;
    for (const Grid& grid : m_grids)
    {
        if (own)
        {
            *own = &grid;
        }
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
        for (const SweepValue& value : choice->values)
        {
            axes.emplace_back(value.set.key, value.label);
        }
    }
    return axes;
}

std::map<std::string, std::string>
Sweep::GetLabels(std::size_t point) const
{
    std::map<std::string, std::string> labels;
    for (const SweepChoice* choice : GetChoices(point))
    {
        for (const SweepValue& value : choice->values)
        {
            if (value.given)
            {
                labels[value.set.key] = value.given->text;
            }
        }
    }
    return labels;
}

std::optional<std::pair<std::string, std::string>>
Sweep::FindBaselinePoint(std::size_t point, const std::string& key) const
{
    const std::string& wanted = m_baseline.at(key);
    const Grid* grid = nullptr;
    Choices choices = GetChoices(point, &grid);
    for (std::size_t i = 0; i < choices.size(); ++i)
    {
        if (!FindValue(*choices[i], key))
        {
            continue;
        }
        if (const SweepChoice* other = FindBaseline((*grid)[i], *choices[i], key, wanted))
        {
            choices[i] = other;
            return std::pair{MakeName(choices, true), MakeName(choices, false)};
        }
    }
    return std::nullopt;
}

std::string
Sweep::GetPointName(std::size_t point) const
{
    return MakeName(GetChoices(point), true);
}

std::string
Sweep::GetGroupName(std::size_t point) const
{
    return MakeName(GetChoices(point), false);
}

std::string
Sweep::MakeName(const Choices& choices, bool withSeed) const
{
    std::string name;
    for (const SweepChoice* choice : choices)
    {
        for (const SweepValue& value : choice->values)
        {
            if (withSeed || value.set.key != kSeed)
            {
                name += (name.empty() ? "" : ",") + m_names.at(value.set.key) + "=" + value.label;
            }
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
    const Choices choices = GetChoices(point);
    const Choices others = GetChoices(other);
    const auto found =
        std::mismatch(choices.begin(), choices.end(), others.begin(), others.end()).first;
    return (found == choices.end() ? choices.front() : *found)->values.front().set.place;
}

void
Sweep::Apply(std::size_t point, YamlNode& root) const
{
    std::vector<const Override*> values;
    for (const SweepChoice* choice : GetChoices(point))
    {
        for (const SweepValue& value : choice->values)
        {
            values.push_back(&value.set);
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
Sweep::MakeLabels(DiagnosticList& diagnostics)
{
    const auto tell = [&diagnostics](const auto& function) {
        try
        {
            function();
        }
        catch (const DescriptorError& error)
        {
            diagnostics.Add(error);
        }
    };
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
        for (const SweepValue& value : choice.values)
        {
            tell([&] { tables[value.set.key].Add(value); });
        }
    });
    std::map<std::string, std::size_t> ends;
    for (auto& [key, table] : tables)
    {
        tell([&table = table] { table.Finish(); });
        ++ends[SplitPath(key).back()];
    }
    forEach([&](SweepChoice& choice) {
        for (SweepValue& value : choice.values)
        {
            tables[value.set.key].Put(value);
        }
    });
    // The last part of a key is how people call it, unless another one has the same.
    for (const auto& [key, table] : tables)
    {
        const std::string end = SplitPath(key).back();
        m_names[key] = MakeSafe(ends[end] == 1 ? end : key);
    }
}

/// \throws DescriptorError for an invalid value of an axis
void
Sweep::ReadBaseline(const YamlNode& node)
{
    if (node.kind != YamlNode::Kind::Map)
    {
        throw DescriptorError(node.place,
                              "expected a map of axes with the labels of the values that others "
                              "are compared with, such as {balance: ecmp}; found " +
                                  node.Describe());
    }
    std::map<std::string, std::map<std::string, std::string>> known; // labels by how they are said
    for (const Grid& grid : m_grids)
    {
        for (const std::vector<SweepChoice>& dimension : grid)
        {
            for (const SweepChoice& choice : dimension)
            {
                AddLabels(choice, known);
            }
        }
    }
    known.erase(kSeed); // seeds are repetitions
    for (const YamlEntry& entry : node.entries)
    {
        const auto axis = known.find(entry.key);
        if (axis == known.end())
        {
            throw DescriptorError(entry.place,
                                  "the sweep has no axis '" + entry.key + "' to compare along" +
                                      SuggestName(entry.key, GetKeys(known)));
        }
        const YamlNode& value = entry.value;
        const auto label = axis->second.find(value.text);
        if (value.kind != YamlNode::Kind::Scalar || label == axis->second.end())
        {
            throw DescriptorError(value.place,
                                  "no value of the axis '" + entry.key + "' is called " +
                                      value.Describe() +
                                      SuggestName(value.text, GetTexts(axis->second)));
        }
        m_baseline[entry.key] = label->second;
    }
}

void
FixSweptKey(YamlNode& sweep, const Override& set)
{
    for (YamlEntry& entry : sweep.entries)
    {
        if (entry.key == kSweepBaseline && entry.value.kind == YamlNode::Kind::Map)
        {
            entry.value.Remove(set.GetTarget());
            entry.value.Remove(set.key);
        }
        if (entry.key == kSweepZip || entry.key == kSweepPoints)
        {
            const std::string where = "sweep." + entry.key;
            FixKeyOfMap(entry.value, set, where);
            FixKeyOfMaps(entry.value, set, where);
        }
    }
    for (const std::string key : {kSweepZip, kSweepPoints})
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
