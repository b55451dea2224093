// SPDX-License-Identifier: GPL-2.0-only
#include "copy-counter.h"
#include "distinct-chance.h"
#include "distinct-sampler.h"
#include "expert-dealer.h"
#include "matrix-source.h"
#include "matrix-sum.h"
#include "popularity.h"
#include "source-spread.h"

#include "ns3/component-documentation.h"
#include "ns3/double.h"
#include "ns3/pointer.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/rails-units.h"
#include "ns3/random-variable-stream.h"
#include "ns3/range-checker.h"
#include "ns3/seeded-bits.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * The dispatch of a Mixture-of-Experts layer: `matrix: {type: moe}`. Every token chooses TopK
 * distinct experts by their popularity. It is sent once per expert, even to two experts on one GPU.
 * Experts are dealt over the GPUs of each group. Synthetic: tokens choose independently of each
 * other, which real text does not do.
 */
class MoeMatrixSource : public MatrixSource
{
  public:
    static TypeId GetTypeId();

    MoeMatrixSource();

    void Check(const GpuPartition& groups) const override;
    TrafficMatrix Generate(const GpuPartition& groups) override;
    double EstimateBytes(const GpuPartition& groups) const override;
    TokenCopies GenerateCopies(const GpuPartition& groups) override;
    double EstimateCopyBytes(const GpuPartition& groups) const override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;

  private:
    /**
     * Draws the tokens of a group.
     * \param gpus of the group
     * \param matrix receives the traffic between them
     * \param onToken called with the experts of each token, in ascending order
     * \param onSource called with each member after its last token
     */
    template <typename OnToken, typename OnSource>
    void Fill(const std::vector<uint32_t>& gpus,
              TrafficMatrix& matrix,
              OnToken onToken,
              OnSource onSource);

    std::vector<double> FindDeviations(const std::vector<double>& shares, uint64_t key) const;
    uint64_t GetTokenBytes() const;

    Ptr<UniformRandomVariable> m_random;
    Ptr<Popularity> m_popularity;
    uint32_t m_tokensPerGpu;
    uint32_t m_topK;
    uint32_t m_hidden;
    ByteSize m_bytesPerElement;
    uint32_t m_experts;
    double m_spread;
    double m_spreadOfSpread;
};

namespace
{

/// Probability that a token goes to a range of GPUs of a group.
class ChoiceChances
{
  public:
    /**
     * \param shares of the experts
     * \param topK experts per token
     * \param gpus number of GPUs of the group
     */
    ChoiceChances(std::vector<double> shares, uint32_t topK, uint32_t gpus)
        : m_shares(std::move(shares)),
          m_topK(topK),
          m_gpus(gpus)
    {
    }

    /// \return probability that a token goes to at least one member from first to end - 1
    double Find(uint32_t first, uint32_t end)
    {
        // Counts in units of 1 / GPUs of an expert. A token of an expert with only some of its GPUs
        // in the range goes there in proportion to these.
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
    /// \return probability that a token goes to no expert from first to end - 1
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
        SetDocumentation(TypeId("ns3::rails::MoeMatrixSource").SetParent<MatrixSource>(),
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
    m_traits.knowsTokens = true;
}

void
MoeMatrixSource::DoDispose()
{
    m_popularity = nullptr;
    m_random = nullptr;
    MatrixSource::DoDispose();
}

void
MoeMatrixSource::Check(const GpuPartition& groups) const
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
MoeMatrixSource::Generate(const GpuPartition& groups)
{
    TrafficMatrix matrix(groups.GetShape());
    for (const std::vector<uint32_t>& gpus : groups.GetGroups())
    {
        Fill(
            gpus,
            matrix,
            [](const std::vector<uint32_t>&) {},
            [](uint32_t) {});
    }
    return matrix;
}

TokenCopies
MoeMatrixSource::GenerateCopies(const GpuPartition& groups)
{
    const ClusterShape& shape = groups.GetShape();
    const ExpertDealer placement(m_experts, groups.GetSize());
    TokenCopies copies{TrafficMatrix(shape), TrafficMatrix(shape), TrafficMatrix(shape)};
    MatrixSum inServers(shape);
    for (uint32_t number = 0; number < groups.GetCount(); ++number)
    {
        CopyCounter counter(groups, number, placement, m_experts);
        Fill(
            groups.GetGroups()[number],
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
MoeMatrixSource::Fill(const std::vector<uint32_t>& gpus,
                      TrafficMatrix& matrix,
                      OnToken onToken,
                      OnSource onSource)
{
    const ExpertDealer placement(m_experts, static_cast<uint32_t>(gpus.size()));
    RandomBits bits(m_random);
    std::vector<uint64_t> tokens(m_experts, 0);
    std::vector<uint32_t> chosen; // experts with at least one token
    std::vector<GpuTokens> dealt;
    std::shared_ptr<const std::vector<double>> shares;
    std::optional<DistinctSampler> sampler; // of these shares
    m_popularity->Start(m_experts);
    const uint64_t key = m_spread > 0 ? bits() : 0;
    for (uint32_t source = 0; source < gpus.size(); ++source)
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
            matrix.Add(gpus[source], gpus[got.gpu], got.tokens * GetTokenBytes());
        }
        onSource(source);
    }
}

/// \return standard deviations over sources, by expert. \param key of the group's random bits
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
MoeMatrixSource::EstimateBytes(const GpuPartition& groups) const
{
    // Popularity does not depend on the source, up to the draws. So over all GPUs of a group, local
    // tokens are as many as one GPU sends in total, for any popularity.
    const double choices = static_cast<double>(m_tokensPerGpu) * m_topK;
    return groups.GetCount() * (groups.GetSize() - 1.0) * choices *
           static_cast<double>(GetTokenBytes());
}

double
MoeMatrixSource::EstimateCopyBytes(const GpuPartition& groups) const
{
    ChoiceChances chances(m_popularity->GetMean(m_experts), m_topK, groups.GetSize());
    double perToken = 0; // copies of one token of every GPU
    for (const std::vector<uint32_t>& gpus : groups.GetGroups())
    {
        const auto getServer = [&](uint32_t member) { return groups.GetServer(gpus[member]); };
        for (uint32_t first = 0; first < groups.GetSize();)
        {
            uint32_t end = first;
            for (; end < groups.GetSize() && getServer(end) == getServer(first); ++end)
            {
                // A copy that stays on its relay is not sent.
                const double itsOwn = 1.0 + static_cast<double>(groups.GetServed(gpus[end]).size());
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
