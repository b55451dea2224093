// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_POINT_FILTER_H
#define RAILS_POINT_FILTER_H

#include "ns3/rails-experiment.h"

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::rails
{

/// A selection of points that selects none, or results that are in the way; what() says so.
class PlanError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// Chooses points of a sweep by the values of their keys.
class PointFilter
{
  public:
    /**
     * \param conditions KEY=VALUE each; of several all must hold. The value is the label that the
     * sweep gives it; where no point has this label, that of the effective configuration, of a
     * component its type; where none has that either, one of these but for blanks ("4 MB")
     * \throws PlanError when one is not of this form
     */
    explicit PointFilter(const std::vector<std::string>& conditions);

    /// \return true when there is no condition
    bool IsEmpty() const;

    /// Learns which values there are: of all points, before the first is asked for.
    void Learn(const Experiment& experiment);
    void Learn(const nlohmann::json& config,
               const std::map<std::string, std::string>& axes,
               const std::map<std::string, std::string>& labels);

    /// \return true when all conditions hold
    bool Accepts(const Experiment& experiment);

    /**
     * The same of a point that was run, as its result tells it.
     * \param config the effective configuration
     * \param axes the label of each axis of the sweep, by key
     * \param labels those that the user gave, by key
     * \return true when all conditions hold
     */
    bool Accepts(const nlohmann::json& config,
                 const std::map<std::string, std::string>& axes,
                 const std::map<std::string, std::string>& labels);

    /// \return why no point was accepted: an unknown key with the nearest one, or the values that
    /// points have
    std::string DescribeFailure() const;

  private:
    /// How a value is met.
    enum class Match
    {
        None,
        Blanks, //!< but for blanks
        Value,
        Label
    };

    struct Condition
    {
        std::string key;
        std::string value;
        Match best{Match::None};    //!< of the points that were learnt
        std::set<std::string> seen; //!< values that points have
    };

    /// \return how a point meets a condition, each in turn
    std::vector<Match> FindMatches(const nlohmann::json& config,
                                   const std::map<std::string, std::string>& axes,
                                   const std::map<std::string, std::string>& labels);

    std::vector<Condition> m_conditions;
    std::set<std::string> m_keys; //!< that points have
};

} // namespace ns3::rails

#endif // RAILS_POINT_FILTER_H
