// SPDX-License-Identifier: GPL-2.0-only
#include "rails-descriptor.h"

#include "component-path.h"
#include "rails-component-reader.h"
#include "rails-effective-config.h"
#include "rails-key-names.h"

#include "ns3/nstime.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nearest-name.h"
#include "ns3/rails-quantity.h"
#include "ns3/rails-sha256.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

namespace ns3::rails
{

namespace
{

constexpr std::size_t kLongestName = 100;
/// Seeds fit every generator and every reader of JSON.
constexpr uint64_t kLargestSeed = std::numeric_limits<uint32_t>::max();

bool
IsNameLetter(char letter)
{
    return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
           (letter >= 'A' && letter <= 'Z') || letter == '.' || letter == '_' || letter == '-';
}

/// \return a name for an experiment whose descriptor has none
std::string
MakeDefaultName(const std::string& source)
{
    std::string name = std::filesystem::path(source).stem().string();
    std::replace_if(
        name.begin(),
        name.end(),
        [](char letter) { return !IsNameLetter(letter); },
        '-');
    name.erase(0, std::min(name.find_first_not_of('.'), name.size()));
    return name.empty() ? "experiment" : name.substr(0, kLongestName);
}

uint64_t
ReadSeed(const YamlEntry* entry, DiagnosticList& diagnostics)
{
    if (!entry)
    {
        return 1;
    }
    const YamlNode& node = entry->value;
    if (node.kind != YamlNode::Kind::Scalar || node.quoted)
    {
        diagnostics.Add(node.place,
                        "expected " + DescribeDimension(Dimension::Count) + ", found " +
                            (node.quoted ? "a text in quotes" : node.Describe()));
        return 1;
    }
    try
    {
        const uint64_t seed = ParseCount(node.text);
        if (seed > kLargestSeed)
        {
            diagnostics.Add(node.place,
                            "'" + node.text + "' is out of range; allowed: 0 to " +
                                std::to_string(kLargestSeed));
        }
        return seed;
    }
    catch (const QuantityError& error)
    {
        diagnostics.Add(node.place, error.what());
        return 1;
    }
}

/// \return true when a part of a key counts an item of a list
bool
IsIndex(const std::string& part, std::size_t items)
{
    return !part.empty() && part.size() < 9 &&
           part.find_first_not_of("0123456789") == std::string::npos && std::stoul(part) < items;
}

/// \return the kind of experiment: a study has only one section
ExperimentKind
FindKind(const YamlNode& root)
{
    for (const Section& section : GetSections())
    {
        if (section.kind != ExperimentKind::Simulation && root.Find(section.name))
        {
            return section.kind;
        }
    }
    return ExperimentKind::Simulation;
}

/// Rejects unknown keys at the top.
void
CheckTopKeys(const YamlNode& root, DiagnosticList& diagnostics)
{
    std::vector<std::string> known{"name", "seed"};
    for (const Section& section : GetSections())
    {
        known.push_back(section.name);
    }
    known.emplace_back("sweep");
    for (const YamlEntry& entry : root.entries)
    {
        if (std::find(known.begin(), known.end(), entry.key) == known.end())
        {
            diagnostics.Add(entry.place,
                            "unknown section '" + entry.key + "'" + SuggestName(entry.key, known));
        }
    }
}

} // namespace

Descriptor::Descriptor(const std::string& path,
                       const std::vector<std::string>& sets,
                       ExperimentCheck check)
    : Descriptor(DescriptorText{path, ReadDescriptorFile(path), sets}, std::move(check))
{
}

Descriptor
Descriptor::FromText(const std::string& text,
                     const std::string& source,
                     const std::vector<std::string>& sets,
                     ExperimentCheck check)
{
    return {DescriptorText{source, text, sets}, std::move(check)};
}

Descriptor::Descriptor(DescriptorText text, ExperimentCheck check)
    : m_text(std::move(text)),
      m_folder(std::filesystem::path(m_text.source).parent_path().string()),
      m_name(MakeDefaultName(m_text.source)),
      m_root(ParseYaml(m_text.text, m_text.source)),
      m_check(std::move(check))
{
    if (m_root.kind != YamlNode::Kind::Map)
    {
        throw DescriptorError(m_root.place,
                              "expected a map of sections (topology, workload, balance, ...), "
                              "found " +
                                  m_root.Describe());
    }
    if (Time::GetResolution() != Time::PS)
    {
        throw std::logic_error("the time resolution must be picoseconds before a descriptor is "
                               "read: call Time::SetResolution(Time::PS) first in main()");
    }
    DiagnosticList diagnostics;
    UseDeclaredNames(m_root, diagnostics);
    ApplySets(m_text.sets, diagnostics);
    m_sweep = Sweep(m_root, diagnostics);
    m_root.Remove("sweep");
    ReadName(diagnostics);
    DiagnosticList warnings;
    std::map<std::string, std::size_t> known; // by a hash of the configuration
    std::set<std::pair<std::string, std::string>> told;
    for (std::size_t point = 0; point < GetPointCount(); ++point)
    {
        const Experiment experiment = MakeExperiment(point, m_memory, diagnostics);
        if (experiment.resolvedConfig.empty())
        {
            continue; // single values are wrong already
        }
        CheckExperiment(experiment, point, diagnostics, warnings);
        const auto [first, isNew] = known.emplace(ComputeSha256(experiment.canonicalConfig), point);
        if (isNew)
        {
            continue;
        }
        const Place place = m_sweep.FindDifference(point, first->second);
        const std::string there = m_sweep.FindDifference(first->second, point).ToString();
        // Two equal values would duplicate points, one for each value of the other axes.
        if (told.emplace(place.ToString(), there).second)
        {
            diagnostics.Add(place,
                            "the point " + GetPointName(point) + " is the point " +
                                GetPointName(first->second) + " of " + there + " again");
        }
    }
    LeaveOut(diagnostics, warnings);
    diagnostics.ThrowIfAny();
    m_warnings = warnings.GetSorted();
}

bool
Descriptor::IsSweep() const
{
    return m_sweep.HasPoints();
}

std::size_t
Descriptor::GetPointCount() const
{
    return m_sweep.GetPointCount();
}

std::string
Descriptor::GetPointName(std::size_t point) const
{
    return m_sweep.GetPointName(point);
}

std::string
Descriptor::GetGroupName(std::size_t point) const
{
    return m_sweep.GetGroupName(point);
}

Experiment
Descriptor::MakeExperiment(std::size_t point) const
{
    DiagnosticList diagnostics;
    SectionMemory own;
    Experiment experiment = MakeExperiment(point, own, diagnostics);
    diagnostics.ThrowIfAny();
    return experiment;
}

Experiment
Descriptor::Examine(std::size_t point) const
{
    DiagnosticList diagnostics;
    Experiment experiment = MakeExperiment(point, m_memory, diagnostics);
    diagnostics.ThrowIfAny();
    return experiment;
}

Place
Descriptor::FindPlace(std::size_t point, const std::string& key) const
{
    const YamlNode root = MakeTree(point);
    Place place = root.place;
    const YamlNode* node = &root;
    for (const std::string& part : SplitPath(key))
    {
        if (node->kind == YamlNode::Kind::List && IsIndex(part, node->items.size()))
        {
            node = &node->items[std::stoul(part)];
            place = node->place;
            continue;
        }
        const YamlEntry* entry = node->Find(part);
        if (!entry)
        {
            break;
        }
        place = entry->place;
        node = &entry->value;
    }
    return place;
}

void
Descriptor::ApplySets(const std::vector<std::string>& sets, DiagnosticList& diagnostics)
{
    std::vector<Override> overrides;
    for (const std::string& set : sets)
    {
        try
        {
            overrides.push_back(Override::Parse(set));
            UseDeclaredNames(overrides.back(), diagnostics);
        }
        catch (const DescriptorError& error)
        {
            diagnostics.Add(error);
        }
    }
    // A component's type comes before its keys, in any given order.
    std::stable_sort(
        overrides.begin(),
        overrides.end(),
        [](const Override& left, const Override& right) { return left.IsBefore(right); });
    for (const Override& set : overrides)
    {
        try
        {
            ApplySet(set);
        }
        catch (const DescriptorError& error)
        {
            diagnostics.Add(error);
        }
    }
}

void
Descriptor::ApplySet(const Override& set)
{
    YamlEntry* sweep = m_root.Find("sweep");
    const std::string prefix = "sweep.";
    if (IsInside(set.key, "sweep"))
    {
        if (!sweep)
        {
            m_root.entries.push_back({"sweep", set.place, {}});
            sweep = &m_root.entries.back();
            sweep->value.kind = YamlNode::Kind::Map;
            sweep->value.place = set.place;
        }
        // The keys of `sweep` are dotted paths themselves.
        const std::string axis = set.key.substr(prefix.size());
        YamlEntry* known = sweep->value.Find(axis);
        if (!known)
        {
            sweep->value.entries.push_back({axis, set.place, {}});
            known = &sweep->value.entries.back();
        }
        *known = {axis, set.place, set.value};
        return;
    }
    if (sweep)
    {
        // A fixed value takes its axis out of the sweep; otherwise the axis would undo it.
        FixSweptKey(sweep->value, set);
    }
    set.Apply(m_root);
}

void
Descriptor::ReadName(DiagnosticList& diagnostics)
{
    const YamlEntry* entry = m_root.Find("name");
    if (!entry)
    {
        return;
    }
    const YamlNode& node = entry->value;
    const bool valid = node.kind == YamlNode::Kind::Scalar && !node.text.empty() &&
                       node.text.size() <= kLongestName && node.text[0] != '.' &&
                       std::all_of(node.text.begin(), node.text.end(), IsNameLetter);
    if (!valid)
    {
        diagnostics.Add(node.place,
                        "a name is made of letters, digits, '-', '_' and '.', and becomes a "
                        "folder; found " +
                            node.Describe());
        return;
    }
    m_name = node.text;
}

YamlNode
Descriptor::MakeTree(std::size_t point) const
{
    YamlNode root = m_root;
    m_sweep.Apply(point, root);
    return root;
}

ReadSection
Descriptor::Read(const Section& section,
                 const YamlEntry* entry,
                 const Place& place,
                 DiagnosticList& diagnostics) const
{
    ComponentReader reader(m_folder, diagnostics);
    const TypeId base = GetSectionBase(section);
    const std::optional<TypeId> standard = GetSectionStandard(section);
    ReadSection read;
    read.component = reader.Read(base,
                                 section.name,
                                 entry ? &entry->value : nullptr,
                                 place,
                                 standard ? CreateComponent(*standard) : nullptr);
    read.labels = reader.GetLabels();
    if (read.component && diagnostics.IsEmpty())
    {
        const nlohmann::ordered_json effective =
            DescribeComponent(*read.component, base, m_folder.empty() ? "." : m_folder);
        read.resolvedConfig = effective.dump();
        read.sorted = nlohmann::json(effective).dump();
    }
    return read;
}

void
Descriptor::ReadSections(const YamlNode& root,
                         Experiment& experiment,
                         SectionMemory& memory,
                         DiagnosticList& diagnostics) const
{
    CheckTopKeys(root, diagnostics);
    experiment.seed = ReadSeed(root.Find("seed"), diagnostics);
    const std::string seed = std::to_string(experiment.seed);
    std::string effective =
        "{\"name\":" + nlohmann::json(experiment.name).dump() + ",\"seed\":" + seed;
    std::map<std::string, std::string> sorted{{"seed", seed}};
    const ExperimentKind kind = FindKind(root);
    for (const Section& section : GetSections())
    {
        const YamlEntry* entry = root.Find(section.name);
        if (section.kind != kind)
        {
            if (entry)
            {
                diagnostics.Add(entry->place,
                                "'" + section.name +
                                    "' has no place beside 'experts', a study that simulates "
                                    "nothing: take one of them away");
            }
            continue;
        }
        if (entry && entry->value.kind == YamlNode::Kind::Null)
        {
            diagnostics.Add(entry->place, "the section '" + section.name + "' has no value");
            continue;
        }
        const std::string key =
            SectionMemory::MakeKey(section.name, entry ? &entry->value : nullptr);
        const ReadSection* read = memory.Find(key);
        if (!read)
        {
            DiagnosticList own;
            ReadSection fresh = Read(section, entry, entry ? entry->place : root.place, own);
            if (!own.IsEmpty())
            {
                diagnostics.Add(DescriptorError(own.GetSorted()));
                continue;
            }
            read = &memory.Add(key, std::move(fresh));
        }
        experiment.sections[section.name] = read->component;
        experiment.labels.insert(read->labels.begin(), read->labels.end());
        effective += ",\"" + section.name + "\":" + read->resolvedConfig;
        sorted[section.name] = read->sorted;
    }
    if (!diagnostics.IsEmpty())
    {
        return;
    }
    experiment.resolvedConfig = effective + "}";
    for (const auto& [name, text] : sorted)
    {
        experiment.canonicalConfig +=
            (experiment.canonicalConfig.empty() ? "{\"" : ",\"") + name + "\":" + text;
    }
    experiment.canonicalConfig += "}";
}

Experiment
Descriptor::MakeExperiment(std::size_t point,
                           SectionMemory& memory,
                           DiagnosticList& diagnostics) const
{
    Experiment experiment;
    experiment.name = m_name;
    DiagnosticList own;
    try
    {
        ReadSections(MakeTree(point), experiment, memory, own);
        experiment.axes = m_sweep.GetAxes(point);
        for (const auto& [key, label] : m_sweep.GetLabels(point))
        {
            experiment.labels[key] = label;
        }
        own.ThrowIfAny();
    }
    catch (const DescriptorError& error)
    {
        diagnostics.Add(error);
    }
    return experiment;
}

void
Descriptor::CheckExperiment(const Experiment& experiment,
                            std::size_t point,
                            DiagnosticList& diagnostics,
                            DiagnosticList& warnings)
{
    if (!m_check)
    {
        return;
    }
    try
    {
        for (const ExperimentWarning& warning : m_check(experiment))
        {
            warnings.Add(FindPlace(point, warning.key), warning.message);
        }
    }
    catch (const ConfigurationError& error)
    {
        const Place place = FindPlace(point, error.GetKey());
        if (IsOfPolicies(point, error.GetKey()))
        {
            m_faults.push_back({point, place, error.what()});
        }
        else
        {
            diagnostics.Add(place, error.what());
        }
    }
}

/// \return true for a key of an expert placement policy when policies are an axis of the sweep
bool
Descriptor::IsOfPolicies(std::size_t point, const std::string& key) const
{
    const TypeId policies = TypeId::LookupByName("ns3::rails::ExpertPolicy");
    const std::vector<ComponentPath> slots = FindComponentPaths();
    const auto axes = m_sweep.GetAxes(point);
    return std::any_of(axes.begin(), axes.end(), [&](const auto& axis) {
        const std::string& path = axis.first;
        const bool isInside = key == path || key.compare(0, path.size() + 1, path + ".") == 0;
        return isInside && std::any_of(slots.begin(), slots.end(), [&](const ComponentPath& slot) {
                   return slot.path == path && slot.base == policies;
               });
    });
}

/// Leaves points out whose policy cannot run there, unless these are all points.
void
Descriptor::LeaveOut(DiagnosticList& diagnostics, DiagnosticList& warnings)
{
    std::vector<std::size_t> points;
    const bool isAll = m_faults.size() == GetPointCount();
    for (const Fault& fault : m_faults)
    {
        if (isAll)
        {
            diagnostics.Add(fault.place, fault.message);
            continue;
        }
        const std::string name = GetPointName(fault.point);
        warnings.Add(fault.place, name + " is left out: " + fault.message);
        m_leftOut.push_back({name, fault.message});
        points.push_back(fault.point);
    }
    m_faults.clear();
    if (!points.empty())
    {
        m_sweep.LeaveOut(points);
    }
}

} // namespace ns3::rails
