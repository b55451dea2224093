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

/// No point matches a selection, or existing results are in the way; what() has the details.
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
     * \param conditions KEY=VALUE each; all must hold. VALUE is a label of the sweep. If no point
     * has this label, VALUE is a value in the effective configuration, for a component its type. If
     * no point has this value either, blanks are ignored ("4 MB").
     * \throws PlanError for a condition of another form
     */
    explicit PointFilter(const std::vector<std::string>& conditions);

    /// \return true when there is no condition
    bool IsEmpty() const;

    /// Collects the values of a point. Call it for all points before the first Accepts().
    void Learn(const Experiment& experiment);
    void Learn(const nlohmann::json& config,
               const std::map<std::string, std::string>& axes,
               const std::map<std::string, std::string>& labels);

    /// \return true when all conditions hold
    bool Accepts(const Experiment& experiment);

    /**
     * Checks a point by its result.
     * \param config the effective configuration
     * \param axes the label of each axis of the sweep, by key
     * \param labels from the user, by key
     * \return true when all conditions hold
     */
    bool Accepts(const nlohmann::json& config,
                 const std::map<std::string, std::string>& axes,
                 const std::map<std::string, std::string>& labels);

    /// \return why no point was accepted: an unknown key with the nearest one, or the values of the
    /// points
    std::string DescribeFailure() const;

  private:
    /// How a value of a point matches a condition.
    enum class Match
    {
        None,
        Blanks, //!< equal without blanks
        Value,
        Label
    };

    struct Condition
    {
        std::string key;
        std::string value;
        Match best{Match::None};    //!< best match over all learnt points
        std::set<std::string> seen; //!< values of the points
    };

    /// \return the match of a point by condition
    std::vector<Match> FindMatches(const nlohmann::json& config,
                                   const std::map<std::string, std::string>& axes,
                                   const std::map<std::string, std::string>& labels);

    std::vector<Condition> m_conditions;
    std::set<std::string> m_keys; //!< keys of the points
};

} // namespace ns3::rails

#endif // RAILS_POINT_FILTER_H
