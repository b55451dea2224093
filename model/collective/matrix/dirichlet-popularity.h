// SPDX-License-Identifier: GPL-2.0-only
#ifndef DIRICHLET_POPULARITY_H
#define DIRICHLET_POPULARITY_H

#include "popularity.h"

#include "ns3/random-variable-stream.h"

namespace ns3::rails
{

/**
 * Shares from a symmetric Dirichlet distribution, drawn for each source GPU on its own:
 * `popularity: {type: dirichlet}`. A small concentration makes few experts take most tokens. No
 * share falls below one in 10^9, so that a token finds as many distinct experts as it needs.
 */
class DirichletPopularity : public Popularity
{
  public:
    static TypeId GetTypeId();

    DirichletPopularity();

    void Start(uint32_t experts) override;
    std::shared_ptr<const std::vector<double>> GetNext() override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    Ptr<UniformRandomVariable> m_random;
    double m_concentration;
    uint32_t m_experts{0};
};

} // namespace ns3::rails

#endif // DIRICHLET_POPULARITY_H
