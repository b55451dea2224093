// SPDX-License-Identifier: GPL-2.0-only
#ifndef SHADOW_UNITS_H
#define SHADOW_UNITS_H

#include "ns3/expert-setting.h"
#include "ns3/token-counts.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Experts of a GPU that are shadowed together.
struct ShadowUnit
{
    uint32_t home{0};              //!< GPU
    std::vector<uint32_t> experts; //!< at home there
    std::vector<uint64_t> tokens;  //!< tokens for these experts, by source GPU
    uint64_t load{0};              //!< sum of `tokens`

    /// \return tokens on other GPUs
    uint64_t GetRemote() const
    {
        return load - tokens[home];
    }
};

/// Granularity of shadowing on a GPU with several experts.
enum class ShadowGrain
{
    Gpu,   //!< all experts of a GPU together
    Expert //!< each by itself
};

/// \return units by number; with ShadowGrain::Gpu by GPU
/// \param setting of one expert-parallel group
std::vector<ShadowUnit> MakeUnits(const ExpertSetting& setting,
                                  const TokenCounts& counts,
                                  ShadowGrain grain);

/**
 * Loads and received tokens of GPUs while units are shadowed one after the other. A GPU with a
 * shadow computes its own tokens; all others go home.
 */
class ShadowTrial
{
  public:
    /// Starts without shadows.
    ShadowTrial(uint32_t gpus, const std::vector<ShadowUnit>& units);

    /// \param unit not yet shadowed
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

/// \return the GPUs with the fewest tokens for a unit, ascending by tokens, without its home
/// \param many number of GPUs
std::vector<uint32_t> FindFewest(const ShadowUnit& unit, uint32_t many);

} // namespace ns3::rails

#endif // SHADOW_UNITS_H
