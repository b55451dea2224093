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

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
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
                          "Experts of the layer, dealt over the GPUs of each group; a multiple of "
                          "these, or these of it.",
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
MoeMatrixSource::Check(const GpuGroups& groups) const
{
    ExpertPlacement(m_experts, groups.GetSize());
    if (m_topK > m_experts)
    {
        throw ConfigurationError("top_k",
                                 "a token cannot choose " + std::to_string(m_topK) +
                                     " distinct experts out of " + std::to_string(m_experts));
    }
    CheckNested("popularity", [&] { m_popularity->Check(m_experts, m_topK); });
}

TrafficMatrix
MoeMatrixSource::Generate(const GpuGroups& groups)
{
    TrafficMatrix matrix(groups.GetShape());
    for (uint32_t number = 0; number < groups.GetCount(); ++number)
    {
        Fill(groups.Get(number), matrix);
    }
    return matrix;
}

void
MoeMatrixSource::Fill(const GpuGroup& group, TrafficMatrix& matrix)
{
    const ExpertPlacement placement(m_experts, group.GetSize());
    const uint64_t tokenBytes = m_hidden * m_bytesPerElement.Get();
    RandomBits bits(m_random);
    std::vector<uint64_t> tokens(m_experts, 0);
    std::vector<uint32_t> chosen; // experts that have got a token
    std::vector<GpuTokens> dealt;
    std::shared_ptr<const std::vector<double>> shares;
    std::optional<DistinctSampler> sampler; // of these shares
    m_popularity->Start(m_experts);
    for (uint32_t source = 0; source < group.GetSize(); ++source)
    {
        if (auto next = m_popularity->GetNext(); next != shares)
        {
            shares = std::move(next);
            sampler.emplace(*shares);
        }
        chosen.clear();
        for (uint32_t token = 0; token < m_tokensPerGpu; ++token)
        {
            for (const uint32_t expert : sampler->Draw(m_topK, bits))
            {
                if (tokens[expert]++ == 0)
                {
                    chosen.push_back(expert);
                }
            }
        }
        std::sort(chosen.begin(), chosen.end());
        dealt.clear();
        for (const uint32_t expert : chosen)
        {
            placement.Deal(expert, std::exchange(tokens[expert], 0), dealt);
        }
        for (const GpuTokens& got : dealt)
        {
            matrix.Add(group.GetGpu(source), group.GetGpu(got.gpu), got.tokens * tokenBytes);
        }
    }
}

double
MoeMatrixSource::EstimateBytes(const GpuGroups& groups) const
{
    // Experts are as popular with one GPU as with any other, up to the draws. So over all GPUs of a
    // group as many tokens stay where they are as one GPU sends altogether, however unequal experts
    // are.
    const uint64_t tokenBytes = m_hidden * m_bytesPerElement.Get();
    const double choices = static_cast<double>(m_tokensPerGpu) * m_topK;
    return groups.GetCount() * (groups.GetSize() - 1.0) * choices * static_cast<double>(tokenBytes);
}

int64_t
MoeMatrixSource::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1 + m_popularity->AssignStreams(stream + 1);
}

} // namespace ns3::rails
