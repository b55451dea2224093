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

/// Keys of the section that are no axes, and have such below them.
inline constexpr const char* kSweepZip = "zip";
inline constexpr const char* kSweepPoints = "points";
inline constexpr const char* kSweepBaseline = "baseline";

/// A value of a key, and what it is called.
struct SweepValue
{
    Override set;
    std::optional<Label> given; //!< by the user
    std::string label{};        //!< readable, safe in file names
};

/// Values of some keys that a point has together.
struct SweepChoice
{
    std::vector<SweepValue> values;
    bool isPoint{false}; //!< they were given as a point by itself
};

/**
 * The points of a descriptor's `sweep` section: the grid of its axes and of its zipped lists
 * (`zip`), the points given one by one (`points`), all of them with several seeds (`repeat`). The
 * last axis varies fastest, and the seeds of `repeat` faster still.
 */
class Sweep
{
  public:
    /// One point.
    Sweep() = default;

    /**
     * \param root the descriptor, with its section `sweep`, if any, and its `seed`
     * \param diagnostics takes what is wrong
     */
    Sweep(const YamlNode& root, DiagnosticList& diagnostics);

    /// \return true when the section makes points, be it one
    bool HasPoints() const;

    /// \return number of points, at least 1
    std::size_t GetPointCount() const;

    /// Leaves points out; the others are numbered anew. \param points some of them, in order
    void LeaveOut(const std::vector<std::size_t>& points);

    /// \return the keys that a point sets, with the labels of their values
    std::vector<std::pair<std::string, std::string>> GetAxes(std::size_t point) const;

    /// \return the labels that the user gave to values of a point, by key
    std::map<std::string, std::string> GetLabels(std::size_t point) const;

    /// \return by axis the label of the value that the others are compared with (`baseline`)
    const std::map<std::string, std::string>& GetBaseline() const;

    /**
     * \param point a point
     * \param key an axis with a baseline
     * \return name of the folder of the point with that value of the axis, all else equal, and
     * what it has in common with those of other seeds; nothing where there is none
     */
    std::optional<std::pair<std::string, std::string>> FindBaselinePoint(
        std::size_t point,
        const std::string& key) const;

    /// \return name of a point's folder: "balance=rails,seed=1"
    std::string GetPointName(std::size_t point) const;

    /// \return what the names of points that differ in their seed alone have in common
    std::string GetGroupName(std::size_t point) const;

    /**
     * \param point a point
     * \param other another one
     * \return where the value that the one has and the other has not was written; where the point
     * begins when it is of another grid, or given by itself
     */
    Place FindDifference(std::size_t point, std::size_t other) const;

    /// Puts a point's values into a descriptor.
    void Apply(std::size_t point, YamlNode& root) const;

  private:
    /// A grid: a point takes one choice of each dimension.
    using Grid = std::vector<std::vector<SweepChoice>>;

    using Choices = std::vector<const SweepChoice*>;

    Choices GetChoices(std::size_t point, const Grid** grid = nullptr) const;
    std::string MakeName(const Choices& choices, bool withSeed) const;
    void MakeLabels(DiagnosticList& diagnostics);
    void ReadBaseline(const YamlNode& node);

    std::vector<Grid> m_grids;                      //!< one after the other
    std::optional<std::vector<std::size_t>> m_kept; //!< places in the grids, if points are left out
    std::map<std::string, std::string> m_names;     //!< of the keys in folder names
    std::map<std::string, std::string> m_baseline;  //!< label by axis
};

/**
 * Fixes a key that a sweep may vary: its lists are taken out of the section.
 * \param [in,out] sweep the section
 * \param set the key and its only value
 * \throws DescriptorError when the key is inside a component that the sweep varies
 */
void FixSweptKey(YamlNode& sweep, const Override& set);

} // namespace ns3::rails

#endif // RAILS_SWEEP_H
