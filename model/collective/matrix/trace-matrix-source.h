// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRACE_MATRIX_SOURCE_H
#define TRACE_MATRIX_SOURCE_H

#include "matrix-source.h"

#include "ns3/rails-units.h"

#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * The dispatch of one MoE layer out of recorded routing counts: `matrix: {type: trace}`. The file
 * is a CSV with the header `iteration,layer,microbatch,rank,e0,e1,...`; each row counts the tokens
 * that a source rank sent to each expert. Ranks are GPUs; experts are dealt over them in order.
 */
class TraceMatrixSource : public MatrixSource
{
  public:
    static TypeId GetTypeId();

    void Check(const ClusterShape& shape) const override;
    TrafficMatrix Generate(const ClusterShape& shape) override;
    double EstimateBytes(const ClusterShape& shape) const override;

  private:
    /// \return tokens that GPUs have for others; throws as Check() does
    uint64_t FindSentTokens(uint32_t ranks) const;

    /// \return tokens by source rank and expert
    std::vector<std::vector<uint64_t>> ReadTokens(uint32_t ranks) const;

    std::string m_path;
    uint32_t m_iteration;
    uint32_t m_layer;
    uint32_t m_microbatch;
    uint32_t m_hidden;
    ByteSize m_bytesPerElement;
};

} // namespace ns3::rails

#endif // TRACE_MATRIX_SOURCE_H
