// SPDX-License-Identifier: GPL-2.0-only
#ifndef SPRAY_PATH_SELECTOR_H
#define SPRAY_PATH_SELECTOR_H

#include "path-selector.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * Another entropy for every frame, whatever becomes of them: `balance.host: spray`, the Host Pkt of
 * the paper. (arXiv 2507.21372, Table 2)
 */
class SprayPathSelector : public PathSelector
{
  public:
    /// Where the next entropy comes from.
    enum Entropy
    {
        WALK,  //!< one more than the last, from a random start
        RANDOM //!< 32 random bits
    };

    static TypeId GetTypeId();

    Ptr<PathSelector> Fork() override;
    void Start(TimePs now, const PathContext& context) override;
    void Choose(TimePs now, Frame& frame) override;
    bool ScattersFrames() const override;
    PathSpread GetSpread() const override;

  private:
    Entropy m_entropy{WALK};
    uint32_t m_next{0};
    Ptr<UniformRandomVariable> m_random;
};

} // namespace ns3::rails

#endif // SPRAY_PATH_SELECTOR_H
