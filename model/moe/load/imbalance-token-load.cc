// SPDX-License-Identifier: GPL-2.0-only
#include "imbalance-token-load.h"

#include "ns3/component-documentation.h"
#include "ns3/enum.h"
#include "ns3/rails-error.h"
#include "ns3/rails-sha256.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"
#include "ns3/word-accessor.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <utility>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(ImbalanceTokenLoad);

namespace
{

using Pool = std::vector<uint32_t>;

// The benchmark's seed depends on these names.
constexpr std::array<const char*, 10> kNames{"W0_balanced",
                                             "W1_hot_expert_set",
                                             "W2_hot_rank",
                                             "W3_spread_hot_experts",
                                             "W4_source_ragged",
                                             "W5_zero_expert_rank",
                                             "W6_rotating_hotspot",
                                             "W7_burst",
                                             "W2_hot_rank_corrected",
                                             "W4_source_ragged_corrected"};

/// \return consecutive experts, wrapping around after the last
Pool
MakePool(uint32_t first, uint32_t count, uint32_t experts)
{
    Pool pool(count);
    for (uint32_t i = 0; i < count; ++i)
    {
        pool[i] = (first + i) % experts;
    }
    return pool;
}

/// \return experts of the first GPU, or of as many GPUs as hold topK experts
uint32_t
CountOnHotGpus(const LoadShape& shape)
{
    const uint32_t perGpu = std::max(1U, shape.experts / shape.sources);
    return std::min(shape.experts, (shape.topK + perGpu - 1) / perGpu * perGpu);
}

/// Candidate experts of a workload's tokens.
class Pools
{
  public:
    Pools(ImbalanceTokenLoad::Workload workload, const LoadShape& shape, uint32_t step)
        : m_workload(workload),
          m_step(step),
          m_all(MakePool(0, shape.experts, shape.experts))
    {
        const uint32_t experts = shape.experts;
        const uint32_t hot = std::max(shape.topK, experts / 4);
        switch (workload)
        {
        case ImbalanceTokenLoad::W3:
            for (uint32_t i = 0; i < std::max(shape.topK, experts / 2); ++i)
            {
                m_hot.push_back(2 * i % experts);
            }
            std::sort(m_hot.begin(), m_hot.end());
            m_hot.erase(std::unique(m_hot.begin(), m_hot.end()), m_hot.end());
            m_hot = m_hot.size() < shape.topK ? m_all : m_hot;
            break;
        case ImbalanceTokenLoad::W5:
            m_hot = MakePool(experts / 2, experts - experts / 2, experts);
            break;
        case ImbalanceTokenLoad::W6:
            m_hot =
                MakePool(static_cast<uint32_t>(uint64_t{step / 3} * hot % experts), hot, experts);
            break;
        case ImbalanceTokenLoad::W2_CORRECTED:
            m_hot = MakePool(0, CountOnHotGpus(shape), experts);
            break;
        default:
            m_hot = MakePool(0, hot, experts);
            break;
        }
    }

    const Pool& Get(uint32_t token) const
    {
        switch (m_workload)
        {
        case ImbalanceTokenLoad::W4:
        case ImbalanceTokenLoad::W4_CORRECTED:
            return m_all;
        case ImbalanceTokenLoad::W5:
            return m_hot;
        case ImbalanceTokenLoad::W7:
            return m_step % 4 == 3 && token % 2 == 0 ? m_hot : m_all;
        default:
            return token % 4 != 0 ? m_hot : m_all;
        }
    }

  private:
    ImbalanceTokenLoad::Workload m_workload;
    uint32_t m_step;
    Pool m_all;
    Pool m_hot;
};

} // namespace

TypeId
ImbalanceTokenLoad::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::ImbalanceTokenLoad").SetParent<TokenLoad>(),
            "The workloads of Megatron-LM's benchmark of token imbalance, bit for bit: every "
            "GPU sends the same, in all layers and micro-batches. (Megatron-LM, pull "
            "request 7488.)")
            .SetGroupName("Rails")
            .AddConstructor<ImbalanceTokenLoad>()
            .AddAttribute("Workload",
                          "w0: all experts alike; w1: three of four tokens go to a quarter of the "
                          "experts; w2: the same with other bits; w3: to every second expert; w4: "
                          "all at random; w5: to the second half alone; w6: as w1, with another "
                          "quarter every third iteration; w7: as w4, but every fourth iteration "
                          "half of the tokens go to a quarter. Not of the benchmark, but what the "
                          "names of two there say: w2-corrected (hot rank): three of four tokens "
                          "go to the experts of the first GPU, or of as many as have top_k; "
                          "w4-corrected (ragged sources): as w4, and GPUs have between half and "
                          "one and a half of the tokens of the batch, as many in all.",
                          EnumValue(W1),
                          MakeWordAccessor(&ImbalanceTokenLoad::m_workload),
                          MakeEnumChecker(W0,
                                          "w0",
                                          W1,
                                          "w1",
                                          W2,
                                          "w2",
                                          W3,
                                          "w3",
                                          W4,
                                          "w4",
                                          W5,
                                          "w5",
                                          W6,
                                          "w6",
                                          W7,
                                          "w7",
                                          W2_CORRECTED,
                                          "w2-corrected",
                                          W4_CORRECTED,
                                          "w4-corrected"))
            .AddAttribute("Seed",
                          "Seed of the benchmark, whatever the seed of the run.",
                          UintegerValue(1234),
                          MakeUintegerAccessor(&ImbalanceTokenLoad::m_seed),
                          MakeCountRange<uint32_t>())
            .AddAttribute("FirstStep",
                          "Step of the first iteration: w6 and w7 change from step to step.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ImbalanceTokenLoad::m_firstStep),
                          MakeCountRange<uint32_t>(0, 1'000'000));
    return tid;
}

/// \return random generator of a step; without a purpose the benchmark's generator
std::mt19937
ImbalanceTokenLoad::GetBits(uint32_t step, const std::string& purpose) const
{
    const std::string words = std::string(kNames[m_workload]) + "|" + std::to_string(m_seed) + "|" +
                              std::to_string(step) + purpose;
    const std::string hash = ComputeSha256(words);
    return std::mt19937(static_cast<uint32_t>(std::stoul(hash.substr(0, 8), nullptr, 16)));
}

std::vector<uint32_t>
ImbalanceTokenLoad::CountTokens(const LoadShape& shape, uint32_t step) const
{
    std::vector<uint32_t> tokens(shape.sources, shape.tokens);
    if (m_workload == W4_CORRECTED)
    {
        // Pairs of GPUs deviate by opposite amounts.
        std::mt19937 random = GetBits(step, "|tokens");
        std::vector<uint32_t> order(shape.sources);
        std::iota(order.begin(), order.end(), 0);
        for (uint32_t i = 0; i + 1 < shape.sources; i += 2)
        {
            for (const uint32_t at : {i, i + 1})
            {
                std::swap(order[at], order[at + random() % (shape.sources - at)]);
            }
            const auto more = static_cast<uint32_t>(random() % (shape.tokens / 2 + 1));
            tokens[order[i]] += more;
            tokens[order[i + 1]] -= more;
        }
    }
    return tokens;
}

std::vector<uint32_t>
ImbalanceTokenLoad::DrawTokens(const LoadShape& shape, uint32_t step) const
{
    const std::vector<uint32_t> ofGpus = CountTokens(shape, step);
    const uint32_t tokens = *std::max_element(ofGpus.begin(), ofGpus.end());
    std::vector<uint32_t> chosen;
    chosen.reserve(std::size_t{tokens} * shape.topK);
    if (m_workload == W0)
    {
        for (uint64_t i = 0; i < uint64_t{tokens} * shape.topK; ++i)
        {
            chosen.push_back(static_cast<uint32_t>(i % shape.experts));
        }
        return chosen;
    }
    std::mt19937 random = GetBits(step, "");
    const Pools pools(m_workload, shape, step);
    std::vector<uint32_t> places;
    for (uint32_t token = 0; token < tokens; ++token)
    {
        const Pool& pool = pools.Get(token);
        const auto size = static_cast<uint32_t>(pool.size());
        places.resize(size);
        std::iota(places.begin(), places.end(), 0);
        for (uint32_t i = 0; i + 1 < size; ++i)
        {
            std::swap(places[i], places[i + random() % (size - i)]);
        }
        const std::size_t first = chosen.size();
        for (uint32_t k = 0; k < shape.topK; ++k)
        {
            chosen.push_back(pool[places[k]]);
        }
        std::sort(chosen.begin() + static_cast<std::ptrdiff_t>(first), chosen.end());
    }
    return chosen;
}

void
ImbalanceTokenLoad::Check(const LoadShape& shape) const
{
    if (m_workload == W5 && shape.topK > shape.experts - shape.experts / 2)
    {
        throw ConfigurationError(
            "workload",
            "w5 uses the second half of the experts, which is less than the " +
                std::to_string(shape.topK) +
                " that a token goes to: take another workload, or fewer experts "
                "of a token (model.top_k)");
    }
}

/// \return experts of the tokens of a step, from the cache of the latest step
const std::vector<uint32_t>&
ImbalanceTokenLoad::GetTokens(const LoadShape& shape, uint32_t iteration) const
{
    const uint32_t step = m_firstStep + iteration;
    const std::tuple key(step, shape.sources, shape.experts, shape.topK, shape.tokens);
    if (m_tokens.empty() || m_tokensOf != key)
    {
        m_tokensOf = key;
        m_tokens = DrawTokens(shape, step);
    }
    return m_tokens;
}

/**
 * \param findAlike called with a source; returns the first source that is equal except for its
 *     number of tokens
 * \param count counts the first tokens, given the source, their number, and all tokens
 * \return result of `count` for each source, concatenated
 */
template <typename FindAlike, typename Count>
std::vector<uint32_t>
ImbalanceTokenLoad::CountBySource(const LoadShape& shape,
                                  const LoadPlace& place,
                                  const FindAlike& findAlike,
                                  const Count& count) const
{
    const std::vector<uint32_t>& chosen = GetTokens(shape, place.iteration);
    const std::vector<uint32_t> tokens = CountTokens(shape, m_firstStep + place.iteration);
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> known; // by tokens and source
    std::vector<uint32_t> all;
    for (uint32_t source = 0; source < shape.sources; ++source)
    {
        std::vector<uint32_t>& counts = known[{tokens[source], findAlike(source)}];
        counts = counts.empty() ? count(source, tokens[source], chosen) : counts;
        all.insert(all.end(), counts.begin(), counts.end());
    }
    return all;
}

std::vector<uint32_t>
ImbalanceTokenLoad::Draw(const LoadShape& shape, const LoadPlace& place) const
{
    return CountBySource(
        shape,
        place,
        [](uint32_t) { return 0; },
        [&shape](uint32_t, uint32_t tokens, const std::vector<uint32_t>& chosen) {
            std::vector<uint32_t> histogram(shape.experts, 0);
            for (std::size_t at = 0; at < std::size_t{tokens} * shape.topK; ++at)
            {
                ++histogram[chosen[at]];
            }
            return histogram;
        });
}

// Single tokens are known: tokens of an expert are assigned in order to its parts in order.
std::vector<uint32_t>
ImbalanceTokenLoad::CountCopies(const LoadShape& shape,
                                const LoadPlace& place,
                                const std::vector<uint32_t>& counts,
                                const TokenSplit& split) const
{
    split.Check(counts);
    std::vector<uint32_t> different; // sources
    const auto findAlike = [&](uint32_t source) {
        const auto alike = std::find_if(different.begin(), different.end(), [&](uint32_t other) {
            return split.AreAlike(source, other);
        });
        return alike != different.end() ? *alike : different.emplace_back(source);
    };
    const auto count = [&](uint32_t source, uint32_t tokens, const std::vector<uint32_t>& chosen) {
        std::vector<TokenSplit::Range> parts;          // parts with remaining tokens, by expert
        std::vector<uint32_t> dealt(shape.experts, 0); // tokens of the first of these parts
        for (uint32_t expert = 0; expert < shape.experts; ++expert)
        {
            parts.push_back(split.Get(source, expert));
        }
        std::vector<uint32_t> copies(split.GetSets(), 0);
        std::vector<uint32_t> seen(split.GetSets(), tokens); // latest token by set
        for (std::size_t at = 0; at < std::size_t{tokens} * shape.topK; ++at)
        {
            const auto token = static_cast<uint32_t>(at / shape.topK);
            const uint32_t expert = chosen[at];
            TokenSplit::Range& left = parts[expert];
            while (left.first != left.last && dealt[expert] == left.first->tokens)
            {
                dealt[expert] = 0;
                ++left.first;
            }
            if (left.first != left.last)
            {
                ++dealt[expert];
                const uint32_t set = left.first->set;
                copies[set] += std::exchange(seen[set], token) == token ? 0 : 1;
            }
        }
        return copies;
    };
    return CountBySource(shape, place, findAlike, count);
}

uint32_t
ImbalanceTokenLoad::GetCycle(const LoadShape&) const
{
    return 1;
}

bool
ImbalanceTokenLoad::IsEven() const
{
    return m_workload == W0;
}

} // namespace ns3::rails
