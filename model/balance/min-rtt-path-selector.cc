// SPDX-License-Identifier: GPL-2.0-only
#include "entropy-draw.h"
#include "path-selector.h"

#include "ns3/component-documentation.h"
#include "ns3/double.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Every frame takes the one of a few paths that answers fastest: `balance.host: min-rtt`, after the
 * default scheduler of MPTCP. A path that is silent for longer than its round trip counts as slow
 * as that silence is long; now and then a frame tries another. The details are our choice.
 */
class MinRttPathSelector : public Forkable<MinRttPathSelector, PathSelector>
{
  public:
    static TypeId GetTypeId();

    MinRttPathSelector()
    {
        m_traits.scattersFrames = true;
        m_traits.usesFeedback = true;
    }

    void Start(TimePs now, const PathContext& context) override;
    void Choose(TimePs now, Frame& frame) override;
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

NS_OBJECT_ENSURE_REGISTERED(MinRttPathSelector);

TypeId
MinRttPathSelector::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::MinRttPathSelector").SetParent<PathSelector>(),
                         "Every frame takes the one of a few paths that answers fastest. (after "
                         "the default scheduler of MPTCP; the details are our choice)")
            .SetGroupName("Rails")
            .AddConstructor<MinRttPathSelector>()
            .AddAttribute("Paths",
                          "Entropies that a queue pair chooses from. (our choice)",
                          UintegerValue(8),
                          MakeUintegerAccessor(&MinRttPathSelector::m_paths),
                          MakeCountRange<uint32_t>(1, 256))
            .AddAttribute("Gain",
                          "Weight of the newest round trip of a path. (RFC 6298, section 2)",
                          DoubleValue(0.125),
                          MakeDoubleAccessor(&MinRttPathSelector::m_gain),
                          MakeNumberRange(0, 1))
            .AddAttribute("ProbeEvery",
                          "One of so many frames goes to the paths in turn, whatever they are "
                          "known to take, so that one that got better is found; 0 for none. (our "
                          "choice)",
                          UintegerValue(64),
                          MakeUintegerAccessor(&MinRttPathSelector::m_probeEvery),
                          MakeCountRange<uint32_t>(0, 1'000'000));
    return tid;
}

void
MinRttPathSelector::Start(TimePs /* now */, const PathContext& context)
{
    m_firstEntropy = DrawEntropy(*context.random);
}

void
MinRttPathSelector::Choose(TimePs now, Frame& frame)
{
    uint32_t choice = static_cast<uint32_t>(m_known.size());
    if (choice < m_paths)
    {
        m_known.emplace_back();
    }
    else if (++m_sinceProbe == m_probeEvery)
    {
        m_sinceProbe = 0;
        choice = m_turn++ % m_paths;
    }
    else
    {
        choice = GetFastest(now);
    }
    Path& path = m_known[choice];
    path.waitsSince = std::min(path.waitsSince, now);
    frame.entropy = m_firstEntropy + choice;
}

uint32_t
MinRttPathSelector::GetFastest(TimePs now)
{
    uint32_t fastest = 0;
    TimePs least = kNever;
    for (uint32_t i = 0; i < m_paths; ++i)
    {
        const Path& path = m_known[i];
        const TimePs silence = path.waitsSince == kNever ? 0 : now - path.waitsSince;
        const TimePs takes = std::max(path.roundTrip, silence);
        if (takes < least)
        {
            least = takes;
            fastest = i;
        }
    }
    // As long as nothing is known of any, they take turns.
    return least == kNever ? m_turn++ % m_paths : fastest;
}

void
MinRttPathSelector::OnFeedback(TimePs /* now */, const PathFeedback& feedback)
{
    const uint32_t choice = feedback.entropy - m_firstEntropy;
    if (feedback.kind != PathFeedback::Kind::Ack || choice >= m_known.size())
    {
        return;
    }
    Path& path = m_known[choice];
    path.waitsSince = kNever;
    path.roundTrip =
        path.roundTrip == kNever
            ? feedback.roundTrip
            : path.roundTrip + static_cast<TimePs>(m_gain * static_cast<double>(feedback.roundTrip -
                                                                                path.roundTrip));
}

} // namespace ns3::rails
