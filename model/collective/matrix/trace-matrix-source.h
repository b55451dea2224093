// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRACE_MATRIX_SOURCE_H
#define TRACE_MATRIX_SOURCE_H

#include "matrix-source.h"

#include "ns3/rails-units.h"

#include <string>

namespace ns3::rails
{

/**
 * The dispatch of one MoE layer out of recorded routing counts: `matrix: {type: trace}`. The file
 * is a CSV with the header `iteration,layer,microbatch,rank,e0,e1,...`; each row counts the tokens
 * that a source rank sent to each expert. Ranks are GPUs; experts are dealt over them in order.
 * Where GPUs are divided into groups it is the record of every group.
 */
class TraceMatrixSource : public MatrixSource
{
  public:
    static TypeId GetTypeId();

    void Check(const GpuGroups& groups) const override;
    TrafficMatrix Generate(const GpuGroups& groups) override;
    double EstimateBytes(const GpuGroups& groups) const override;

  private:
    /// \return tokens that GPUs of a group have for others; throws as Check() does
    uint64_t FindSentTokens(const GpuGroups& groups) const;

    /**
     * \param groups the GPUs of the cluster
     * \param tokenBytes bytes of a token
     * \return what the members of a group have for each other, as servers of one GPU; throws as
     * Check() does
     */
    TrafficMatrix ReadGroup(const GpuGroups& groups, uint64_t tokenBytes) const;

    std::string m_path;
    uint32_t m_iteration;
    uint32_t m_layer;
    uint32_t m_microbatch;
    uint32_t m_hidden;
    ByteSize m_bytesPerElement;
};

} // namespace ns3::rails

#endif // TRACE_MATRIX_SOURCE_H
