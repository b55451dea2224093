// SPDX-License-Identifier: GPL-2.0-only
#include "synthetic-token-load.h"

#include "token-copies.h"

#include "ns3/component-documentation.h"
#include "ns3/enum.h"
#include "ns3/range-checker.h"
#include "ns3/seeded-bits.h"
#include "ns3/source-spread.h"
#include "ns3/uinteger.h"
#include "ns3/word-accessor.h"

#include <algorithm>
#include <boost/random/binomial_distribution.hpp>
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

// Purposes of random bits.
enum Purpose : uint64_t
{
    BASE,
    FLUCTUATION,
    TARGET,
    SPREAD,
    COUNTS
};

// Where the defaults of no-aux come from, none of them fitted to one number:
// - Spread: of 4,096 pairs of a GPU in 32 experts, counts vary from GPU to GPU with twice the
//   variance of sampling (median of experts, SmartMoE's traces), so 4096 * Spread^2 / 32 = 1. It is
//   not common to GPUs in these. SpreadOfSpread: log of what is above 1 deviates by 1.1 there,
//   twice that of Spread. This gives the rare changes by a third and more.
// - Drift: sampling and spread change counts 2 to 5 of such a row, of 200 to 570, by 8.7 % in the
//   mean. Of 10 %, what is published for ten iterations, sqrt(10^2 - 8.7^2) / 0.8 = 6 % are left,
//   in layers that drift by 1.12 in the mean.
// - TargetDrift: a mean over 1,000 iterations has 0.0036 of error by fluctuation and 0.0040 by the
//   target's way, 1.41 times that over six layers: 0.0076, between the published 0.0025 and 0.013.
// - Volatility, Settling: between iterations 101, 501, 1001 and 3001 of the traces 0.41, 0.18, 0.12
//   of the tokens go elsewhere; here 0.33, 0.18, 0.09.

// Fluctuations decorrelate within the ten iterations of Drift: iterations two steps apart are
// independent.
constexpr double kFluctuationStep = 5;

// Targets move one way over thousands of iterations: what a mean over 1,000 iterations misses of
// the next is 1.3 to 1.4 times as much of the next 2,000 (arXiv 2404.16914), and a straight line
// gives 1.5, forgetting noise below 1.
constexpr double kTargetStep = 20'000;
constexpr double kTargetDriftOver = 1000;

// A training has settled by then. (arXiv 2404.16914.)
constexpr uint32_t kSettled = 5000;

void
Scale(std::vector<double>& shares)
{
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares)
    {
        share /= sum;
    }
}

/// \return the largest share over the mean share
double
FindPeak(const std::vector<double>& shares)
{
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    const double peak = *std::max_element(shares.begin(), shares.end());
    return peak / sum * static_cast<double>(shares.size());
}

/// \return lognormal shares with a given ratio of largest to mean
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

/**
 * A random function of time, standard normal at all times. It interpolates two draws, so late times
 * need no history. Times at least two steps apart are independent.
 * \param step time from one draw to the next
 */
double
DrawWave(const SeededBits& wave, double time, double step)
{
    SeededBits bits = wave;
    const double at = time / step + boost::random::uniform_01<double>()(bits);
    const double begin = std::floor(at);
    const double angle = (at - begin) * std::acos(0.0);
    const uint64_t key = bits();
    const auto draw = [key](double number) {
        SeededBits own{key, static_cast<uint64_t>(number)};
        return boost::random::normal_distribution<double>()(own);
    };
    return std::cos(angle) * draw(begin) + std::sin(angle) * draw(begin + 1);
}

/// Spreads a shortage or excess over counts, in proportion to their variance.
/// \param getMost called with the index of a count; returns its upper bound
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
        // If no count varies, or all varying counts are full, the next one with room is used.
        expert = std::min(expert, inclusion.size() - 1);
        for (; step > 0 ? counts[expert] >= getMost(expert) : counts[expert] == 0;)
        {
            expert = (expert + 1) % inclusion.size();
        }
        counts[expert] = static_cast<uint32_t>(counts[expert] + step);
        missing -= step;
    }
}

/// \return number of successes among tokens with equal probability
uint32_t
DrawCount(uint32_t tokens, double probability, SeededBits& bits)
{
    boost::random::binomial_distribution<int, double> binomial(static_cast<int>(tokens),
                                                               std::min(probability, 1.0));
    return static_cast<uint32_t>(binomial(bits));
}

/// \return probability by group that a token goes to at least one of its experts
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

/// \return tokens of a source by group; their sum is the mean sum
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
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::SyntheticTokenLoad").SetParent<TokenLoad>(),
            "Experts have shares of the tokens that differ from layer to layer, drift from "
            "iteration to iteration and vary from micro-batch to micro-batch and GPU to GPU.")
            .SetGroupName("Rails")
            .AddConstructor<SyntheticTokenLoad>()
            .AddAttribute("Preset",
                          "How unequal experts of a layer are: model: as balancing of the model "
                          "says; uniform; no-aux and zipf: shares as rank^-exponent; aux-loss: the "
                          "largest share is 1.6 times the mean; "
                          "loss-free: 1.04 times; spread and drift are on top. Drift and spread "
                          "are left out with uniform, drift with zipf, and that of targets with "
                          "loss-free too, whose biases hold them. zipf-independent is zipf "
                          "without spread, and a token chooses each of its experts by itself, by "
                          "these shares as they are: it may choose an expert twice, which counts, "
                          "and travels, as two tokens. (published statistics; arXiv 2408.15664 of "
                          "loss-free; MicroMoE, arXiv 2511.16947, Fig. 8, of zipf-independent.)",
                          EnumValue(OF_MODEL),
                          MakeWordAccessor(&SyntheticTokenLoad::m_preset),
                          MakeEnumChecker(OF_MODEL,
                                          "model",
                                          UNIFORM,
                                          "uniform",
                                          NO_AUX,
                                          "no-aux",
                                          AUX_LOSS,
                                          "aux-loss",
                                          LOSS_FREE,
                                          "loss-free",
                                          ZIPF,
                                          "zipf",
                                          ZIPF_INDEPENDENT,
                                          "zipf-independent"))
            .AddAttribute(
                "Exponent",
                "Exponent of no-aux and both zipf. (arXiv 2411.10003, Fig. 3: of 16 experts "
                "three have more than half of the tokens and three less than 5 %, which "
                "takes 1.12; FlexMoE: of 64 ten have 75 %, which takes 1.25.)",
                DoubleValue(1.2),
                MakeDoubleAccessor(&SyntheticTokenLoad::m_exponent),
                MakeNumberRange(0, 10))
            .AddAttribute("Drift",
                          "Relative change of a share over ten iterations, about its target. "
                          "(Counts of a GPU that change by 10 % over ten iterations, SmartMoE's "
                          "traces, less what sampling and spread make of it.)",
                          DoubleValue(0.05),
                          MakeDoubleAccessor(&SyntheticTokenLoad::m_drift),
                          MakeNumberRange(0, 10))
            .AddAttribute("TargetDrift",
                          "Relative change, over 1000 iterations, of the target that a share "
                          "reverts to. (arXiv 2404.16914: a mean over 1000 iterations misses the "
                          "next by 0.25 to 1.3 %.)",
                          DoubleValue(0.005),
                          MakeDoubleAccessor(&SyntheticTokenLoad::m_targetDrift),
                          MakeNumberRange(0, 1))
            .AddAttribute("FirstLayerDrift",
                          "How many times as much shares drift in the first layer with experts as "
                          "in the deepest; what is more falls with the number of the layer. (an "
                          "assumption: arXiv 2404.16914 says that the first does most.)",
                          DoubleValue(2),
                          MakeDoubleAccessor(&SyntheticTokenLoad::m_firstLayerDrift),
                          MakeNumberRange(1, 100))
            .AddAttribute("Volatility",
                          "How many times as much shares are off in the first iteration of a "
                          "training as when it has settled. (SmartMoE's traces, changes from "
                          "iteration 101 to 3001.)",
                          DoubleValue(25),
                          MakeDoubleAccessor(&SyntheticTokenLoad::m_volatility),
                          MakeNumberRange(1, 1000))
            .AddAttribute("Settling",
                          "Iterations after which 1/e is left of what Volatility adds. (SmartMoE's "
                          "traces; arXiv 2404.16914: none by 5000.)",
                          DoubleValue(500),
                          MakeDoubleAccessor(&SyntheticTokenLoad::m_settling),
                          MakeNumberRange(1, 1e9))
            .AddAttribute("Onset",
                          "Iterations after which 1/e is left of how even a new gate is: the "
                          "logarithms of shares grow from 0. 0: shares differ from the first one "
                          "on. (SmartMoE's traces: the largest share is 1.5 times the mean in "
                          "iteration 1, 16 times in iteration 11.)",
                          DoubleValue(0),
                          MakeDoubleAccessor(&SyntheticTokenLoad::m_onset),
                          MakeNumberRange(0, 1e6))
            .AddAttribute("FirstIteration",
                          "Iteration of a training that the first one here is; by default it has "
                          "settled. (arXiv 2404.16914.)",
                          UintegerValue(kSettled),
                          MakeUintegerAccessor(&SyntheticTokenLoad::m_firstIteration),
                          MakeCountRange<uint32_t>(0, 1'000'000'000))
            .AddAttribute("Spread",
                          "Relative change of the share of a mean expert from micro-batch to "
                          "micro-batch and source to source, of the median expert of that size, "
                          "about the popularity that is common: 0: one for all sources; 0.065: "
                          "as many tokens elsewhere than that puts them as in SmartMoE's traces "
                          "(pair skew 2.6 %); 0.14: as in MixNet's public matrix (4.6 %); 0.5: "
                          "nearly as in the most uneven trace (15.6 %). (the default: twice the "
                          "variance of sampling, SmartMoE's traces.)",
                          DoubleValue(0.09),
                          MakeDoubleAccessor(&SyntheticTokenLoad::m_spread),
                          MakeNumberRange(0, 10))
            .AddAttribute("SpreadOfSpread",
                          "Standard deviation, over experts, of the logarithm of that change: some "
                          "experts are for what only some sequences have. (SmartMoE's traces.)",
                          DoubleValue(0.55),
                          MakeDoubleAccessor(&SyntheticTokenLoad::m_spreadOfSpread),
                          MakeNumberRange(0, 5));
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
    return FindShares(FindPreset(ModelDimensions::NO_BALANCING), experts, layer, layer, iteration);
}

/// \return the preset, where OF_MODEL is resolved by the model's balancing
SyntheticTokenLoad::Preset
SyntheticTokenLoad::FindPreset(ModelDimensions::Balancing balancing) const
{
    if (m_preset != OF_MODEL)
    {
        return m_preset;
    }
    switch (balancing)
    {
    case ModelDimensions::BALANCING_LOSS:
        return AUX_LOSS;
    case ModelDimensions::BALANCING_BIASES:
        return LOSS_FREE;
    case ModelDimensions::NO_BALANCING:
        break;
    }
    return NO_AUX;
}

/// \return shares of experts in the tokens of a load shape
std::vector<double>
SyntheticTokenLoad::FindShares(const LoadShape& shape, const LoadPlace& place) const
{
    const uint32_t depth = place.layer - std::min(place.layer, shape.firstLayer);
    return FindShares(FindPreset(shape.balancing),
                      shape.experts,
                      place.layer,
                      depth,
                      place.iteration);
}

/// \param preset any except OF_MODEL
/// \param depth number of earlier layers with experts
std::vector<double>
SyntheticTokenLoad::FindShares(Preset preset,
                               uint32_t experts,
                               uint32_t layer,
                               uint32_t depth,
                               uint32_t iteration) const
{
    SeededBits base{m_seed, BASE, layer};
    std::vector<double> shares(experts, 1);
    switch (preset)
    {
    case UNIFORM:
        break;
    case OF_MODEL:
    case NO_AUX:
    case ZIPF:
    case ZIPF_INDEPENDENT:
        shares = DrawZipf(experts, m_exponent, base);
        break;
    case AUX_LOSS:
        shares = DrawWithPeak(experts, 1.6, base);
        break;
    case LOSS_FREE:
        shares = DrawWithPeak(experts, 1.04, base);
        break;
    }
    if (preset != UNIFORM && preset != ZIPF && preset != ZIPF_INDEPENDENT)
    {
        Drift(shares, preset, layer, depth, iteration);
        Begin(shares, iteration);
    }
    Scale(shares);
    return shares;
}

/// Evens shares out at the beginning of a training.
void
SyntheticTokenLoad::Begin(std::vector<double>& shares, uint32_t iteration) const
{
    if (m_onset == 0)
    {
        return;
    }
    const double time = double{1} * m_firstIteration + iteration;
    const double grown = -std::expm1(-time / m_onset);
    for (double& share : shares)
    {
        share = std::pow(share, grown);
    }
}

/// Multiplies shares by their drift: logarithms fluctuate around a slowly moving target.
void
SyntheticTokenLoad::Drift(std::vector<double>& shares,
                          Preset preset,
                          uint32_t layer,
                          uint32_t depth,
                          uint32_t iteration) const
{
    const double time = double{1} * m_firstIteration + iteration;
    const double size = (1 + (m_volatility - 1) * std::exp(-time / m_settling)) *
                        (1 + (m_firstLayerDrift - 1) / (depth + 1.0));
    // Independent iterations differ by sqrt(2) deviations. A wave that turns by a quarter (acos 0)
    // over a step changes by the same.
    const double fluctuation = size * m_drift / std::sqrt(2.0);
    const double ofTarget = preset == LOSS_FREE ? 0 : m_targetDrift;
    const double target = size * ofTarget * kTargetStep / kTargetDriftOver / std::acos(0.0);
    std::vector<double> logs(shares.size(), 0);
    for (uint32_t expert = 0; expert < shares.size(); ++expert)
    {
        if (fluctuation > 0)
        {
            const SeededBits wave{m_seed, FLUCTUATION, layer, expert};
            logs[expert] += fluctuation * DrawWave(wave, time, kFluctuationStep);
        }
        if (target > 0)
        {
            const SeededBits wave{m_seed, TARGET, layer, expert};
            logs[expert] += target * DrawWave(wave, time, kTargetStep);
        }
    }
    // A common factor cancels; larger values overflow.
    constexpr double largest = 500;
    const double most = *std::max_element(logs.begin(), logs.end());
    const double common = std::abs(most) > largest ? most : 0;
    for (std::size_t expert = 0; expert < shares.size(); ++expert)
    {
        shares[expert] *= std::exp(logs[expert] - common);
    }
}

/**
 * Spread of an expert's tokens over GPUs, whose sequences cover few topics: a multiple of the
 * sampling variance that does not depend on the share.
 * \param inclusion probability that a token goes to the expert, by expert
 * \return standard deviation of the logarithm of this probability over GPUs, by expert
 */
std::vector<double>
SyntheticTokenLoad::FindSpreads(const LoadShape& shape,
                                uint32_t layer,
                                const std::vector<double>& inclusion) const
{
    std::vector<double> spreads(shape.experts, 0);
    if (m_preset == UNIFORM || m_preset == ZIPF_INDEPENDENT || m_spread == 0)
    {
        return spreads;
    }
    for (uint32_t expert = 0; expert < shape.experts; ++expert)
    {
        SeededBits bits{m_seed, SPREAD, layer, expert};
        spreads[expert] =
            SourceSpread{m_spread, m_spreadOfSpread}.FindDeviation(inclusion[expert] / shape.topK,
                                                                   inclusion[expert],
                                                                   shape.experts,
                                                                   bits);
    }
    return spreads;
}

/// \return the shape, or a shape in which each token-expert pair is a separate token
LoadShape
SyntheticTokenLoad::FindChoices(const LoadShape& shape) const
{
    LoadShape choices = shape;
    if (m_preset == ZIPF_INDEPENDENT)
    {
        choices.tokens *= shape.topK;
        choices.topK = choices.groups = choices.topGroups = 1;
    }
    return choices;
}

std::vector<uint32_t>
SyntheticTokenLoad::Draw(const LoadShape& asked, const LoadPlace& place) const
{
    const LoadShape shape = FindChoices(asked);
    const std::vector<double> alone = FindInclusion(FindShares(shape, place), shape.topK);
    const std::vector<double> inclusion = LimitInclusion(shape, alone);
    const std::vector<double> reaching = FindGroupInclusion(shape, alone);
    const std::vector<double> spreads = FindSpreads(shape, place.layer, inclusion);
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
        const std::vector<double> favours = DrawFavours(inclusion, spreads, bits);
        uint32_t* own = counts.data() + std::size_t{source} * shape.experts;
        int64_t missing = int64_t{shape.tokens} * shape.topK;
        for (uint32_t expert = 0; expert < shape.experts; ++expert)
        {
            const uint32_t group = shape.GetGroup(expert);
            const double ofThese = reaching[group] > 0 ? inclusion[expert] / reaching[group] : 0;
            own[expert] = DrawCount(reached[group], ofThese * favours[expert], bits);
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
SyntheticTokenLoad::CountCopies(const LoadShape& asked,
                                const LoadPlace& place,
                                const std::vector<uint32_t>& counts,
                                const TokenSplit& split) const
{
    const LoadShape shape = FindChoices(asked);
    return EstimateCopies(shape,
                          counts,
                          FindInclusion(FindShares(shape, place), shape.topK),
                          split);
}

} // namespace ns3::rails
