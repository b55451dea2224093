// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_SWEEP_PLAN_H
#define RAILS_SWEEP_PLAN_H

#include "rails-point-filter.h"
#include "rails-run-estimator.h"
#include "rails-run-options.h"

#include "ns3/rails-descriptor.h"
#include "ns3/rails-run-keys.h"
#include "ns3/rails-sweep-folder.h"

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// A point in the plan of a sweep.
struct PlannedPoint
{
    std::size_t point{0}; //!< its number in the descriptor
    std::string name;
    std::string group;   //!< equal for points that differ only in the seed
    std::string key;     //!< see RunKeys
    VersionInfo version; //!< of its program and libraries
    std::string maker;   //!< program of the existing result, when it is another one
    PointState state{PointState::Missing};
    std::string formerName;       //!< former folder, when its labels have changed since
    nlohmann::ordered_json names; //!< to write into its result; null when up to date
    bool isToRun{false};
    bool isStudy{false};       //!< of an expert placement policy
    int status{0};             //!< of the existing result or failure
    RunSize size;              //!< estimate
    double knownSeconds{0};    //!< duration of the existing result; 0 without one
    double expectedSeconds{0}; //!< estimated duration
    /// Label of each axis, by key.
    std::vector<std::pair<std::string, std::string>> axes;
};

/// The points of a sweep to run, in order.
class SweepPlan
{
  public:
    /**
     * Examines every selected point, without writing anything.
     * \param options selection of points, and treatment of existing results
     * \param folder with the existing results
     * \param size estimates the size of a point, possibly none
     * \throws PlanError
     */
    SweepPlan(const Descriptor& descriptor,
              const RunOptions& options,
              const SweepFolder& folder,
              const SizeFunction& size);

    /// \return the selected points, in the order of the descriptor
    const std::vector<PlannedPoint>& GetPoints() const
    {
        return m_points;
    }

    /// \return indices of points to run, the longest first
    const std::vector<std::size_t>& GetOrder() const
    {
        return m_order;
    }

    /// \return former and present names of folders of renamed points
    std::vector<std::pair<std::string, std::string>> GetRenames() const;

    /// \return notes to the user about existing results: other versions, other builds, other files
    const std::vector<std::string>& GetNotes() const
    {
        return m_notes;
    }

    /// \return the estimator of expected durations
    const RunEstimator& GetEstimator() const
    {
        return m_estimator;
    }

    /**
     * \param processes that run at the same time
     * \return estimated duration of all points to run, in seconds
     */
    double GetExpectedSeconds(unsigned processes) const;

  private:
    void LearnFromEarlier(const SweepFolder& folder);
    void CheckNames(const Descriptor& descriptor, const RunOptions& options) const;
    PlannedPoint Plan(const Descriptor& descriptor,
                      std::size_t point,
                      Experiment experiment,
                      const RunOptions& options,
                      const SweepFolder& folder,
                      const SizeFunction& size);
    PointRecord FindRecord(const Descriptor& descriptor,
                           const Experiment& experiment,
                           const RunOptions& options,
                           const SweepFolder& folder,
                           PlannedPoint& planned);
    std::string FindFolder(const Descriptor& descriptor,
                           const Experiment& experiment,
                           const SweepFolder& folder,
                           bool isOccupied);
    void CheckConflicts(const SweepFolder& folder, bool isPart) const;
    void Measure(PlannedPoint& planned,
                 const Experiment& experiment,
                 const PointRecord& record,
                 const SizeFunction& size);
    void Decide(PlannedPoint& planned, const PointRecord& record, const RunOptions& options);
    void MakeNotes(const RunOptions& options);

    /// Numbers of results from another program.
    struct OtherMakers
    {
        std::size_t kept{0};
        std::size_t repeated{0};
    };

    std::vector<PlannedPoint> m_points;
    std::vector<std::size_t> m_order;
    std::vector<std::string> m_notes;
    RunEstimator m_estimator;
    RunKeys m_keys;
    std::optional<std::map<std::string, std::string>> m_folders; //!< by hash of configuration
    std::vector<std::size_t> m_unsearched; //!< points not yet searched in other folders
    std::optional<bool> m_hasOthers;       //!< there are folders without a point of this name
    std::map<std::string, OtherMakers> m_otherMakers; //!< by program
    std::size_t m_otherInputs{0}; //!< number of points to repeat for other files
    /// Folders in the way with another configuration, and the difference.
    std::vector<std::pair<std::string, std::string>> m_conflicts;
};

} // namespace ns3::rails

#endif // RAILS_SWEEP_PLAN_H
