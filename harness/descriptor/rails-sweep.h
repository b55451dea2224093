// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_SWEEP_H
#define RAILS_SWEEP_H

#include "rails-diagnostic.h"
#include "rails-label.h"
#include "rails-override.h"
#include "rails-yaml-tree.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// Reserved keys of the section: no axes themselves, but with axes below them.
inline constexpr const char* kSweepZip = "zip";
inline constexpr const char* kSweepPoints = "points";
inline constexpr const char* kSweepBaseline = "baseline";

/// A value of a key with its label.
struct SweepValue
{
    Override set;
    std::optional<Label> given; //!< label from the user
    std::string label{};        //!< readable, safe in file names
};

/// Values of several keys that a point takes together.
struct SweepChoice
{
    std::vector<SweepValue> values;
    bool isPoint{false}; //!< from the list `points`
};

/**
 * The points of a descriptor's `sweep` section: the grid of its axes and of its zipped lists
 * (`zip`), and the points of the list `points`, all with several seeds (`repeat`). The last axis
 * varies fastest, and the seeds of `repeat` vary faster still.
 */
class Sweep
{
  public:
    /// A sweep of one point.
    Sweep() = default;

    /**
     * \param root the descriptor, with its section `sweep`, if any, and its `seed`
     * \param diagnostics takes the errors
     */
    Sweep(const YamlNode& root, DiagnosticList& diagnostics);

    /// \return true when the section defines points, even a single one
    bool HasPoints() const;

    /// \return number of points, at least 1
    std::size_t GetPointCount() const;

    /// Leaves points out and renumbers the others. \param points ascending numbers
    void LeaveOut(const std::vector<std::size_t>& points);

    /// \return the keys that a point sets, with the labels of their values
    std::vector<std::pair<std::string, std::string>> GetAxes(std::size_t point) const;

    /// \return the labels that the user gave to values of a point, by key
    std::map<std::string, std::string> GetLabels(std::size_t point) const;

    /// \return by axis the label of the baseline value (`baseline`)
    const std::map<std::string, std::string>& GetBaseline() const
    {
        return m_baseline;
    }

    /**
     * \param key an axis with a baseline
     * \return folder name and group name (GetGroupName()) of the point with the baseline value of
     * this axis and otherwise equal values; nothing when there is no such point
     */
    std::optional<std::pair<std::string, std::string>> FindBaselinePoint(
        std::size_t point,
        const std::string& key) const;

    /// \return name of a point's folder: "balance=rails,seed=1"
    std::string GetPointName(std::size_t point) const;

    /// \return name of a point without its seed, equal for points that differ only in the seed
    std::string GetGroupName(std::size_t point) const;

    /**
     * \return where the value of `point` that differs from `other` was written; for points of
     * different grids or of the list `points`, where `point` begins
     */
    Place FindDifference(std::size_t point, std::size_t other) const;

    /// Sets the values of a point in a descriptor.
    void Apply(std::size_t point, YamlNode& root) const;

  private:
    /// A grid: a point takes one choice of each dimension.
    using Grid = std::vector<std::vector<SweepChoice>>;

    using Choices = std::vector<const SweepChoice*>;

    Choices GetChoices(std::size_t point, const Grid** grid = nullptr) const;
    std::string MakeName(const Choices& choices, bool withSeed) const;
    void MakeLabels(DiagnosticList& diagnostics);
    void ReadBaseline(const YamlNode& node);

    std::vector<Grid> m_grids; //!< in the order of their points
    /// Numbers in the grids of the remaining points, if points are left out.
    std::optional<std::vector<std::size_t>> m_kept;
    std::map<std::string, std::string> m_names;    //!< short names of keys in folder names
    std::map<std::string, std::string> m_baseline; //!< label by axis
};

/**
 * Fixes a key that a sweep may vary: removes its lists from the section.
 * \param [in,out] sweep the section
 * \param set the key and its only value
 * \throws DescriptorError when the sweep varies the component that has the key
 */
void FixSweptKey(YamlNode& sweep, const Override& set);

} // namespace ns3::rails

#endif // RAILS_SWEEP_H
