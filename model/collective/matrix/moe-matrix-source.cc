// SPDX-License-Identifier: GPL-2.0-only
#include "moe-matrix-source.h"

#include "copy-counter.h"
#include "distinct-chance.h"
#include "distinct-sampler.h"
#include "expert-dealer.h"
#include "group-servers.h"
#include "matrix-sum.h"
#include "source-spread.h"

#include "ns3/double.h"
#include "ns3/pointer.h"
#include "ns3/rails-about.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/range-checker.h"
#include "ns3/seeded-bits.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

/// How probable it is that a token goes to GPUs of a group.
class ChoiceChances
{
  public:
    /**
     * \param shares of the experts
     * \param topK how many of them a token goes to
     * \param gpus of the group
     */
    ChoiceChances(std::vector<double> shares, uint32_t topK, uint32_t gpus)
        : m_shares(std::move(shares)),
          m_topK(topK),
          m_gpus(gpus)
    {
    }

    /// \return that it goes to some of the members from the first to the one before the end
    double Find(uint32_t first, uint32_t end)
    {
        // In parts of an expert, as many as GPUs. Of an expert that has GPUs outside, too, the
        // token goes to one inside as often as there are.
        const uint64_t begins = first * m_shares.size();
        const uint64_t ends = end * m_shares.size();
        const auto firstWhole = static_cast<uint32_t>((begins + m_gpus - 1) / m_gpus);
        const auto endWhole = static_cast<uint32_t>(ends / m_gpus);
        const auto getPart = [&](uint64_t parts) { return static_cast<double>(parts) / m_gpus; };
        if (firstWhole > endWhole)
        {
            return getPart(ends - begins) * (1 - FindMiss(endWhole, endWhole + 1));
        }
        const double before = getPart(uint64_t{firstWhole} * m_gpus - begins);
        const double behind = getPart(ends - uint64_t{endWhole} * m_gpus);
        double miss = 0;
        for (const uint32_t more : {0U, 1U})
        {
            for (const uint32_t another : {0U, 1U})
            {
                const double chance =
                    (more ? before : 1 - before) * (another ? behind : 1 - behind);
                miss += chance > 0 ? chance * FindMiss(firstWhole - more, endWhole + another) : 0;
            }
        }
        return 1 - miss;
    }

  private:
    /// \return that it goes to none of the experts from the first to the one before the end
    double FindMiss(uint32_t first, uint32_t end)
    {
        const auto [chance, isNew] = m_misses.try_emplace({first, end});
        if (isNew)
        {
            chance->second = FindMissChance(m_shares, m_topK, first, end);
        }
        return chance->second;
    }

    std::vector<double> m_shares;
    uint32_t m_topK;
    uint32_t m_gpus;
    std::map<std::pair<uint32_t, uint32_t>, double> m_misses; //!< by experts
};

} // namespace

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
                          MakePointerChecker<Popularity>())
            .AddAttribute("Spread",
                          "Relative change of the share of a mean expert from source GPU to source "
                          "GPU, about the popularity; as spread of the load synthetic, which says "
                          "what traces have. (0: what popularity says.)",
                          DoubleValue(0),
                          MakeDoubleAccessor(&MoeMatrixSource::m_spread),
                          MakeNumberRange(0, 10))
            .AddAttribute("SpreadOfSpread",
                          "Standard deviation, over experts, of the logarithm of that change. "
                          "(SmartMoE's traces.)",
                          DoubleValue(0.55),
                          MakeDoubleAccessor(&MoeMatrixSource::m_spreadOfSpread),
                          MakeNumberRange(0, 5));
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
    ExpertDealer(m_experts, groups.GetSize());
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
        Fill(
            groups.Get(number),
            matrix,
            [](const std::vector<uint32_t>&) {},
            [](uint32_t) {});
    }
    return matrix;
}

bool
MoeMatrixSource::KnowsTokens() const
{
    return true;
}

TokenCopies
MoeMatrixSource::GenerateCopies(const GpuGroups& groups)
{
    const ClusterShape& shape = groups.GetShape();
    const ExpertDealer placement(m_experts, groups.GetSize());
    TokenCopies copies{TrafficMatrix(shape), TrafficMatrix(shape), TrafficMatrix(shape)};
    MatrixSum inServers(shape);
    for (uint32_t number = 0; number < groups.GetCount(); ++number)
    {
        const GpuGroup group = groups.Get(number);
        CopyCounter counter(shape, group, placement, m_experts);
        Fill(
            group,
            copies.pairs,
            [&](const std::vector<uint32_t>& experts) { counter.Count(experts); },
            [&](uint32_t source) {
                counter.Finish(source, GetTokenBytes(), copies.toServers, inServers);
            });
    }
    copies.inServers = inServers.Get();
    return copies;
}

template <typename OnToken, typename OnSource>
void
MoeMatrixSource::Fill(const GpuGroup& group,
                      TrafficMatrix& matrix,
                      OnToken onToken,
                      OnSource onSource)
{
    const ExpertDealer placement(m_experts, group.GetSize());
    RandomBits bits(m_random);
    std::vector<uint64_t> tokens(m_experts, 0);
    std::vector<uint32_t> chosen; // experts that have got a token
    std::vector<GpuTokens> dealt;
    std::shared_ptr<const std::vector<double>> shares;
    std::optional<DistinctSampler> sampler; // of these shares
    m_popularity->Start(m_experts);
    const uint64_t key = m_spread > 0 ? bits() : 0;
    for (uint32_t source = 0; source < group.GetSize(); ++source)
    {
        if (auto next = m_popularity->GetNext(); next != shares)
        {
            shares = std::move(next);
            sampler.emplace(*shares);
        }
        if (m_spread > 0)
        {
            SeededBits own{key, 1, source};
            std::vector<double> favoured = DrawFavours(*shares, FindDeviations(*shares, key), own);
            std::transform(shares->begin(),
                           shares->end(),
                           favoured.begin(),
                           favoured.begin(),
                           std::multiplies<>());
            sampler.emplace(favoured);
        }
        chosen.clear();
        for (uint32_t token = 0; token < m_tokensPerGpu; ++token)
        {
            const std::vector<uint32_t>& experts = sampler->Draw(m_topK, bits);
            onToken(experts);
            for (const uint32_t expert : experts)
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
            matrix.Add(group.GetGpu(source), group.GetGpu(got.gpu), got.tokens * GetTokenBytes());
        }
        onSource(source);
    }
}

/// \return deviations from source to source by expert. \param key of what is random in a group
std::vector<double>
MoeMatrixSource::FindDeviations(const std::vector<double>& shares, uint64_t key) const
{
    std::vector<double> deviations;
    for (const double share : shares)
    {
        SeededBits bits{key, 0, deviations.size()};
        deviations.push_back(SourceSpread{m_spread, m_spreadOfSpread}.FindDeviation(share,
                                                                                    m_topK * share,
                                                                                    m_experts,
                                                                                    bits));
    }
    return deviations;
}

double
MoeMatrixSource::EstimateBytes(const GpuGroups& groups) const
{
    // Experts are as popular with one GPU as with any other, up to the draws. So over all GPUs of a
    // group as many tokens stay where they are as one GPU sends altogether, however unequal experts
    // are.
    const double choices = static_cast<double>(m_tokensPerGpu) * m_topK;
    return groups.GetCount() * (groups.GetSize() - 1.0) * choices *
           static_cast<double>(GetTokenBytes());
}

double
MoeMatrixSource::EstimateCopyBytes(const GpuGroups& groups) const
{
    ChoiceChances chances(m_popularity->GetMean(m_experts), m_topK, groups.GetSize());
    double perToken = 0; // copies of one token of every GPU
    for (uint32_t number = 0; number < groups.GetCount(); ++number)
    {
        const GroupServers servers(groups.GetShape(), groups.Get(number).GetGpus());
        for (uint32_t first = 0; first < groups.GetSize();)
        {
            uint32_t end = first;
            for (; end < groups.GetSize() && servers.GetServer(end) == servers.GetServer(first);
                 ++end)
            {
                // What a GPU passes on to itself does not move.
                const double itsOwn = 1.0 + static_cast<double>(servers.GetServed(end).size());
                perToken += (groups.GetSize() - itsOwn) * chances.Find(end, end + 1);
            }
            perToken += (groups.GetSize() - (end - first)) * chances.Find(first, end);
            first = end;
        }
    }
    return perToken * m_tokensPerGpu * static_cast<double>(GetTokenBytes());
}

uint64_t
MoeMatrixSource::GetTokenBytes() const
{
    return m_hidden * m_bytesPerElement.Get();
}

int64_t
MoeMatrixSource::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1 + m_popularity->AssignStreams(stream + 1);
}

} // namespace ns3::rails
