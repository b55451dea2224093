// SPDX-License-Identifier: GPL-2.0-only
#ifndef ZIPF_MATRIX_SOURCE_H
#define ZIPF_MATRIX_SOURCE_H

#include "pairwise-matrix-source.h"

#include "ns3/rails-units.h"
#include "ns3/random-variable-stream.h"

#include <vector>

namespace ns3::rails
{

/**
 * Hot destination GPUs: `matrix: {type: zipf}`. The popularity of the cluster's GPUs follows Zipf's
 * law in random order; what a GPU has for another is the other's share of BytesPerGpu, jittered. A
 * GPU sends less than BytesPerGpu, because the shares of its own server stay unused without Intra
 * (and its own share always).
 */
class ZipfMatrixSource : public PairwiseMatrixSource
{
  public:
    static TypeId GetTypeId();

    ZipfMatrixSource();

    int64_t AssignStreams(int64_t stream) override;

  private:
    void Start(uint32_t gpus) override;
    uint64_t GetBytes(uint32_t source, uint32_t destination) override;
    double GetMeanBytes(uint32_t gpus) const override;

    Ptr<UniformRandomVariable> m_random;
    double m_exponent;
    ByteSize m_bytesPerGpu;
    double m_jitter;
    std::vector<double> m_shares; //!< per destination GPU
};

} // namespace ns3::rails

#endif // ZIPF_MATRIX_SOURCE_H
