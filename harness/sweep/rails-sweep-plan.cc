// SPDX-License-Identifier: GPL-2.0-only
#include "rails-sweep-plan.h"

#include "ns3/expert-study-run.h"
#include "ns3/policy-process.h"
#include "ns3/rails-diagnostic.h"
#include "ns3/rails-nearest-name.h"
#include "ns3/rails-result-index.h"
#include "ns3/rails-result-writer.h"
#include "ns3/rails-sha256.h"
#include "ns3/rails-version.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <utility>

namespace ns3::rails
{

namespace
{

std::string
CountPoints(std::size_t count)
{
    return std::to_string(count) + (count == 1 ? " point" : " points");
}

std::vector<std::string>
ListNames(const Descriptor& descriptor)
{
    std::vector<std::string> names;
    for (std::size_t point = 0; point < descriptor.GetPointCount(); ++point)
    {
        names.push_back(descriptor.GetPointName(point));
    }
    return names;
}

} // namespace

SweepPlan::SweepPlan(const Descriptor& descriptor,
                     const RunOptions& options,
                     const SweepFolder& folder,
                     const SizeFunction& size)
{
    CheckNames(descriptor, options);
    if (!options.dryRun && folder.IsInterrupted())
    {
        folder.Recover(ListNames(descriptor));
    }
    const std::set<std::string> wanted(options.points.begin(), options.points.end());
    PointFilter filter(options.where);
    for (std::size_t point = 0; !filter.IsEmpty() && point < descriptor.GetPointCount(); ++point)
    {
        filter.Learn(descriptor.Examine(point));
    }
    for (std::size_t point = 0; point < descriptor.GetPointCount(); ++point)
    {
        const bool isWanted = wanted.empty() || wanted.count(descriptor.GetPointName(point)) > 0;
        if (!isWanted)
        {
            continue;
        }
        Experiment experiment = descriptor.Examine(point);
        if (filter.IsEmpty() || filter.Accepts(experiment))
        {
            m_points.push_back(
                Plan(descriptor, point, std::move(experiment), options, folder, size));
        }
    }
    // The content of another point's folder is known only after planning that point.
    for (const std::size_t i : m_folders ? std::exchange(m_unsearched, {}) : m_unsearched)
    {
        const std::size_t point = m_points[i].point;
        m_points[i] = Plan(descriptor, point, descriptor.Examine(point), options, folder, size);
    }
    if (m_points.empty())
    {
        throw PlanError(filter.DescribeFailure());
    }
    CheckConflicts(folder, m_points.size() < descriptor.GetPointCount());
    if (descriptor.IsSweep() && !options.isAlone)
    {
        LearnFromEarlier(folder);
    }
    for (std::size_t i = 0; i < m_points.size(); ++i)
    {
        // The result that is there tells it best.
        m_points[i].expectedSeconds = m_points[i].knownSeconds > 0
                                          ? m_points[i].knownSeconds
                                          : m_estimator.Estimate(m_points[i].size);
        if (m_points[i].isToRun)
        {
            m_order.push_back(i);
        }
    }
    std::stable_sort(m_order.begin(), m_order.end(), [this](std::size_t left, std::size_t right) {
        return m_points[left].expectedSeconds > m_points[right].expectedSeconds;
    });
    MakeNotes(options);
}

std::vector<std::pair<std::string, std::string>>
SweepPlan::GetRenames() const
{
    std::vector<std::pair<std::string, std::string>> renames;
    for (const PlannedPoint& planned : m_points)
    {
        if (!planned.formerName.empty())
        {
            renames.emplace_back(planned.formerName, planned.name);
        }
    }
    return renames;
}

double
SweepPlan::GetExpectedSeconds(unsigned processes) const
{
    // The longest first, each to the process that is free first.
    std::vector<double> loads(std::max(1U, processes));
    for (const std::size_t i : m_order)
    {
        *std::min_element(loads.begin(), loads.end()) += m_points[i].expectedSeconds;
    }
    return *std::max_element(loads.begin(), loads.end());
}

/// Takes runs into account that are in the folder and in its index, and no points of this plan.
void
SweepPlan::LearnFromEarlier(const SweepFolder& folder)
{
    std::string fault;
    const std::filesystem::path index = folder.GetPath() / "index.sqlite";
    std::map<std::string, double> times = ReadRunTimes(index, fault);
    if (!fault.empty())
    {
        m_notes.push_back(index.string() + ": not used for expected times: " + fault);
    }
    for (const PlannedPoint& planned : m_points)
    {
        times.erase(planned.name);
    }
    const std::map<std::string, RunSize> sizes =
        times.empty() ? std::map<std::string, RunSize>() : folder.ReadSizes();
    for (const auto& [name, seconds] : times)
    {
        const auto size = sizes.find(name);
        if (size != sizes.end())
        {
            m_estimator.Learn(size->second, seconds);
        }
    }
}

void
SweepPlan::CheckNames(const Descriptor& descriptor, const RunOptions& options) const
{
    const std::vector<std::string> names =
        options.points.empty() ? std::vector<std::string>() : ListNames(descriptor);
    const std::set<std::string> known(names.begin(), names.end());
    for (const std::string& name : options.points)
    {
        const auto& leftOut = descriptor.GetLeftOut();
        const auto left = std::find_if(leftOut.begin(), leftOut.end(), [&](const auto& other) {
            return other.name == name;
        });
        if (left != leftOut.end())
        {
            throw PlanError("--point " + name + ": error: " + left->why);
        }
        if (known.count(name) == 0)
        {
            const std::string near = NearestName(name, names);
            throw PlanError(
                "--point " + name + ": error: the sweep has no such point" +
                (near.empty() ? "; --dry-run lists them" : "; did you mean '" + near + "'?"));
        }
    }
}

PlannedPoint
SweepPlan::Plan(const Descriptor& descriptor,
                std::size_t point,
                Experiment experiment,
                const RunOptions& options,
                const SweepFolder& folder,
                const SizeFunction& size)
{
    PlannedPoint planned;
    planned.version = m_keys.FindVersion(experiment);
    try
    {
        AddPolicyPrograms(experiment, options.policies, planned.version);
    }
    catch (const PolicyCommandError& error)
    {
        throw PlanError(Diagnostic{descriptor.FindPlace(point, ""), error.what()}.ToString());
    }
    experiment.key = m_keys.Compute(experiment, planned.version);
    planned.point = point;
    planned.isStudy = IsExpertStudy(experiment);
    planned.name = descriptor.GetPointName(point);
    planned.group = descriptor.GetGroupName(point);
    planned.key = experiment.key;
    const PointRecord record = FindRecord(descriptor, experiment, options, folder, planned);
    planned.state = record.state;
    planned.status = record.json.is_object() ? record.json.value("status", 0) : 0;
    planned.axes = experiment.axes;
    Decide(planned, record, options);
    if (!planned.isToRun && record.json.is_object())
    {
        nlohmann::ordered_json names = nlohmann::ordered_json::object();
        WriteNames(experiment.axes, experiment.labels, names);
        const nlohmann::json wanted = names;
        const auto isRight = [&](const std::string& key) {
            return record.json.value(key, nlohmann::json()) == wanted.value(key, nlohmann::json());
        };
        planned.names = isRight("axes") && isRight("labels") ? nullptr : names;
    }
    if (size)
    {
        Measure(planned, experiment, record, size);
    }
    return planned;
}

/**
 * \return the content of a point's folder, or of its folder before its labels changed, as labels do
 * not affect the key of a result
 */
PointRecord
SweepPlan::FindRecord(const Descriptor& descriptor,
                      const Experiment& experiment,
                      const RunOptions& options,
                      const SweepFolder& folder,
                      PlannedPoint& planned)
{
    PointRecord record = folder.Find(planned.name, experiment, planned.version, m_keys);
    const bool isOccupied = record.state == PointState::OtherConfig;
    if ((record.state != PointState::Missing && !isOccupied) || options.force ||
        options.onlyMissing)
    {
        return record;
    }
    if (isOccupied)
    {
        m_conflicts.emplace_back(planned.name, record.difference);
    }
    const std::string former = FindFolder(descriptor, experiment, folder, isOccupied);
    if (former.empty() || former == planned.name)
    {
        return record;
    }
    planned.formerName = former;
    return folder.Find(former, experiment, planned.version, m_keys);
}

/// \return name of the folder that holds a configuration, empty when there is none
std::string
SweepPlan::FindFolder(const Descriptor& descriptor,
                      const Experiment& experiment,
                      const SweepFolder& folder,
                      bool isOccupied)
{
    if (!m_hasOthers)
    {
        const std::vector<std::string> folders = folder.ListFolders();
        std::set<std::string> names;
        for (std::size_t point = 0; !folders.empty() && point < descriptor.GetPointCount(); ++point)
        {
            names.insert(descriptor.GetPointName(point));
        }
        m_hasOthers = std::any_of(folders.begin(), folders.end(), [&](const std::string& name) {
            return names.count(name) == 0;
        });
    }
    if (!m_folders && (*m_hasOthers || isOccupied))
    {
        m_folders = folder.IndexConfigs();
    }
    if (!m_folders)
    {
        m_unsearched.push_back(m_points.size());
        return "";
    }
    const auto found = m_folders->find(ComputeSha256(experiment.canonicalConfig));
    return found == m_folders->end() ? "" : found->second;
}

/**
 * Rejects folders with results of other configurations, unless these are renamed.
 * \param isPart some points of the sweep are neither examined nor renamed
 */
void
SweepPlan::CheckConflicts(const SweepFolder& folder, bool isPart) const
{
    std::set<std::string> leaving;
    for (const auto& [from, to] : GetRenames())
    {
        leaving.insert(from);
    }
    std::size_t conflicts = 0;
    std::string first;
    for (const auto& [name, difference] : m_conflicts)
    {
        if (leaving.count(name) == 0 && ++conflicts == 1)
        {
            first =
                folder.GetPointFolder(name).string() +
                ": error: the folder holds the result of another configuration (" + difference +
                "); --force replaces it" +
                (isPart ? "; where labels have changed places, the whole sweep gives all folders "
                          "their names"
                        : "");
        }
    }
    if (conflicts > 0)
    {
        throw PlanError(first + (conflicts > 1 ? "\n" + folder.GetPath().string() +
                                                     ": error: " + std::to_string(conflicts) +
                                                     " points have the result of another "
                                                     "configuration"
                                               : ""));
    }
}

/// Finds how large a point is, and learns from its result.
void
SweepPlan::Measure(PlannedPoint& planned,
                   const Experiment& experiment,
                   const PointRecord& record,
                   const SizeFunction& size)
{
    constexpr std::size_t most = 200; // learnt from; whatever more tell is known by then
    const bool isSame = record.state == PointState::Done ||
                        record.state == PointState::OtherMaker ||
                        record.state == PointState::OtherInput;
    planned.knownSeconds =
        isSame && planned.status == 0 ? record.json.value("wall_s", 0.0) : planned.knownSeconds;
    const bool isLearnt = planned.knownSeconds > 0 && m_estimator.GetRuns() < most;
    if (planned.isToRun || isLearnt)
    {
        planned.size = size(experiment);
    }
    if (isLearnt)
    {
        m_estimator.Learn(planned.size, planned.knownSeconds);
    }
}

void
SweepPlan::Decide(PlannedPoint& planned, const PointRecord& record, const RunOptions& options)
{
    if (options.onlyMissing)
    {
        planned.isToRun = record.state != PointState::Done && record.state != PointState::Failed;
        return;
    }
    if (options.onlyFailed)
    {
        // Whatever it was run with: a failure is often the reason for another build.
        planned.isToRun = planned.status != 0;
    }
    else
    {
        const bool isKept = record.state == PointState::Done ||
                            (record.state == PointState::OtherMaker && options.anyVersion);
        planned.isToRun = options.force || !isKept;
    }
    if (record.state == PointState::OtherMaker)
    {
        planned.maker = record.maker;
        OtherMakers& others = m_otherMakers[record.maker];
        ++(planned.isToRun ? others.repeated : others.kept);
    }
    m_otherInputs += record.state == PointState::OtherInput && planned.isToRun ? 1 : 0;
}

void
SweepPlan::MakeNotes(const RunOptions& options)
{
    const VersionInfo& own = GetVersionInfo();
    const std::string here = "; this is rails " + own.module + " with ns-3 " + own.ns3 + ": ";
    for (const auto& [maker, others] : m_otherMakers)
    {
        if (others.repeated > 0)
        {
            m_notes.push_back(CountPoints(others.repeated) + " made by " + maker + here +
                              "run again (--any-version keeps them)");
        }
        if (others.kept > 0)
        {
            m_notes.push_back(CountPoints(others.kept) + " made by " + maker + here +
                              "taken as they are" + (options.anyVersion ? " (--any-version)" : ""));
        }
    }
    if (const std::size_t renamed = GetRenames().size(); renamed > 0)
    {
        m_notes.push_back(CountPoints(renamed) +
                          " in folders with names of before, as labels or axes have changed: the "
                          "folders are given those of now");
    }
    if (m_otherInputs > 0)
    {
        m_notes.push_back(CountPoints(m_otherInputs) +
                          " made from files that have changed since: run again");
    }
}

} // namespace ns3::rails
