// SPDX-License-Identifier: GPL-2.0-only
#ifndef UNIFORM_MATRIX_SOURCE_H
#define UNIFORM_MATRIX_SOURCE_H

#include "pairwise-matrix-source.h"

#include "ns3/rails-units.h"

namespace ns3::rails
{

/// The same number of bytes for every GPU pair: `matrix: {type: uniform}`.
class UniformMatrixSource : public PairwiseMatrixSource
{
  public:
    static TypeId GetTypeId();

    bool IsEven() const override
    {
        return true;
    }

  private:
    uint64_t GetBytes(uint32_t source, uint32_t destination) override;
    double GetMeanBytes(uint32_t gpus) const override;

    ByteSize m_bytesPerPair;
};

} // namespace ns3::rails

#endif // UNIFORM_MATRIX_SOURCE_H
