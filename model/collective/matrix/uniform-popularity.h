// SPDX-License-Identifier: GPL-2.0-only
#ifndef UNIFORM_POPULARITY_H
#define UNIFORM_POPULARITY_H

#include "common-popularity.h"

namespace ns3::rails
{

/// All experts are equally popular: `popularity: {type: uniform}`.
class UniformPopularity : public CommonPopularity
{
  public:
    static TypeId GetTypeId();

  private:
    std::vector<double> Draw(uint32_t experts) override;
};

} // namespace ns3::rails

#endif // UNIFORM_POPULARITY_H
