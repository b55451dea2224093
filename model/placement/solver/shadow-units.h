// SPDX-License-Identifier: GPL-2.0-only
#ifndef SHADOW_UNITS_H
#define SHADOW_UNITS_H

#include "ns3/expert-setting.h"
#include "ns3/token-counts.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// What is shadowed at once.
struct ShadowUnit
{
    uint32_t home{0};              //!< GPU
    std::vector<uint32_t> experts; //!< at home there
    std::vector<uint64_t> tokens;  //!< for these experts, by the GPU that they are on
    uint64_t load{0};              //!< sum of these

    /// \return tokens that other GPUs have
    uint64_t GetRemote() const
    {
        return load - tokens[home];
    }
};

/// What is shadowed at once where a GPU has several experts.
enum class ShadowGrain
{
    Gpu,   //!< all experts of a GPU, as if they were one
    Expert //!< each by itself
};

/// \return units by number; of Gpu those of GPUs, in the order of GPUs
/// \param setting of one group of expert parallelism
std::vector<ShadowUnit> MakeUnits(const ExpertSetting& setting,
                                  const TokenCounts& counts,
                                  ShadowGrain grain);

/**
 * What GPUs compute and receive while one unit after the other is shadowed: tokens on a GPU that
 * has a shadow are computed there, all others at home.
 */
class ShadowTrial
{
  public:
    /// Nothing is shadowed.
    ShadowTrial(uint32_t gpus, const std::vector<ShadowUnit>& units);

    /// \param unit that was not shadowed before
    /// \param excluded GPUs without a shadow, besides its home
    void Shadow(const ShadowUnit& unit, const std::vector<uint32_t>& excluded);

    /// \return H: tokens that each GPU computes
    const std::vector<uint64_t>& GetComputed() const
    {
        return m_computed;
    }

    /// \return R: tokens that each GPU receives from others
    const std::vector<uint64_t>& GetReceived() const
    {
        return m_received;
    }

  private:
    std::vector<uint64_t> m_computed;
    std::vector<uint64_t> m_received;
};

/// \return some GPUs, besides its home, that have the fewest tokens for a unit; ascending by tokens
std::vector<uint32_t> FindFewest(const ShadowUnit& unit, uint32_t many);

} // namespace ns3::rails

#endif // SHADOW_UNITS_H
