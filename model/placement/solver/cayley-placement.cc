// SPDX-License-Identifier: GPL-2.0-only
#include "cayley-placement.h"

#include <cstddef>
#include <limits>
#include <stdexcept>
#include <utility>

namespace ns3::rails
{

namespace
{

/// Disjoint pairs of all GPUs.
using Matching = std::vector<std::pair<uint32_t, uint32_t>>;

constexpr uint32_t kTorusSide = 4;

/// All pairs of GPUs as a round-robin tournament: the last GPU stays, the others rotate.
std::vector<Matching>
MakeComplete(uint32_t gpus)
{
    const uint32_t around = gpus - 1;
    std::vector<Matching> matchings(around);
    for (uint32_t round = 0; round < around; ++round)
    {
        matchings[round].emplace_back(round, gpus - 1);
        for (uint32_t i = 1; i < gpus / 2; ++i)
        {
            matchings[round].emplace_back((round + i) % around, (round + around - i) % around);
        }
    }
    return matchings;
}

/// A torus: every second step of a row or a column is in the same matching.
std::vector<Matching>
MakeTorus()
{
    std::vector<Matching> matchings;
    for (const bool isRow : {true, false})
    {
        for (const uint32_t first : {0U, 1U})
        {
            Matching& matching = matchings.emplace_back();
            for (uint32_t line = 0; line < kTorusSide; ++line)
            {
                for (uint32_t at = first; at < kTorusSide; at += 2)
                {
                    const uint32_t next = (at + 1) % kTorusSide;
                    matching.emplace_back(isRow ? line * kTorusSide + at : at * kTorusSide + line,
                                          isRow ? line * kTorusSide + next
                                                : next * kTorusSide + line);
                }
            }
        }
    }
    return matchings;
}

/**
 * Two GPUs of the same half have a neighbour in common for each pair of steps with their distance.
 * \return steps modulo a number, with few repeated distances
 */
std::vector<uint32_t>
ChooseSteps(uint32_t modulus, uint32_t many)
{
    std::vector<uint32_t> steps;
    std::vector<bool> isStep(modulus);
    std::vector<uint32_t> distances(modulus); // number of occurrences by distance
    while (steps.size() < many)
    {
        uint32_t best = 0;
        uint32_t fewest = std::numeric_limits<uint32_t>::max();
        for (uint32_t step = 0; step < modulus; ++step)
        {
            uint32_t again = 0;
            for (const uint32_t other : steps)
            {
                again += distances[(step + modulus - other) % modulus];
            }
            if (!isStep[step] && again < fewest)
            {
                best = step;
                fewest = again;
            }
        }
        for (const uint32_t other : steps)
        {
            ++distances[(best + modulus - other) % modulus];
            ++distances[(other + modulus - best) % modulus];
        }
        isStep[best] = true;
        steps.push_back(best);
    }
    return steps;
}

/// Pairs GPU i of the first half with GPU i + step of the second half.
std::vector<Matching>
MakeDihedral(uint32_t gpus, uint32_t degree)
{
    const uint32_t half = gpus / 2;
    std::vector<Matching> matchings;
    for (const uint32_t step : ChooseSteps(half, degree))
    {
        Matching& matching = matchings.emplace_back();
        for (uint32_t gpu = 0; gpu < half; ++gpu)
        {
            matching.emplace_back(gpu, half + (gpu + step) % half);
        }
    }
    return matchings;
}

/// \return `degree` matchings; less than a complete graph
std::vector<Matching>
MakeSparse(uint32_t gpus, uint32_t degree)
{
    if (gpus == kTorusSide * kTorusSide && degree == 4)
    {
        return MakeTorus();
    }
    if (degree <= gpus / 2)
    {
        return MakeDihedral(gpus, degree);
    }
    std::vector<Matching> matchings = MakeComplete(gpus);
    matchings.resize(degree);
    return matchings;
}

} // namespace

std::vector<std::vector<uint32_t>>
PlaceOnPairs(uint32_t gpus, uint32_t experts)
{
    if (gpus == 0 || gpus % 2 != 0 || experts % (gpus / 2) != 0)
    {
        throw std::invalid_argument("experts cannot be placed on pairs of GPUs evenly");
    }
    const uint32_t degree = experts / (gpus / 2);
    const std::vector<Matching> complete = MakeComplete(gpus);
    const std::vector<Matching> sparse = MakeSparse(gpus, degree % (gpus - 1));
    const uint32_t ofComplete = degree - static_cast<uint32_t>(sparse.size());
    std::vector<std::vector<uint32_t>> hosts;
    hosts.reserve(experts);
    std::vector<uint32_t> homes(gpus); // number of homes by GPU
    for (uint32_t index = 0; index < degree; ++index)
    {
        const Matching& matching =
            index < ofComplete ? complete[index % complete.size()] : sparse[index - ofComplete];
        for (const auto& [one, other] : matching)
        {
            const bool isOther = homes[other] < homes[one];
            hosts.push_back(isOther ? std::vector{other, one} : std::vector{one, other});
            ++homes[hosts.back().front()];
        }
    }
    return hosts;
}

} // namespace ns3::rails
