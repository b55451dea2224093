// SPDX-License-Identifier: GPL-2.0-only
#include "trace-matrix-source.h"

#include "expert-dealer.h"
#include "routing-trace.h"

#include "ns3/file-memory.h"
#include "ns3/rails-about.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(TraceMatrixSource);

TypeId
TraceMatrixSource::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::TraceMatrixSource").SetParent<MatrixSource>(),
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
TraceMatrixSource::Check(const GpuGroups& groups) const
{
    FindSentTokens(groups);
}

TrafficMatrix
TraceMatrixSource::Generate(const GpuGroups& groups)
{
    return Repeat(ReadGroup(groups, m_hidden * m_bytesPerElement.Get()), groups);
}

double
TraceMatrixSource::EstimateBytes(const GpuGroups& groups) const
{
    const uint64_t tokenBytes = m_hidden * m_bytesPerElement.Get();
    return static_cast<double>(FindSentTokens(groups)) * static_cast<double>(tokenBytes) *
           groups.GetCount();
}

uint64_t
TraceMatrixSource::FindSentTokens(const GpuGroups& groups) const
{
    static FileMemory<uint64_t> totals;
    return totals.Get(m_path, {groups.GetSize(), m_iteration, m_layer, m_microbatch}, [&] {
        return ReadGroup(groups, 1).GetTotalBytes();
    });
}

TrafficMatrix
TraceMatrixSource::ReadGroup(const GpuGroups& groups, uint64_t tokenBytes) const
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
