// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_DIVISION_H
#define EXPERT_DIVISION_H

#include "ns3/expert-setting.h"
#include "ns3/token-counts.h"
#include "ns3/token-routing.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Which GPU computes how many tokens of each expert, in one group of expert parallelism: at first
 * all of them at home. A planner gives some of them to other GPUs, which become copies.
 */
class ExpertDivision
{
  public:
    /// \param counts which must outlive it, as the setting must
    ExpertDivision(const ExpertSetting& setting, const TokenCounts& counts);

    const ExpertSetting& GetSetting() const
    {
        return m_setting;
    }

    const TokenCounts& GetCounts() const
    {
        return m_counts;
    }

    /// \return tokens by GPU that it computes now
    const std::vector<uint64_t>& GetLoads() const
    {
        return m_loads;
    }

    /// \return tokens of all GPUs
    uint64_t GetTotal() const
    {
        return m_total;
    }

    /// \return tokens of an expert that its home computes now
    uint64_t GetKept(uint32_t expert) const
    {
        return m_quota[expert].front().tokens;
    }

    /// \return experts at home on a GPU, those with most tokens first; of equal ones the first
    std::vector<uint32_t> ListHeaviestFirst(uint32_t gpu) const;

    /// Takes tokens of an expert from its home. \param tokens at most what is kept there
    void Give(uint32_t expert, uint32_t gpu, uint64_t tokens);

    /// \return the home of each expert first, then its copies as they came; who computes nothing is
    /// left out
    ExpertQuota MakeQuota() const;

  private:
    const ExpertSetting& m_setting;
    const TokenCounts& m_counts;
    ExpertQuota m_quota; //!< the home first, even without tokens
    std::vector<uint64_t> m_loads;
    uint64_t m_total;
};

/// Tokens of an expert that a GPU computes which is not its home.
struct ExpertGift
{
    uint32_t expert{0};
    uint32_t gpu{0};
    uint64_t tokens{0};
};

} // namespace ns3::rails

#endif // EXPERT_DIVISION_H
