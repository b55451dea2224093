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

    std::vector<std::vector<double>> Draw(uint32_t sources, uint32_t experts) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    std::vector<double> DrawShares(uint32_t experts);

    Ptr<UniformRandomVariable> m_random;
    double m_concentration;
};

} // namespace ns3::rails

#endif // DIRICHLET_POPULARITY_H
