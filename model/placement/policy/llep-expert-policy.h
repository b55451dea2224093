// SPDX-License-Identifier: GPL-2.0-only
#ifndef LLEP_EXPERT_POLICY_H
#define LLEP_EXPERT_POLICY_H

#include "copying-policy.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/**
 * `llep`: experts in the order of their tokens stay at home as far as the load of their GPU, with
 * the smaller experts that are still to come, allows; the rest goes to the GPUs with the least to
 * do, in pieces that are not too small (LLEP, arXiv 2601.17111, with llep/gpt_oss_llep.py;
 * moe-runtime-2026, section 6). The number of copies on a GPU has no limit. The floor on pieces is
 * absolute: with few tokens an expert is dumped on one GPU, whose load can end above the limit.
 * Copies are kept for the way back (WeightTransferAutograd there).
 *
 * Declared planning time: none is published, so 0.
 */
class LlepExpertPolicy : public CopyingPolicy
{
  public:
    static TypeId GetTypeId();

    /// \return Blocking: parameters travel by plain collectives
    CopyTiming GetCopyTiming() const override;

  private:
    void Divide(ExpertDivision& division) const override;
    std::vector<TokenRoute> Route(const TokenCounts& counts, ExpertQuota quota) const override;
    bool FetchesAgain() const override;

    std::optional<double> m_ratio;
    double m_alpha;
    uint32_t m_minTokens;
};

} // namespace ns3::rails

#endif // LLEP_EXPERT_POLICY_H
