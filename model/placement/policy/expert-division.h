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
 * Tokens of each expert by GPU, in one expert-parallel group. At first the home computes all; a
 * planner moves tokens to other GPUs, which become replicas.
 */
class ExpertDivision
{
  public:
    /// \param setting must outlive this object
    /// \param counts must outlive this object
    ExpertDivision(const ExpertSetting& setting, const TokenCounts& counts);

    const ExpertSetting& GetSetting() const
    {
        return m_setting;
    }

    const TokenCounts& GetCounts() const
    {
        return m_counts;
    }

    /// \return current tokens by GPU
    const std::vector<uint64_t>& GetLoads() const
    {
        return m_loads;
    }

    /// \return tokens of all GPUs
    uint64_t GetTotal() const
    {
        return m_total;
    }

    /// \return current tokens of an expert on its home
    uint64_t GetKept(uint32_t expert) const
    {
        return m_quota[expert].front().tokens;
    }

    /// \return experts at home on a GPU, by descending tokens, then by number
    std::vector<uint32_t> ListHeaviestFirst(uint32_t gpu) const;

    /// Moves tokens of an expert from its home. \param tokens at most GetKept()
    void Give(uint32_t expert, uint32_t gpu, uint64_t tokens);

    /// \return hosts by expert with their tokens: the home first, then replicas in order of
    ///     creation; hosts without tokens are left out
    ExpertQuota MakeQuota() const;

  private:
    const ExpertSetting& m_setting;
    const TokenCounts& m_counts;
    ExpertQuota m_quota; //!< the home first, even without tokens
    std::vector<uint64_t> m_loads;
    uint64_t m_total;
};

/// Tokens of an expert moved from its home to another GPU.
struct ExpertGift
{
    uint32_t expert{0};
    uint32_t gpu{0};
    uint64_t tokens{0};
};

} // namespace ns3::rails

#endif // EXPERT_DIVISION_H
