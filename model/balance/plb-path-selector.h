// SPDX-License-Identifier: GPL-2.0-only
#ifndef PLB_PATH_SELECTOR_H
#define PLB_PATH_SELECTOR_H

#include "path-selector.h"
#include "round-trip-estimator.h"

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * One path until it looks congested, then another: `balance.host: plb`. A queue pair takes a new
 * path when many of its last ACKs were marked and the time of some frames has passed since they
 * were not, or when no ACK came for a time-out. (PLB, SIGCOMM'22, as simplified for arXiv
 * 2507.21372)
 */
class PlbPathSelector : public PathSelector
{
  public:
    static TypeId GetTypeId();

    void Check() const override;
    Ptr<PathSelector> Fork() override;
    void Start(TimePs now, const PathContext& context) override;
    void Choose(TimePs now, Frame& frame) override;
    bool UsesFeedback() const override;
    void OnFeedback(TimePs now, const PathFeedback& feedback) override;
    bool UsesEcn() const override;

  private:
    void Relabel(TimePs now);

    uint32_t m_ackWindow{0};
    uint32_t m_markedAcks{0};
    uint32_t m_minimumWait{0};
    uint32_t m_maximumWait{0};
    Time m_initialRto;
    Time m_minimumRto;

    Ptr<UniformRandomVariable> m_random;
    RoundTripEstimator m_roundTrip;
    uint64_t m_marks{0};         // of the last ACKs, newest in the lowest bit
    TimePs m_waitsSince{kNever}; // first frame since the last ACK was sent; kNever: none was
    TimePs m_sentAt{kNever};     // the last frame; kNever: none was
    TimePs m_gap{kNever};        // between the last two frames
    TimePs m_fineSince{0};       // last good state or new path
    double m_wait{0};            // gaps in a bad state before the path changes
    uint32_t m_label{0};
    bool m_isGood{true};
};

} // namespace ns3::rails

#endif // PLB_PATH_SELECTOR_H
