// SPDX-License-Identifier: GPL-2.0-only
#ifndef POPULARITY_H
#define POPULARITY_H

#include "ns3/object.h"

#include <cstdint>
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
     * \param sources number of source GPUs
     * \param experts number of experts
     * \return for each source the share of each expert; a source's shares add up to 1
     */
    virtual std::vector<std::vector<double>> Draw(uint32_t sources, uint32_t experts) = 0;

    /**
     * Fixes the random streams.
     * \param stream first stream to use
     * \return how many streams were used
     */
    virtual int64_t AssignStreams(int64_t stream);
};

} // namespace ns3::rails

#endif // POPULARITY_H
