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

/// A point of a sweep as a plan sees it.
struct PlannedPoint
{
    std::size_t point{0}; //!< its number in the descriptor
    std::string name;
    std::string group;   //!< what it has in common with those of other seeds
    std::string key;     //!< see RunKeys
    VersionInfo version; //!< what it is run with
    std::string maker;   //!< what made the result that is there, when that was another program
    PointState state{PointState::Missing};
    std::string formerName;       //!< of its folder, when its labels have changed since
    nlohmann::ordered_json names; //!< for its result, which has others; null where they are right
    bool isToRun{false};
    bool isStudy{false};       //!< of a policy of experts
    int status{0};             //!< of the result or failure that is there
    RunSize size;              //!< about
    double knownSeconds{0};    //!< how long the result that is there took; 0 without one
    double expectedSeconds{0}; //!< how long it will take, about
    /// What it is of each axis.
    std::vector<std::pair<std::string, std::string>> axes;
};

/// Which points of a sweep are to be run, in which order.
class SweepPlan
{
  public:
    /**
     * Looks at every point that was asked for. Nothing is written.
     * \param descriptor the descriptor
     * \param options which points, and what to do with results that are there
     * \param folder where they are
     * \param size how large a point is, possibly none
     * \throws PlanError
     */
    SweepPlan(const Descriptor& descriptor,
              const RunOptions& options,
              const SweepFolder& folder,
              const SizeFunction& size);

    /// \return the points that were asked for, in the order of the descriptor
    const std::vector<PlannedPoint>& GetPoints() const;

    /// \return which of them are to be run, those that take longest first
    const std::vector<std::size_t>& GetOrder() const;

    /// \return folders that hold a point under another name than it has now, with both names
    std::vector<std::pair<std::string, std::string>> GetRenames() const;

    /// \return what a user should know of results that are there: other versions, other builds,
    /// other files
    const std::vector<std::string>& GetNotes() const;

    /// \return what the expected times are known from
    const RunEstimator& GetEstimator() const;

    /**
     * \param processes how many run at once
     * \return how long the points to be run take together, about, in seconds
     */
    double GetExpectedSeconds(unsigned processes) const;

  private:
    void LearnFromNeighbours(const SweepFolder& folder);
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

    /// Results by something else than what would make them here.
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
    std::optional<std::map<std::string, std::string>> m_folders; //!< by the hash of what they hold
    std::vector<std::size_t> m_unsearched; //!< points that were not looked for in other folders
    std::optional<bool> m_hasOthers;       //!< folders that are named like no point
    std::map<std::string, OtherMakers> m_otherMakers; //!< by what made them
    std::size_t m_otherInputs{0};                     //!< run again
    /// Folders in the way, which hold another configuration, and how that differs.
    std::vector<std::pair<std::string, std::string>> m_conflicts;
};

} // namespace ns3::rails

#endif // RAILS_SWEEP_PLAN_H
