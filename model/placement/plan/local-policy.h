// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOCAL_POLICY_H
#define LOCAL_POLICY_H

#include "expert-policy.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * A rule by which each source sends its own tokens to experts that stay where they are: nothing is
 * exchanged or planned. Where it Pads(), an expert computes as many rows for each source of its
 * group as for the one that sends it most; agreeing on that one number (a small all-reduce) is not
 * charged.
 */
class LocalPolicy : public ExpertPolicy
{
  public:
    static TypeId GetTypeId();

    LocalPolicy();

  private:
    bool PlansEveryTime() const final;
    std::vector<ExpertTransfer> DoBeginIteration(uint32_t layer, const LoadHistory& history) final;
    ExpertPlan DoPlan(uint32_t layer, const TokenCounts& counts) final;

    /// \return where tokens of a source go; those without a route are dropped
    virtual std::vector<TokenRoute> Route(const SourceCounts& own) const = 0;
    /// \return where it Pads(), rows that an expert computes for each source at least, with or
    /// without tokens; unless overridden 0
    virtual uint64_t GetLeastRows() const;

    void Pad(ExpertPlan& plan) const;
};

} // namespace ns3::rails

#endif // LOCAL_POLICY_H
