// SPDX-License-Identifier: GPL-2.0-only
#ifndef MATRIX_SOURCE_H
#define MATRIX_SOURCE_H

#include "traffic-matrix.h"

#include "ns3/object.h"

#include <cstdint>

namespace ns3::rails
{

/// Largest size of one GPU pair that a key may ask for (1 TB): sums over a cluster stay in 64 bits.
constexpr uint64_t kLargestPairBytes = 1'000'000'000'000;

/**
 * Where a traffic matrix comes from: the `matrix` component. A draw depends on the random streams
 * alone, so every scheme of a comparison gets the same matrix.
 */
class MatrixSource : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * \param shape the cluster
     * \throws ConfigurationError when no matrix for it can be made
     */
    virtual void Check(const ClusterShape& shape) const;

    /**
     * Draws or reads a matrix.
     * \param shape the cluster, which passes Check()
     */
    virtual TrafficMatrix Generate(const ClusterShape& shape) = 0;

    /**
     * Tells how large a matrix will be without making it, so that thousands of points of a sweep
     * are planned in seconds.
     * \param shape the cluster, which passes Check()
     * \return bytes of all pairs of different GPUs, the mean over all draws where they are random
     */
    virtual double EstimateBytes(const ClusterShape& shape) const = 0;

    /**
     * Fixes the random streams.
     * \param stream first stream to use
     * \return how many streams were used
     */
    virtual int64_t AssignStreams(int64_t stream);
};

} // namespace ns3::rails

#endif // MATRIX_SOURCE_H
