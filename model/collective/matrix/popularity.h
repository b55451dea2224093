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
     * Starts a group of GPUs: draws the values that its GPUs share.
     * \param experts number of experts
     */
    virtual void Start(uint32_t experts) = 0;

    /**
     * \return share of each expert in the tokens of the group's next GPU; shares add up to 1. The
     *     same object is returned again if no share differs.
     */
    virtual std::shared_ptr<const std::vector<double>> GetNext() = 0;

    /**
     * Mean shares for estimates of sums over all draws.
     * \param experts number of experts
     * \return shares that add up to 1. Equal shares unless overridden: drawn popularities prefer no
     *     expert, so on average all sets of equally many experts get equal shares.
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
