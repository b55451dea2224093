// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_SUMMARY_TABLE_H
#define RAILS_SUMMARY_TABLE_H

#include <cstddef>
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

/// A run for the table that a run or a sweep ends with.
struct SummaryRow
{
    std::string name;
    nlohmann::json json;  //!< its result.json; a discarded value when it has none
    std::string remark{}; //!< what else is to be known of it
};

/**
 * \return the table that a run or a sweep ends with: completion time, over bound, bus bandwidth; of
 * studies of experts' policies balance, copies, bytes and planning time. A run that did not end
 * well has none of them
 * \param topic what runs without a result are about; those with one say so themselves
 */
std::string FormatSummary(const std::vector<SummaryRow>& rows,
                          SummaryTopic topic = SummaryTopic::Traffic);

/// \return a number with so many digits behind the point
std::string FormatFixed(double number, int decimals);

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
     */
    void Add(const std::string& group, const nlohmann::json& json, bool isOther = false);

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
    };

    SummaryTopic m_topic;
    std::vector<Group> m_groups;                //!< in the order in which they came
    std::map<std::string, std::size_t> m_known; //!< places of groups by name
};

} // namespace ns3::rails

#endif // RAILS_SUMMARY_TABLE_H
