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

/// The topic of a result, which selects the columns; the last one wins among several results.
enum class SummaryTopic
{
    Traffic,
    Training,
    Study //!< of an expert placement policy
};

/// The baseline of a run along an axis of its sweep.
struct SummaryBaseline
{
    std::string title; //!< of the column of ratios
    std::string name;  //!< of the baseline's row or group of seeds; empty without one
};

/// One run in the summary table of a run or a sweep.
struct SummaryRow
{
    std::string name;
    nlohmann::json json;  //!< its result.json; a discarded value without a result
    std::string remark{}; //!< appended to the row
    std::vector<SummaryBaseline> baselines{};
};

/**
 * Decides whether normalized completion times of runs are comparable, by comparing lower bounds per
 * seed, as other seeds draw other traffic. Bounds that agree to 1 % count as equal. A case without
 * a common seed is compared with all others.
 */
class BoundComparison
{
  public:
    /**
     * \param runCase equal for runs that differ only in the seed
     * \param json its result.json; ignored unless the run ended well
     */
    void Add(const std::string& runCase, const nlohmann::json& json);

    /// \return true when normalized completion times are not comparable
    bool Differ() const;

  private:
    std::map<uint64_t, std::map<std::string, std::vector<double>>> m_bounds; //!< by seed and case
};

/**
 * \return the summary table of a run or a sweep: completion time, over bound and bus bandwidth; for
 * studies of expert placement policies balance, replicas, bytes and planning time. These cells are
 * empty for a run that did not end well. When bounds differ, a line says that the column over bound
 * is not comparable
 * \param topic of runs without a result; a result determines its own topic
 */
std::string FormatSummary(const std::vector<SummaryRow>& rows,
                          SummaryTopic topic = SummaryTopic::Traffic);

/// \return a number with three significant digits, and without an exponent
std::string FormatSignificant(double number);

/// \return a table: the first column left-aligned, numbers right-aligned, the last column unaligned
std::string FormatTable(std::vector<std::vector<std::string>> rows);

/// Mean and standard deviation over runs that differ only in the seed.
class SeedMeans
{
  public:
    /// \param topic of runs without a result
    explicit SeedMeans(SummaryTopic topic = SummaryTopic::Traffic);

    /**
     * \param group name of the group, without the seed
     * \param json result.json of one run; a discarded value without a result
     * \param isOther the result is from another program than this one
     * \param baselines groups to compare with, over common seeds
     */
    void Add(const std::string& group,
             const nlohmann::json& json,
             bool isOther = false,
             const std::vector<SummaryBaseline>& baselines = {});

    /**
     * \return a table of means, sample standard deviations and numbers of runs; empty when no group
     * has two runs
     */
    std::string Format() const;

  private:
    struct Group
    {
        std::string name;
        std::size_t runs{0};
        std::size_t done{0};                               //!< runs that ended well
        std::size_t others{0};                             //!< runs of another program
        std::map<std::string, std::vector<double>> values; //!< by key of the metric
        std::map<uint64_t, double> compared; //!< value for ratios to baselines, by seed
        std::vector<SummaryBaseline> baselines;
    };

    std::vector<std::string> ListBaselines() const;
    std::string FormatRatio(const Group& group, const std::string& title) const;

    SummaryTopic m_topic;
    BoundComparison m_bounds;
    std::vector<Group> m_groups;                //!< in order of addition
    std::map<std::string, std::size_t> m_known; //!< index in m_groups by name
};

} // namespace ns3::rails

#endif // RAILS_SUMMARY_TABLE_H
