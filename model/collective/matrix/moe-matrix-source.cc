// SPDX-License-Identifier: GPL-2.0-only
#include "moe-matrix-source.h"

#include "distinct-sampler.h"
#include "expert-placement.h"

#include "ns3/pointer.h"
#include "ns3/rails-about.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <string>
#include <vector>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(MoeMatrixSource);

TypeId
MoeMatrixSource::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::MoeMatrixSource").SetParent<MatrixSource>(),
                 "The dispatch of a Mixture-of-Experts layer, synthetic: every token of "
                 "every GPU chooses some experts by their popularity and is sent once "
                 "for each.")
            .SetGroupName("Rails")
            .AddConstructor<MoeMatrixSource>()
            .AddAttribute("TokensPerGpu",
                          "Tokens that each GPU holds.",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&MoeMatrixSource::m_tokensPerGpu),
                          MakeCountRange<uint32_t>(1, 100'000'000))
            .AddAttribute("TopK",
                          "Distinct experts that each token chooses.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&MoeMatrixSource::m_topK),
                          MakeCountRange<uint32_t>(1))
            .AddAttribute("Hidden",
                          "Elements of a token's vector.",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&MoeMatrixSource::m_hidden),
                          MakeCountRange<uint32_t>(1, 1'000'000))
            .AddAttribute("BytesPerElement",
                          "Bytes of an element of a token's vector.",
                          ByteSizeValue(ByteSize(2)),
                          MakeByteSizeAccessor(&MoeMatrixSource::m_bytesPerElement),
                          MakeByteRange(1, 16))
            .AddAttribute("Experts",
                          "Experts of the layer; a multiple of the GPUs, or the GPUs of it.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&MoeMatrixSource::m_experts),
                          MakeCountRange<uint32_t>(1, 1'000'000))
            .AddAttribute("Popularity",
                          "How often tokens choose each expert.",
                          StringValue("ns3::rails::UniformPopularity"),
                          MakePointerAccessor(&MoeMatrixSource::m_popularity),
                          MakePointerChecker<Popularity>());
    return tid;
}

MoeMatrixSource::MoeMatrixSource()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
MoeMatrixSource::DoDispose()
{
    m_popularity = nullptr;
    m_random = nullptr;
    MatrixSource::DoDispose();
}

void
MoeMatrixSource::Check(const ClusterShape& shape) const
{
    ExpertPlacement(m_experts, shape.GetGpus());
    if (m_topK > m_experts)
    {
        throw ConfigurationError("top_k",
                                 "a token cannot choose " + std::to_string(m_topK) +
                                     " distinct experts out of " + std::to_string(m_experts));
    }
    CheckNested("popularity", [&] { m_popularity->Check(m_experts, m_topK); });
}

TrafficMatrix
MoeMatrixSource::Generate(const ClusterShape& shape)
{
    const ExpertPlacement placement(m_experts, shape.GetGpus());
    const uint64_t tokenBytes = m_hidden * m_bytesPerElement.Get();
    const auto shares = m_popularity->Draw(shape.GetGpus(), m_experts);
    RandomBits bits(m_random);
    TrafficMatrix matrix(shape);
    for (uint32_t source = 0; source < shape.GetGpus(); ++source)
    {
        DistinctSampler sampler(shares[source]);
        std::vector<uint64_t> tokens(m_experts, 0);
        for (uint32_t token = 0; token < m_tokensPerGpu; ++token)
        {
            for (uint32_t expert : sampler.Draw(m_topK, bits))
            {
                ++tokens[expert];
            }
        }
        const std::vector<uint64_t> perGpu = placement.GetTokensPerGpu(tokens);
        for (uint32_t destination = 0; destination < shape.GetGpus(); ++destination)
        {
            matrix.Add(source, destination, perGpu[destination] * tokenBytes);
        }
    }
    return matrix;
}

double
MoeMatrixSource::EstimateBytes(const ClusterShape& shape) const
{
    // Experts are as popular with one GPU as with any other, up to the draws. So over all GPUs as
    // many tokens stay where they are as one GPU sends altogether, however unequal experts are.
    const uint64_t tokenBytes = m_hidden * m_bytesPerElement.Get();
    const double choices = static_cast<double>(m_tokensPerGpu) * m_topK;
    return (shape.GetGpus() - 1.0) * choices * static_cast<double>(tokenBytes);
}

int64_t
MoeMatrixSource::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1 + m_popularity->AssignStreams(stream + 1);
}

} // namespace ns3::rails
