// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-control.h"

#include "ns3/assert.h"
#include "ns3/boolean.h"
#include "ns3/component-documentation.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"

#include <algorithm>

namespace ns3::rails
{

/**
 * A rate that nothing changes ("Load Balancing for AI Training Workloads", arXiv 2507.21372,
 * sections 2.3 and 2.4 of our page on it): a share of the line rate, or a given rate. Each gap
 * between two frames is a little shorter than that rate says, and the first frame waits for a
 * random part of a gap, so that senders do not synchronize.
 *
 * The share is load * line rate / (active queue pairs of the NIC). It is computed once, when the
 * first frame could go: in an all-to-all all messages are posted in that instant, and each keeps
 * its initial share.
 */
class FixedRateCongestionControl : public Forkable<FixedRateCongestionControl, CongestionControl>
{
  public:
    static TypeId GetTypeId();

    /// \throws ConfigurationError when the load is zero
    void Check() const override;
    void Join(const NicState& nic) override;
    uint32_t GetStartBytes() override;
    uint32_t GetBurstBytes() const override;
    void Start(TimePs now, uint64_t lineRateBps) override;
    void SetLineRate(TimePs now, uint64_t lineRateBps) override;
    uint64_t GetRateBps(TimePs now) override;
    void OnSent(TimePs now, uint32_t wireBytes) override;

    /**
     * Sets the share of its rate that the fabric carries after failures, for later queue pairs.
     * \param rhoMax above 0, at most 1
     */
    void SetRhoMax(double rhoMax) override;

    /// \return whether SetRhoMax() must be called
    bool WantsRhoMax() const override;

  private:
    void DrawRate();

    DataRate m_rate;
    double m_load{0};
    bool m_wantsRhoMax{false};
    double m_rhoMax{1};
    double m_jitter{0};
    bool m_lengthen{false};
    bool m_randomStart{false};
    ByteSize m_burst;

    NicState m_nic{};
    uint64_t m_lineRateBps{0};
    double m_meanRateBps{0};  // without jitter; 0 until it is computed
    uint64_t m_gapRateBps{0}; // in the present gap
};

NS_OBJECT_ENSURE_REGISTERED(FixedRateCongestionControl);

TypeId
FixedRateCongestionControl::GetTypeId()
{
    using Self = FixedRateCongestionControl;
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::FixedRateCongestionControl").SetParent<CongestionControl>(),
            "A rate that nothing changes: a given one, or a share of the line rate. "
            "(arXiv 2507.21372)")
            .SetGroupName("Rails")
            .AddConstructor<FixedRateCongestionControl>()
            .AddAttribute("Rate",
                          "Rate of a queue pair, at full load. With 0bps the line rate, divided by "
                          "the queue pairs of the NIC that have something to do when this one "
                          "could send for the first time. (arXiv 2507.21372)",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&Self::m_rate),
                          MakeRateRange())
            .AddAttribute("Load",
                          "Part of that rate that is used, above 0. (arXiv 2507.21372)",
                          DoubleValue(1),
                          MakeDoubleAccessor(&Self::m_load),
                          MakeNumberRange(0, 1))
            .AddAttribute(
                "RhoMax",
                "Whether only so much of it is used that no link is overloaded when every "
                "flow is split evenly over the shortest paths that failures left it. "
                "(rho_max of arXiv 2507.21372, appendix A)",
                BooleanValue(false),
                MakeBooleanAccessor(&Self::m_wantsRhoMax),
                MakeBooleanChecker())
            .AddAttribute("Jitter",
                          "Largest part by which a gap between two frames differs, at random and "
                          "always in the same direction. (public simulator of arXiv 2507.21372)",
                          DoubleValue(0.01),
                          MakeDoubleAccessor(&Self::m_jitter),
                          MakeNumberRange(0, 0.99))
            .AddAttribute("Lengthen",
                          "Whether jitter makes gaps longer; otherwise it makes them shorter. (The "
                          "public simulator of arXiv 2507.21372 means to do the latter and, "
                          "computing without signs, does the former.)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Self::m_lengthen),
                          MakeBooleanChecker())
            .AddAttribute("RandomStart",
                          "Whether the first frame waits for a random part of a gap. (public "
                          "simulator of arXiv 2507.21372)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Self::m_randomStart),
                          MakeBooleanChecker())
            .AddAttribute("Burst",
                          "Wire bytes by which a queue pair that waited for its NIC may run behind "
                          "its rate and catch up; with 0B a gap begins when a frame leaves, with a "
                          "frame or more when it was due. (a frame: public simulator of arXiv "
                          "2507.21372)",
                          ByteSizeValue(ByteSize(0)),
                          MakeByteSizeAccessor(&Self::m_burst),
                          MakeByteRange(0, 1'000'000));
    return tid;
}

void
FixedRateCongestionControl::Check() const
{
    if (m_load == 0)
    {
        throw ConfigurationError("load",
                                 "the load must not be zero: a queue pair would stop; 1 is all of "
                                 "its rate");
    }
}

void
FixedRateCongestionControl::Join(const NicState& nic)
{
    m_nic = nic;
}

uint32_t
FixedRateCongestionControl::GetStartBytes()
{
    return m_randomStart ? static_cast<uint32_t>(m_nic.random->GetValue(0, m_nic.largestWireFrame))
                         : 0;
}

uint32_t
FixedRateCongestionControl::GetBurstBytes() const
{
    return static_cast<uint32_t>(m_burst.Get());
}

void
FixedRateCongestionControl::Start(TimePs /* now */, uint64_t lineRateBps)
{
    m_lineRateBps = lineRateBps;
    m_meanRateBps = 0;
    m_gapRateBps = 0;
}

void
FixedRateCongestionControl::SetLineRate(TimePs /* now */, uint64_t lineRateBps)
{
    if (m_rate.GetBitRate() == 0 && m_meanRateBps > 0)
    {
        m_meanRateBps *= static_cast<double>(lineRateBps) / static_cast<double>(m_lineRateBps);
        DrawRate();
    }
    m_lineRateBps = lineRateBps;
}

uint64_t
FixedRateCongestionControl::GetRateBps(TimePs /* now */)
{
    if (m_meanRateBps == 0)
    {
        const bool given = m_rate.GetBitRate() > 0;
        const uint64_t whole = given ? m_rate.GetBitRate() : m_lineRateBps;
        const uint32_t sharers = given ? 1 : std::max(1U, *m_nic.activeQueuePairs);
        m_meanRateBps = m_load * m_rhoMax * static_cast<double>(whole) / sharers;
        DrawRate();
    }
    return m_gapRateBps;
}

void
FixedRateCongestionControl::OnSent(TimePs /* now */, uint32_t /* wireBytes */)
{
    if (m_meanRateBps > 0)
    {
        DrawRate();
    }
}

void
FixedRateCongestionControl::SetRhoMax(double rhoMax)
{
    NS_ASSERT_MSG(rhoMax > 0 && rhoMax <= 1, "rho_max is a part of what a queue pair may send");
    m_rhoMax = rhoMax;
}

bool
FixedRateCongestionControl::WantsRhoMax() const
{
    return m_wantsRhoMax;
}

// A gap of 1 - part of its length means a rate of 1 / (1 - part).
void
FixedRateCongestionControl::DrawRate()
{
    const double part = m_jitter > 0 ? m_nic.random->GetValue(0, m_jitter) : 0;
    const double rate = m_meanRateBps / (m_lengthen ? 1 + part : 1 - part);
    m_gapRateBps = std::max<uint64_t>(1, static_cast<uint64_t>(rate));
}

} // namespace ns3::rails
