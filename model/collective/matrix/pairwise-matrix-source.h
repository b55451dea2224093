// SPDX-License-Identifier: GPL-2.0-only
#ifndef PAIRWISE_MATRIX_SOURCE_H
#define PAIRWISE_MATRIX_SOURCE_H

#include "matrix-source.h"

namespace ns3::rails
{

/**
 * What the synthetic matrices share that size each GPU pair on its own: they walk over the pairs of
 * each group by source, then destination, and leave out pairs inside a server unless told
 * otherwise. Not a component itself, so it has no TypeId.
 */
class PairwiseMatrixSource : public MatrixSource
{
  public:
    TrafficMatrix Generate(const GpuGroups& groups) final;
    double EstimateBytes(const GpuGroups& groups) const final;
    double EstimatePairs(const GpuGroups& groups) const final;

  protected:
    /**
     * Called before the first pair of a group.
     * \param gpus number of GPUs of the group
     */
    virtual void Start(uint32_t gpus);

    /// \return bytes that the source has for the destination, two members of the group; 0 for none
    virtual uint64_t GetBytes(uint32_t source, uint32_t destination) = 0;

    /**
     * \param gpus number of GPUs of a group
     * \return what GetBytes() returns for a pair, averaged over all draws and all destinations
     */
    virtual double GetMeanBytes(uint32_t gpus) const = 0;

    /// \return share of the pairs that have something for each other; by default all
    virtual double GetDensity() const;

    /// \return a drawn size as whole bytes, at least 1
    static uint64_t RoundBytes(double bytes);

    bool m_intra{false}; //!< attribute Intra of the components

  private:
    double CountPairs(const GpuGroups& groups) const;
};

} // namespace ns3::rails

#endif // PAIRWISE_MATRIX_SOURCE_H
