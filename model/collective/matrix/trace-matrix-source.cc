// SPDX-License-Identifier: GPL-2.0-only
#include "expert-dealer.h"
#include "matrix-source.h"
#include "routing-trace.h"

#include "ns3/component-documentation.h"
#include "ns3/file-memory.h"
#include "ns3/rails-error.h"
#include "ns3/rails-units.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <string>

namespace ns3::rails
{

/**
 * The dispatch of one MoE layer out of recorded routing counts: `matrix: {type: trace}`. The file
 * is a CSV with the header `iteration,layer,microbatch,rank,e0,e1,...`; each row counts the tokens
 * that a source rank sent to each expert. Ranks are GPUs; experts are dealt over them in order.
 * With groups of GPUs it is the trace of every group.
 */
class TraceMatrixSource : public MatrixSource
{
  public:
    static TypeId GetTypeId();

    void Check(const GpuPartition& groups) const override;
    TrafficMatrix Generate(const GpuPartition& groups) override;
    double EstimateBytes(const GpuPartition& groups) const override;

  private:
    /// \return tokens between different GPUs of a group; throws as Check() does
    uint64_t FindSentTokens(const GpuPartition& groups) const;

    /**
     * \param groups the GPUs of the cluster
     * \param tokenBytes bytes of a token
     * \return traffic of a group, with its members as servers of one GPU; throws as Check() does
     */
    TrafficMatrix ReadGroup(const GpuPartition& groups, uint64_t tokenBytes) const;

    std::string m_path;
    uint32_t m_iteration;
    uint32_t m_layer;
    uint32_t m_microbatch;
    uint32_t m_hidden;
    ByteSize m_bytesPerElement;
};

NS_OBJECT_ENSURE_REGISTERED(TraceMatrixSource);

TypeId
TraceMatrixSource::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::TraceMatrixSource").SetParent<MatrixSource>(),
                         "The dispatch of one Mixture-of-Experts layer from recorded counts of "
                         "tokens; ranks of the record are GPUs, and as many.")
            .SetGroupName("Rails")
            .AddConstructor<TraceMatrixSource>()
            .AddAttribute(
                "Path",
                "CSV of tokens with the columns iteration,layer,microbatch,rank,e0,e1,...; of one "
                "group, where there are groups, and every group gets it.",
                StringValue(""),
                MakeStringAccessor(&TraceMatrixSource::m_path),
                MakeStringChecker())
            .AddAttribute("Iteration",
                          "Training iteration to take from the trace.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&TraceMatrixSource::m_iteration),
                          MakeCountRange<uint32_t>())
            .AddAttribute("Layer",
                          "MoE layer to take from the trace.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&TraceMatrixSource::m_layer),
                          MakeCountRange<uint32_t>())
            .AddAttribute("Microbatch",
                          "Micro-batch to take from the trace.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&TraceMatrixSource::m_microbatch),
                          MakeCountRange<uint32_t>())
            .AddAttribute("Hidden",
                          "Elements of a token's vector.",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&TraceMatrixSource::m_hidden),
                          MakeCountRange<uint32_t>(1, 1'000'000))
            .AddAttribute("BytesPerElement",
                          "Bytes of an element of a token's vector.",
                          ByteSizeValue(ByteSize(2)),
                          MakeByteSizeAccessor(&TraceMatrixSource::m_bytesPerElement),
                          MakeByteRange(1, 16));
    return tid;
}

void
TraceMatrixSource::Check(const GpuPartition& groups) const
{
    FindSentTokens(groups);
}

TrafficMatrix
TraceMatrixSource::Generate(const GpuPartition& groups)
{
    return Repeat(ReadGroup(groups, m_hidden * m_bytesPerElement.Get()), groups);
}

double
TraceMatrixSource::EstimateBytes(const GpuPartition& groups) const
{
    const uint64_t tokenBytes = m_hidden * m_bytesPerElement.Get();
    return static_cast<double>(FindSentTokens(groups)) * static_cast<double>(tokenBytes) *
           groups.GetCount();
}

uint64_t
TraceMatrixSource::FindSentTokens(const GpuPartition& groups) const
{
    static FileMemory<uint64_t> totals;
    return totals.Get(m_path, {groups.GetSize(), m_iteration, m_layer, m_microbatch}, [&] {
        return ReadGroup(groups, 1).GetTotalBytes();
    });
}

TrafficMatrix
TraceMatrixSource::ReadGroup(const GpuPartition& groups, uint64_t tokenBytes) const
{
    const uint32_t ranks = groups.GetSize();
    const auto tokens = RoutingTrace::Read(m_path)->ReadTokens({m_iteration, m_layer, m_microbatch},
                                                               ranks,
                                                               groups.GetOwner());
    TrafficMatrix matrix({ranks, 1});
    try
    {
        const ExpertDealer placement(tokens.front().size(), ranks);
        std::vector<GpuTokens> dealt;
        for (uint32_t source = 0; source < ranks; ++source)
        {
            dealt.clear();
            for (uint32_t expert = 0; expert < tokens[source].size(); ++expert)
            {
                placement.Deal(expert, tokens[source][expert], dealt);
            }
            for (const GpuTokens& got : dealt)
            {
                matrix.Add(source, got.gpu, got.tokens * tokenBytes);
            }
        }
    }
    catch (const ConfigurationError& error)
    {
        throw ConfigurationError("path", m_path + ": " + error.what());
    }
    return matrix;
}

} // namespace ns3::rails
