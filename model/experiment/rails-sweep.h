// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_SWEEP_H
#define RAILS_SWEEP_H

#include "rails-diagnostic.h"
#include "rails-override.h"
#include "rails-yaml-tree.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ns3::rails
{

/// One key that a sweep varies.
struct SweepAxis
{
    std::string key; //!< dotted path from the top of the descriptor
    Place place;     //!< of the key
    std::vector<Override> values;
    std::vector<std::string> labels; //!< of the values: readable, safe in file names, all different
};

/// The grid of the axes of a descriptor's `sweep` section; the last axis varies fastest.
class Sweep
{
  public:
    /// A grid of one point.
    Sweep() = default;

    /**
     * \param node the section
     * \param diagnostics takes what is wrong
     */
    Sweep(const YamlNode& node, DiagnosticList& diagnostics);

    const std::vector<SweepAxis>& GetAxes() const;

    /// \return number of points, at least 1
    std::size_t GetPointCount() const;

    /// \return for each axis, which of its values a point has
    std::vector<std::size_t> GetChoices(std::size_t point) const;

    /// \return name of a point's folder: "balance=rails,seed=1"
    std::string GetPointName(std::size_t point) const;

    /// Puts a point's values into a descriptor.
    void Apply(std::size_t point, YamlNode& root) const;

  private:
    std::vector<SweepAxis> m_axes;
    std::vector<std::string> m_names; //!< of the axes in folder names
};

} // namespace ns3::rails

#endif // RAILS_SWEEP_H
