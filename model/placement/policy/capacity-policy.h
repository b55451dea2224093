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
 * Plain expert parallelism: every token goes to the home of its expert in its own group, and
 * nothing is planned. Two things can be fixed (moe-load-balancing, part C.1): how many tokens of a
 * source an expert takes, and how many rows it computes for each source, with or without tokens.
 */
class CapacityPolicy : public LocalPolicy
{
  public:
    /// How many rows an expert computes for each source of its group.
    enum Padding
    {
        NONE,     //!< as many as there are tokens
        CAPACITY, //!< as many as it takes at most
        MAX       //!< as many as any source of the group has for any expert
    };

    static TypeId GetTypeId();

    bool Pads() const override;

  protected:
    /// \return true when an expert takes a limited number of tokens
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
