// SPDX-License-Identifier: GPL-2.0-only
#ifndef GIVEN_POPULARITY_H
#define GIVEN_POPULARITY_H

#include "common-popularity.h"

#include "ns3/value-list.h"

namespace ns3::rails
{

/// Shares given one by one, the same for all sources: `popularity: {type: given}`.
class GivenPopularity : public CommonPopularity
{
  public:
    static TypeId GetTypeId();

    void Check(uint32_t experts, uint32_t topK) const override;
    std::vector<double> GetMean(uint32_t experts) const override;

  private:
    std::vector<double> Draw(uint32_t experts) override;

    NumberList m_shares;
};

} // namespace ns3::rails

#endif // GIVEN_POPULARITY_H
