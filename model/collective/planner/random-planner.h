// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANDOM_PLANNER_H
#define RANDOM_PLANNER_H

#include "dealing-planner.h"

#include "ns3/random-variable-stream.h"

#include <map>
#include <random>

namespace ns3::rails
{

/**
 * Each piece on a rail drawn at random: `balance: {type: random}`. Every server has a generator of
 * its own, seeded from the stream and its number, so that its draws do not depend on what the
 * others have to send.
 */
class RandomPlanner : public DealingPlanner
{
  public:
    static TypeId GetTypeId();

    RandomPlanner();

    std::vector<Piece> Plan(const ServerView& view) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    std::mt19937_64& GetGenerator(uint32_t server);

    Ptr<UniformRandomVariable> m_random;
    std::vector<uint32_t> m_key; //!< drawn from the stream on first use
    std::map<uint32_t, std::mt19937_64> m_generators;
};

} // namespace ns3::rails

#endif // RANDOM_PLANNER_H
