// SPDX-License-Identifier: GPL-2.0-only
#ifndef SPARSE_MATRIX_SOURCE_H
#define SPARSE_MATRIX_SOURCE_H

#include "pairwise-matrix-source.h"

#include "ns3/rails-units.h"
#include "ns3/random-variable-stream.h"

namespace ns3::rails
{

/**
 * Each GPU pair has traffic with a given probability, of exponentially distributed size:
 * `matrix: {type: sparse}`.
 */
class SparseMatrixSource : public PairwiseMatrixSource
{
  public:
    static TypeId GetTypeId();

    SparseMatrixSource();

    int64_t AssignStreams(int64_t stream) override;

  private:
    uint64_t GetBytes(uint32_t source, uint32_t destination) override;
    double GetMeanBytes(uint32_t gpus) const override;
    double GetDensity() const override;

    Ptr<UniformRandomVariable> m_random;
    double m_density;
    ByteSize m_mean;
};

} // namespace ns3::rails

#endif // SPARSE_MATRIX_SOURCE_H
