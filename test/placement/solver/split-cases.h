// SPDX-License-Identifier: GPL-2.0-only
#ifndef SPLIT_CASES_H
#define SPLIT_CASES_H

#include "ns3/token-counts.h"
#include "ns3/token-routing.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails::test
{

/// Tokens over five orders of magnitude, for experts that each are on some GPUs.
struct SplitCase
{
    /// At random. \param mostHosts each expert has one GPU to that many
    SplitCase(uint32_t gpus, uint32_t experts, uint32_t mostHosts, uint32_t seed);

    TokenCounts counts;
    std::vector<uint64_t> loads;
    std::vector<std::vector<uint32_t>> hosts;
    double weight{0}; //!< of communication
};

/// \return tokens by GPU
std::vector<uint64_t> AddUp(const ExpertQuota& quota, uint32_t gpus);

/// All tokens are split over the hosts, in their order.
void ExpectConserved(const SplitCase& split, const ExpertQuota& quota);

/// \return least cost of LP 4 of each case by SciPy; nothing where that is not installed
std::optional<std::vector<double>> FindScipyOptima(const std::vector<SplitCase>& cases);

} // namespace ns3::rails::test

#endif // SPLIT_CASES_H
