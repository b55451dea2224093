// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOCAL_POLICY_H
#define LOCAL_POLICY_H

#include "expert-policy.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Base of policies that route tokens of each source by a fixed rule, without communication or
 * planning; experts stay at home. If Pads(), an expert computes equally many rows for each source
 * of its group: those of the largest source. The small all-reduce to agree on this number is not
 * charged.
 */
class LocalPolicy : public ExpertPolicy
{
  public:
    static TypeId GetTypeId();

    LocalPolicy();

  private:
    std::vector<ExpertTransfer> DoBeginIteration(uint32_t layer, const LoadHistory& history) final;
    ExpertPlan DoPlan(uint32_t layer, const TokenCounts& counts) final;

    /// \return routes of a source's tokens; tokens without a route are dropped
    virtual std::vector<TokenRoute> Route(const SourceCounts& own) const = 0;
    /// \return if Pads(), least rows of an expert for each source; 0 unless overridden
    virtual uint64_t GetLeastRows() const;

    void Pad(ExpertPlan& plan) const;
};

} // namespace ns3::rails

#endif // LOCAL_POLICY_H
