// SPDX-License-Identifier: GPL-2.0-only
#ifndef CAPACITY_POLICY_H
#define CAPACITY_POLICY_H

#include "ns3/local-policy.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/**
 * Base of plain expert parallelism: every token goes to the home of its expert in its own
 * expert-parallel group, without planning. Two limits can be set (moe-load-balancing, part C.1):
 * tokens of a source that an expert accepts, and rows that it computes for each source, with or
 * without tokens.
 */
class CapacityPolicy : public LocalPolicy
{
  public:
    /// Rows that an expert computes for each source of its group.
    enum Padding
    {
        NONE,     //!< one per token
        CAPACITY, //!< the capacity of the expert
        MAX       //!< the largest count of any source and expert in the group
    };

    static TypeId GetTypeId();

    bool Pads() const override;

  protected:
    /// \return true when the capacity of experts is limited
    bool HasCapacity() const;

  private:
    std::vector<TokenRoute> Route(const SourceCounts& own) const final;
    uint64_t GetLeastRows() const final;
    virtual Padding GetPadding() const = 0;

    uint64_t GetCapacity() const;

    std::optional<double> m_capacityFactor;
};

} // namespace ns3::rails

#endif // CAPACITY_POLICY_H
