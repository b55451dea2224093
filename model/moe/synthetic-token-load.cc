// SPDX-License-Identifier: GPL-2.0-only
#include "synthetic-token-load.h"

#include "token-copies.h"

#include "ns3/enum.h"
#include "ns3/rails-about.h"
#include "ns3/range-checker.h"
#include "ns3/seeded-bits.h"

#include <algorithm>
#include <boost/random/binomial_distribution.hpp>
#include <boost/random/gamma_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(SyntheticTokenLoad);

namespace
{

// What is drawn with which bits.
enum Purpose : uint64_t
{
    BASE,
    DRIFT,
    MICROBATCH,
    COUNTS
};

void
Scale(std::vector<double>& shares)
{
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares)
    {
        share /= sum;
    }
}

/// \return the largest of some shares over their mean
double
FindPeak(const std::vector<double>& shares)
{
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    const double peak = *std::max_element(shares.begin(), shares.end());
    return peak / sum * static_cast<double>(shares.size());
}

/// \return lognormal shares of which the largest is so many times the mean
std::vector<double>
DrawWithPeak(uint32_t experts, double peak, SeededBits& bits)
{
    boost::random::normal_distribution<double> normal;
    std::vector<double> logs(experts);
    for (double& log : logs)
    {
        log = normal(bits);
    }
    std::vector<double> shares(experts, 1);
    double low = 0;
    double high = 64;
    for (int round = 0; experts > 1 && round < 60; ++round)
    {
        const double sigma = (low + high) / 2;
        std::transform(logs.begin(), logs.end(), shares.begin(), [sigma](double log) {
            return std::exp(sigma * log);
        });
        (FindPeak(shares) < peak ? low : high) = sigma;
    }
    return shares;
}

std::vector<double>
DrawZipf(uint32_t experts, double exponent, SeededBits& bits)
{
    std::vector<double> shares(experts);
    for (uint32_t rank = 0; rank < experts; ++rank)
    {
        shares[rank] = std::pow(rank + 1.0, -exponent);
    }
    for (uint32_t left = experts; left > 1; --left)
    {
        boost::random::uniform_int_distribution<uint32_t> any(0, left - 1);
        std::swap(shares[left - 1], shares[any(bits)]);
    }
    return shares;
}

/// Spreads what is missing, or too much, over counts in proportion to how much they vary.
/// \param getMost called with the place of a count, returns how large it may get
template <typename GetMost>
void
Settle(int64_t missing,
       const std::vector<double>& inclusion,
       const GetMost& getMost,
       uint32_t* counts,
       SeededBits& bits)
{
    std::vector<double> upTo(inclusion.size());
    double variance = 0;
    for (std::size_t expert = 0; expert < inclusion.size(); ++expert)
    {
        variance += inclusion[expert] * (1 - inclusion[expert]);
        upTo[expert] = variance;
    }
    boost::random::uniform_01<double> uniform;
    const int64_t step = missing > 0 ? 1 : -1;
    for (uint64_t tries = 0; missing != 0; ++tries)
    {
        const double at = uniform(bits) * variance;
        std::size_t expert = std::lower_bound(upTo.begin(), upTo.end(), at) - upTo.begin();
        // Where nothing varies, or what varies is full, the next that has room will do.
        expert = std::min(expert, inclusion.size() - 1);
        for (; step > 0 ? counts[expert] >= getMost(expert) : counts[expert] == 0;)
        {
            expert = (expert + 1) % inclusion.size();
        }
        counts[expert] = static_cast<uint32_t>(counts[expert] + step);
        missing -= step;
    }
}

/// \return of some tokens how many do what each does with a probability
uint32_t
DrawCount(uint32_t tokens, double probability, SeededBits& bits)
{
    boost::random::binomial_distribution<int, double> binomial(static_cast<int>(tokens),
                                                               std::min(probability, 1.0));
    return static_cast<uint32_t>(binomial(bits));
}

/// \return for each group how probable it is that a token goes to at least one of its experts
std::vector<double>
FindGroupInclusion(const LoadShape& shape, const std::vector<double>& inclusion)
{
    if (shape.groups == 1)
    {
        return {1};
    }
    std::vector<uint32_t> groupOf(shape.experts);
    for (uint32_t expert = 0; expert < shape.experts; ++expert)
    {
        groupOf[expert] = shape.GetGroup(expert);
    }
    return FindSetInclusion(shape, inclusion, groupOf, shape.groups);
}

/// \return how many tokens of a source go to each group, together as many as in the mean
std::vector<uint32_t>
DrawReached(const LoadShape& shape, const std::vector<double>& reaching, SeededBits& bits)
{
    std::vector<uint32_t> reached(shape.groups, shape.tokens);
    if (shape.groups > 1)
    {
        const double all = std::accumulate(reaching.begin(), reaching.end(), 0.0);
        int64_t missing = std::llround(all * shape.tokens);
        for (uint32_t group = 0; group < shape.groups; ++group)
        {
            reached[group] = DrawCount(shape.tokens, reaching[group], bits);
            missing -= reached[group];
        }
        Settle(
            missing,
            reaching,
            [&](std::size_t) { return shape.tokens; },
            reached.data(),
            bits);
    }
    return reached;
}

} // namespace

TypeId
SyntheticTokenLoad::GetTypeId()
{
    // EnumValue is a template in newer releases of ns-3 only.
    using PresetValue = decltype(EnumValue(NO_AUX));

    static TypeId tid =
        AddAbout(TypeId("ns3::rails::SyntheticTokenLoad").SetParent<TokenLoad>(),
                 "Experts have shares of the tokens that differ from layer to layer, drift from "
                 "iteration to iteration and vary from micro-batch to micro-batch.")
            .SetGroupName("Rails")
            .AddConstructor<SyntheticTokenLoad>()
            .AddAttribute("Preset",
                          "How unequal experts of a layer are: uniform; no-aux and zipf: shares as "
                          "rank^-exponent; aux-loss: the largest share is 1.6 times the mean; "
                          "loss-free: 1.04 "
                          "times; spread and drift are on top. Drift and spread are left out with "
                          "uniform, drift with zipf. ("
                          "published statistics; arXiv 2408.15664 of loss-free.)",
                          PresetValue(NO_AUX),
                          MakeAccessorHelper<PresetValue>(&SyntheticTokenLoad::m_preset),
                          MakeEnumChecker(UNIFORM,
                                          "uniform",
                                          NO_AUX,
                                          "no-aux",
                                          AUX_LOSS,
                                          "aux-loss",
                                          LOSS_FREE,
                                          "loss-free",
                                          ZIPF,
                                          "zipf"))
            .AddAttribute("Exponent",
                          "Exponent of no-aux and zipf. (arXiv 2411.10003, Fig. 3, where "
                          "three of 16 experts have more than half of the tokens.)",
                          DoubleValue(1.1),
                          MakeDoubleAccessor(&SyntheticTokenLoad::m_exponent),
                          MakeNumberRange(0, 10))
            .AddAttribute("Drift",
                          "Relative change of a share over ten iterations.",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&SyntheticTokenLoad::m_drift),
                          MakeNumberRange(0, 10))
            .AddAttribute("Spread",
                          "Relative change of the share of a mean expert from micro-batch to "
                          "micro-batch.",
                          DoubleValue(0.07),
                          MakeDoubleAccessor(&SyntheticTokenLoad::m_spread),
                          MakeNumberRange(0, 10));
    return tid;
}

SyntheticTokenLoad::SyntheticTokenLoad()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
SyntheticTokenLoad::DoDispose()
{
    m_random = nullptr;
    TokenLoad::DoDispose();
}

void
SyntheticTokenLoad::Start()
{
    m_seed = static_cast<uint64_t>(m_random->GetValue(0.0, 1.0) * 9007199254740992.0);
}

int64_t
SyntheticTokenLoad::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

std::vector<double>
SyntheticTokenLoad::GetShares(uint32_t experts, uint32_t layer, uint32_t iteration) const
{
    SeededBits base{m_seed, BASE, layer};
    std::vector<double> shares(experts, 1);
    switch (m_preset)
    {
    case UNIFORM:
        Scale(shares);
        return shares;
    case NO_AUX:
    case ZIPF:
        shares = DrawZipf(experts, m_exponent, base);
        break;
    case AUX_LOSS:
        shares = DrawWithPeak(experts, 1.6, base);
        break;
    case LOSS_FREE:
        shares = DrawWithPeak(experts, 1.04, base);
        break;
    }
    if (m_preset != ZIPF && m_drift > 0)
    {
        // What a share has been multiplied by reverts to 1: its logarithm is autoregressive, and
        // its mean change over ten iterations is the drift.
        constexpr double memory = 0.99;
        const double sigma = m_drift / std::sqrt(2 * (1 - std::pow(memory, 10)));
        boost::random::normal_distribution<double> normal;
        for (uint32_t expert = 0; expert < experts; ++expert)
        {
            SeededBits bits{m_seed, DRIFT, layer, expert};
            double log = 0;
            for (uint32_t past = 0; past < iteration; ++past)
            {
                log = memory * log + std::sqrt(1 - memory * memory) * normal(bits);
            }
            shares[expert] *= std::exp(sigma * log);
        }
    }
    Scale(shares);
    return shares;
}

/// \return shares of the experts of a layer in a micro-batch
std::vector<double>
SyntheticTokenLoad::DrawShares(uint32_t experts, const LoadPlace& place) const
{
    std::vector<double> shares = GetShares(experts, place.layer, place.iteration);
    if (m_preset != UNIFORM && m_spread > 0)
    {
        // A Dirichlet draw around the shares: a mean expert's share varies by the spread.
        const double weight = experts / (m_spread * m_spread);
        SeededBits bits{m_seed,
                        MICROBATCH,
                        place.layer,
                        place.iteration,
                        place.microbatch,
                        place.group};
        for (double& share : shares)
        {
            boost::random::gamma_distribution<double> gamma(std::max(share * weight, 1e-3));
            share = std::max(gamma(bits), 1e-300);
        }
        Scale(shares);
    }
    return shares;
}

std::vector<uint32_t>
SyntheticTokenLoad::Draw(const LoadShape& shape, const LoadPlace& place) const
{
    const std::vector<double> alone = FindInclusion(DrawShares(shape.experts, place), shape.topK);
    const std::vector<double> inclusion = LimitInclusion(shape, alone);
    const std::vector<double> reaching = FindGroupInclusion(shape, alone);
    std::vector<uint32_t> counts(std::size_t{shape.sources} * shape.experts);
    for (uint32_t source = 0; source < shape.sources; ++source)
    {
        SeededBits bits{m_seed,
                        COUNTS,
                        place.layer,
                        place.iteration,
                        place.microbatch,
                        place.group,
                        source};
        const std::vector<uint32_t> reached = DrawReached(shape, reaching, bits);
        uint32_t* own = counts.data() + std::size_t{source} * shape.experts;
        int64_t missing = int64_t{shape.tokens} * shape.topK;
        for (uint32_t expert = 0; expert < shape.experts; ++expert)
        {
            const uint32_t group = shape.GetGroup(expert);
            const double ofThese = reaching[group] > 0 ? inclusion[expert] / reaching[group] : 0;
            own[expert] = DrawCount(reached[group], ofThese, bits);
            missing -= own[expert];
        }
        Settle(
            missing,
            inclusion,
            [&](std::size_t expert) {
                return reached[shape.GetGroup(static_cast<uint32_t>(expert))];
            },
            own,
            bits);
    }
    return counts;
}

std::vector<uint32_t>
SyntheticTokenLoad::CountCopies(const LoadShape& shape,
                                const LoadPlace& place,
                                const std::vector<uint32_t>& counts,
                                const std::vector<uint32_t>& setOf,
                                uint32_t sets) const
{
    return EstimateCopies(shape,
                          counts,
                          FindInclusion(DrawShares(shape.experts, place), shape.topK),
                          setOf,
                          sets);
}

} // namespace ns3::rails
