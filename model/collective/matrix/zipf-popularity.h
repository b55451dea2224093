// SPDX-License-Identifier: GPL-2.0-only
#ifndef ZIPF_POPULARITY_H
#define ZIPF_POPULARITY_H

#include "common-popularity.h"

#include "ns3/random-variable-stream.h"

namespace ns3::rails
{

/**
 * Zipf's law over the experts in random order, the same for all sources:
 * `popularity: {type: zipf}`.
 */
class ZipfPopularity : public CommonPopularity
{
  public:
    static TypeId GetTypeId();

    ZipfPopularity();

    int64_t AssignStreams(int64_t stream) override;

  private:
    std::vector<double> Draw(uint32_t experts) override;

    Ptr<UniformRandomVariable> m_random;
    double m_exponent;
};

} // namespace ns3::rails

#endif // ZIPF_POPULARITY_H
