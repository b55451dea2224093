// SPDX-License-Identifier: GPL-2.0-only
#ifndef POPULARITY_H
#define POPULARITY_H

#include "ns3/object.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// How often tokens choose each expert: the `popularity` component of a `moe` matrix.
class Popularity : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * \param experts number of experts
     * \param topK experts that each token chooses
     * \throws ConfigurationError with the key inside this component
     */
    virtual void Check(uint32_t experts, uint32_t topK) const;

    /**
     * Begins with a group of GPUs: draws what is the same for all of them.
     * \param experts number of experts
     */
    virtual void Start(uint32_t experts) = 0;

    /**
     * \return the share of each expert with the tokens of the group's next GPU; they add up to 1.
     * It is the same object as for the GPU before where no share differs.
     */
    virtual std::shared_ptr<const std::vector<double>> GetNext() = 0;

    /**
     * For estimates of what holds for sums over all draws.
     * \param experts number of experts
     * \return shares that give the same; they add up to 1. Equal ones unless overridden: where
     * shares are drawn, no expert is preferred, and a set of experts gets on average what any set
     * of as many gets.
     */
    virtual std::vector<double> GetMean(uint32_t experts) const;

    /**
     * Fixes the random streams.
     * \param stream first stream to use
     * \return how many streams were used
     */
    virtual int64_t AssignStreams(int64_t stream);
};

} // namespace ns3::rails

#endif // POPULARITY_H
