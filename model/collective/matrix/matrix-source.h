// SPDX-License-Identifier: GPL-2.0-only
#ifndef MATRIX_SOURCE_H
#define MATRIX_SOURCE_H

#include "gpu-groups.h"
#include "traffic-matrix.h"

#include "ns3/object.h"

#include <cstdint>

namespace ns3::rails
{

/// Largest size of one GPU pair that a key may ask for (1 TB): sums over a cluster stay in 64 bits.
constexpr uint64_t kLargestPairBytes = 1'000'000'000'000;

/// How the tokens of a matrix move in as few copies as there can be. (DeepEP)
struct TokenCopies
{
    TrafficMatrix pairs;     //!< a copy for each expert: what Generate() gives for the same draws
    TrafficMatrix toServers; //!< one for each other server, to the relay there (GroupServers)
    TrafficMatrix inServers; //!< from relays, and sources on their own servers: one for each GPU
};

/**
 * Where a traffic matrix comes from: the `matrix` component. A draw depends on the random streams
 * alone, so every scheme of a comparison gets the same matrix.
 */
class MatrixSource : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * \param groups the GPUs of the cluster
     * \throws ConfigurationError when no matrix for them can be made
     */
    virtual void Check(const GpuGroups& groups) const;

    /**
     * Draws or reads a matrix. What is drawn is drawn for each group on its own, one after the
     * other; what is read is the matrix of one group, and every group gets it.
     * \param groups the GPUs of the cluster; they pass Check()
     */
    virtual TrafficMatrix Generate(const GpuGroups& groups) = 0;

    /**
     * Tells how large a matrix will be without making it, so that thousands of points of a sweep
     * are planned in seconds.
     * \param groups the GPUs of the cluster; they pass Check()
     * \return bytes of all pairs of different GPUs, the mean over all draws where they are random
     */
    virtual double EstimateBytes(const GpuGroups& groups) const = 0;

    /// \return likewise, how many pairs have something for each other; by default all of a group
    virtual double EstimatePairs(const GpuGroups& groups) const;

    /// \return whether all pairs of a group have as much, so that what begins at once ends at once
    virtual bool IsEven() const
    {
        return false;
    }

    /**
     * \return whether it is known which experts each token goes to, and so how often it is sent
     * when a copy serves several of them. Only then may the two methods below be called, which
     * throw std::logic_error otherwise.
     */
    virtual bool KnowsTokens() const;

    /**
     * Draws as Generate() does.
     * \param groups the GPUs of the cluster; they pass Check()
     */
    virtual TokenCopies GenerateCopies(const GpuGroups& groups);

    /**
     * \param groups the GPUs of the cluster; they pass Check()
     * \return bytes of all copies to servers and in them, the mean over all draws
     */
    virtual double EstimateCopyBytes(const GpuGroups& groups) const;

    /**
     * Fixes the random streams.
     * \param stream first stream to use
     * \return how many streams were used
     */
    virtual int64_t AssignStreams(int64_t stream);

  protected:
    /**
     * \param ofGroup what the members of a group have for each other
     * \param groups the GPUs of the cluster
     * \return what all GPUs have for each other when this is so in every group
     */
    static TrafficMatrix Repeat(const TrafficMatrix& ofGroup, const GpuGroups& groups);
};

} // namespace ns3::rails

#endif // MATRIX_SOURCE_H
