// SPDX-License-Identifier: GPL-2.0-only
#ifndef MATRIX_SOURCE_H
#define MATRIX_SOURCE_H

#include "gpu-partition.h"
#include "traffic-matrix.h"

#include "ns3/object.h"

#include <cstdint>

namespace ns3::rails
{

/// Largest size of one GPU pair in a descriptor (1 TB), so that sums over a cluster fit in 64 bits.
constexpr uint64_t kLargestPairBytes = 1'000'000'000'000;

/// Token copies of a matrix with deduplication (DeepEP).
struct TokenCopies
{
    TrafficMatrix pairs; //!< without deduplication, one copy per expert: result of Generate() for
                         //!< the same draws
    TrafficMatrix toServers; //!< one copy to the relay of each other server (GpuPartition)
    TrafficMatrix inServers; //!< one copy to each GPU, from relays and from local sources
};

/**
 * Source of a traffic matrix: the `matrix` component. A draw depends only on the random streams, so
 * all schemes of a comparison get the same matrix.
 */
class MatrixSource : public Object
{
  public:
    /// What holds for all objects of a class.
    struct Traits
    {
        bool isEven{false}; //!< all pairs of a group have as much: what begins at once ends at once
        /// It is known which experts each token goes to, and so how often it is sent when a copy
        /// serves several of them: GenerateCopies() and EstimateCopyBytes() work.
        bool knowsTokens{false};
    };

    static TypeId GetTypeId();

    const Traits& GetTraits() const
    {
        return m_traits;
    }

    /**
     * \param groups the GPUs of the cluster
     * \throws ConfigurationError when the source supports no matrix for them
     */
    virtual void Check(const GpuPartition& groups) const;

    /**
     * Draws or reads a matrix. Random matrices are drawn per group, one after the other. A file has
     * the matrix of one group, used for every group.
     * \param groups the GPUs of the cluster; they pass Check()
     */
    virtual TrafficMatrix Generate(const GpuPartition& groups) = 0;

    /**
     * Estimates the size of a matrix without creating it, so that sweeps of thousands of points are
     * planned in seconds.
     * \param groups the GPUs of the cluster; they pass Check()
     * \return bytes between different GPUs, mean over all draws
     */
    virtual double EstimateBytes(const GpuPartition& groups) const = 0;

    /// \return likewise, number of pairs with traffic; by default all pairs of a group
    virtual double EstimatePairs(const GpuPartition& groups) const;

    /**
     * Draws as Generate() does.
     * \param groups the GPUs of the cluster; they pass Check()
     * \throws std::logic_error unless Traits::knowsTokens
     */
    virtual TokenCopies GenerateCopies(const GpuPartition& groups);

    /**
     * \param groups the GPUs of the cluster; they pass Check()
     * \return bytes of all copies to servers and inside them, the mean over all draws
     * \throws std::logic_error unless Traits::knowsTokens
     */
    virtual double EstimateCopyBytes(const GpuPartition& groups) const;

    /**
     * Fixes the random streams.
     * \param stream first stream to use
     * \return how many streams were used
     */
    virtual int64_t AssignStreams(int64_t stream);

  protected:
    Traits m_traits; //!< set by constructors alone

    /**
     * \param ofGroup traffic of one group, by place
     * \param groups the GPUs of the cluster
     * \return traffic of all groups, equal in each
     */
    static TrafficMatrix Repeat(const TrafficMatrix& ofGroup, const GpuPartition& groups);
};

} // namespace ns3::rails

#endif // MATRIX_SOURCE_H
