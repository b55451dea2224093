// SPDX-License-Identifier: GPL-2.0-only
#ifndef REPS_PATH_SELECTOR_H
#define REPS_PATH_SELECTOR_H

#include "entropy-ring.h"
#include "entropy-timers.h"
#include "path-selector.h"
#include "round-trip-estimator.h"

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * Recycled entropies: what came back without a mark is used again, otherwise a random one; a path
 * that seems dead makes the queue pair keep to those it knows for a while. `balance.host: reps`.
 * (REPS, arXiv 2407.21625; the Host AR of arXiv 2507.21372)
 */
class RepsPathSelector : public Forkable<RepsPathSelector, PathSelector>
{
  public:
    static TypeId GetTypeId();

    RepsPathSelector()
    {
        m_traits.scattersFrames = true;
        m_traits.usesFeedback = true;
        m_traits.usesEcn = true;
    }

    void Start(TimePs now, const PathContext& context) override;
    void Choose(TimePs now, Frame& frame) override;
    void OnFeedback(TimePs now, const PathFeedback& feedback) override;

    /// \return true while the queue pair keeps to the entropies in its ring
    bool IsFrozen() const;

  private:
    uint16_t GetNext();
    void Freeze(TimePs now);
    void ThawIfDue(TimePs now);

    uint32_t m_ringSize{0};
    uint32_t m_pool{0};
    uint32_t m_lifetime{0};
    bool m_freezes{false};
    Time m_freezeTime;
    uint32_t m_explorations{0};
    Time m_initialRto;
    Time m_minimumRto;

    Ptr<UniformRandomVariable> m_random;
    RoundTripEstimator m_roundTrip;
    EntropyRing m_ring;
    EntropyTimers m_timers;
    TimePs m_thawAt{kNever}; // kNever: not frozen
    uint32_t m_toExplore{0}; // frames that still get random entropies after a freeze
};

} // namespace ns3::rails

#endif // REPS_PATH_SELECTOR_H
