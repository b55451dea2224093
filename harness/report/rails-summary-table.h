// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_SUMMARY_TABLE_H
#define RAILS_SUMMARY_TABLE_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::rails
{

/// What a result is of, and so which columns say most about it; of several the last.
enum class SummaryTopic
{
    Traffic,
    Training,
    Study //!< of a policy of experts
};

/// What a run is compared with along an axis of its sweep.
struct SummaryBaseline
{
    std::string title; //!< of the column of ratios
    std::string name;  //!< of the row, or of the group of seeds; empty where there is none
};

/// A run for the table that a run or a sweep ends with.
struct SummaryRow
{
    std::string name;
    nlohmann::json json;  //!< its result.json; a discarded value when it has none
    std::string remark{}; //!< what else is to be known of it
    std::vector<SummaryBaseline> baselines{};
};

/**
 * Finds out whether multiples of lower bounds compare. Bounds of one seed that agree to 1 % are the
 * same: other seeds draw other traffic, which is no difference of what is compared. A case that
 * shares no seed with others is compared with all.
 */
class BoundComparison
{
  public:
    /**
     * \param runCase what the seeds of a run have in common
     * \param json its result.json; one that did not end well counts for nothing
     */
    void Add(const std::string& runCase, const nlohmann::json& json);

    /// \return true when multiples of the bounds do not compare
    bool Differ() const;

  private:
    std::map<uint64_t, std::map<std::string, std::vector<double>>> m_bounds; //!< by seed and case
};

/**
 * \return the table that a run or a sweep ends with: completion time, over bound, bus bandwidth; of
 * studies of experts' policies balance, copies, bytes and planning time. A run that did not end
 * well has none of them. Where bounds differ, a line says that their multiples do not compare
 * \param topic what runs without a result are about; those with one say so themselves
 */
std::string FormatSummary(const std::vector<SummaryRow>& rows,
                          SummaryTopic topic = SummaryTopic::Traffic);

/// \return a number with three significant digits, and without an exponent
std::string FormatSignificant(double number);

/// \return a table: the first column to the left, numbers to the right, the last one as it comes
std::string FormatTable(const std::vector<std::vector<std::string>>& rows);

/// The mean and the spread of runs that differ in their seed alone.
class SeedMeans
{
  public:
    /// \param topic what runs without a result are about
    explicit SeedMeans(SummaryTopic topic = SummaryTopic::Traffic);

    /**
     * \param group what the runs have in common
     * \param json result.json of one of them; a discarded value when it has none
     * \param isOther whether another program made it than those that were run now
     * \param baselines the groups that it is compared with, over the seeds that both have
     */
    void Add(const std::string& group,
             const nlohmann::json& json,
             bool isOther = false,
             const std::vector<SummaryBaseline>& baselines = {});

    /**
     * \return a table of the means, the sample standard deviations and how many runs they are of;
     * empty when no group has two runs
     */
    std::string Format() const;

  private:
    struct Group
    {
        std::string name;
        std::size_t runs{0};
        std::size_t done{0};                               //!< that ended well
        std::size_t others{0};                             //!< that another program made
        std::map<std::string, std::vector<double>> values; //!< by key of the metric
        std::map<uint64_t, double> compared;               //!< with the baselines, by seed
        std::vector<SummaryBaseline> baselines;
    };

    std::vector<std::string> ListBaselines() const;
    std::string FormatRatio(const Group& group, const std::string& title) const;

    SummaryTopic m_topic;
    BoundComparison m_bounds;
    std::vector<Group> m_groups;                //!< in the order in which they came
    std::map<std::string, std::size_t> m_known; //!< places of groups by name
};

} // namespace ns3::rails

#endif // RAILS_SUMMARY_TABLE_H
