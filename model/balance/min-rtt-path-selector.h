// SPDX-License-Identifier: GPL-2.0-only
#ifndef MIN_RTT_PATH_SELECTOR_H
#define MIN_RTT_PATH_SELECTOR_H

#include "path-selector.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Every frame takes the one of a few paths that answers fastest: `balance.host: min-rtt`, after the
 * default scheduler of MPTCP. A path that is silent for longer than its round trip counts as slow
 * as that silence is long; now and then a frame tries another. The details are our choice.
 */
class MinRttPathSelector : public PathSelector
{
  public:
    static TypeId GetTypeId();

    Ptr<PathSelector> Fork() override;
    void Start(TimePs now, const PathContext& context) override;
    void Choose(TimePs now, Frame& frame) override;
    bool ScattersFrames() const override;
    bool UsesFeedback() const override;
    void OnFeedback(TimePs now, const PathFeedback& feedback) override;

  private:
    struct Path
    {
        TimePs roundTrip{kNever};  // smoothed; kNever: not measured yet
        TimePs waitsSince{kNever}; // first frame since its last answer was sent; kNever: none was
    };

    uint32_t GetFastest(TimePs now);

    uint32_t m_paths{0};
    double m_gain{0};
    uint32_t m_probeEvery{0};

    std::vector<Path> m_known;  // all paths that were tried
    uint32_t m_firstEntropy{0}; // of path 0; the others follow
    uint32_t m_sinceProbe{0};   // frames
    uint32_t m_turn{0};         // path that is probed next
};

} // namespace ns3::rails

#endif // MIN_RTT_PATH_SELECTOR_H
