// SPDX-License-Identifier: GPL-2.0-only
#ifndef PAIRWISE_MATRIX_SOURCE_H
#define PAIRWISE_MATRIX_SOURCE_H

#include "matrix-source.h"

namespace ns3::rails
{

/**
 * Base of synthetic matrices with independent sizes of GPU pairs. Pairs of each group are visited
 * by source, then destination; pairs inside a server are skipped unless `intra` is set. Not a
 * component itself, so it has no TypeId.
 */
class PairwiseMatrixSource : public MatrixSource
{
  public:
    TrafficMatrix Generate(const GpuPartition& groups) final;
    double EstimateBytes(const GpuPartition& groups) const final;
    double EstimatePairs(const GpuPartition& groups) const final;

  protected:
    /**
     * Called before the first pair of a group.
     * \param gpus number of GPUs of the group
     */
    virtual void Start(uint32_t gpus);

    /// \return bytes from source to destination, two members of the group; 0 for none
    virtual uint64_t GetBytes(uint32_t source, uint32_t destination) = 0;

    /**
     * \param gpus number of GPUs of a group
     * \return mean of GetBytes() over all draws and destinations
     */
    virtual double GetMeanBytes(uint32_t gpus) const = 0;

    /// \return share of pairs with traffic; by default all
    virtual double GetDensity() const;

    /// \return a size rounded to whole bytes, at least 1
    static uint64_t RoundBytes(double bytes);

    bool m_intra{false}; //!< attribute Intra of the components

  private:
    double CountPairs(const GpuPartition& groups) const;
};

} // namespace ns3::rails

#endif // PAIRWISE_MATRIX_SOURCE_H
