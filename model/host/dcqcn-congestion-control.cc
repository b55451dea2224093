// SPDX-License-Identifier: GPL-2.0-only
#include "dcqcn-congestion-control.h"

#include "ns3/boolean.h"
#include "ns3/component-documentation.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/rails-error.h"
#include "ns3/rails-quantity.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"
#include "ns3/word-accessor.h"

#include <algorithm>
#include <cmath>

namespace ns3::rails
{

namespace
{

/// \return base to the power of a whole number, by squaring
double
Power(double base, uint64_t exponent)
{
    double result = 1;
    for (; exponent > 0; exponent >>= 1)
    {
        if (exponent & 1)
        {
            result *= base;
        }
        base *= base;
    }
    return result;
}

} // namespace

NS_LOG_COMPONENT_DEFINE("RailsDcqcn");

NS_OBJECT_ENSURE_REGISTERED(DcqcnCongestionControl);

TypeId
DcqcnCongestionControl::GetTypeId()
{
    using Self = DcqcnCongestionControl;
    using P = Parameters;
    static const Parameters defaults;
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::DcqcnCongestionControl").SetParent<CongestionControl>(),
            "DCQCN: a rate that falls with notifications of marked frames and "
            "recovers with time and bytes. (DCQCN, SIGCOMM'15)")
            .SetGroupName("Rails")
            .AddConstructor<DcqcnCongestionControl>()
            .AddAttribute(
                "Preset",
                "Sets all other parameters, so set it before them on an existing object; "
                "'mellanox' is what recent NICs use, 'paper' the values of SIGCOMM'15, "
                "'hpcc' those that DCQCN has in the simulator of HPCC (SIGCOMM'19), from "
                "which most published simulations come: a CNP for each marked frame. (HPCC "
                "itself is the congestion control hpcc.)",
                EnumValue(defaults.preset),
                MakeWordAccessor(&Self::SetPreset, &Self::GetPreset),
                MakeEnumChecker(MELLANOX, "mellanox", PAPER, "paper", HPCC, "hpcc"))
            .AddAttribute(
                "AlphaTimer",
                "Time without CNP after which alpha decays, again and again. (DCQCN, SIGCOMM'15, "
                "section 3.1)",
                TimeValue(defaults.alphaTimer),
                MakeTimeAccessor(&Self::Set<Time, &P::alphaTimer>,
                                 &Self::Get<Time, &P::alphaTimer>),
                MakeTimeRange(kNanosecond))
            .AddAttribute(
                "Gain",
                "Weight g of the newest observation in alpha. (DCQCN, SIGCOMM'15, "
                "section 3.1)",
                DoubleValue(defaults.gain),
                MakeDoubleAccessor(&Self::Set<double, &P::gain>, &Self::Get<double, &P::gain>),
                MakeNumberRange(0, 1))
            .AddAttribute("InitialAlpha",
                          "Alpha at the first CNP. (DCQCN, SIGCOMM'15, section 3.1)",
                          DoubleValue(defaults.initialAlpha),
                          MakeDoubleAccessor(&Self::Set<double, &P::initialAlpha>,
                                             &Self::Get<double, &P::initialAlpha>),
                          MakeNumberRange(0, 1))
            .AddAttribute("DecreaseInterval",
                          "Shortest time between two decreases of the rate.",
                          TimeValue(defaults.decreaseInterval),
                          MakeTimeAccessor(&Self::Set<Time, &P::decreaseInterval>,
                                           &Self::Get<Time, &P::decreaseInterval>),
                          MakeTimeRange())
            .AddAttribute("ClampTargetRate",
                          "Whether every decrease sets the target rate to the rate before it; "
                          "otherwise only the first one after an increase does.",
                          BooleanValue(defaults.clampTargetRate),
                          MakeBooleanAccessor(&Self::Set<bool, &P::clampTargetRate>,
                                              &Self::Get<bool, &P::clampTargetRate>),
                          MakeBooleanChecker())
            .AddAttribute("MinimumRate",
                          "Rate below which a queue pair does not fall, above 0bps.",
                          DataRateValue(defaults.minimumRate),
                          MakeDataRateAccessor(&Self::Set<DataRate, &P::minimumRate>,
                                               &Self::Get<DataRate, &P::minimumRate>),
                          MakeRateRange())
            .AddAttribute("IncreaseTimer",
                          "Period of the timer that raises the rate. (DCQCN, SIGCOMM'15, section "
                          "3.1)",
                          TimeValue(defaults.increaseTimer),
                          MakeTimeAccessor(&Self::Set<Time, &P::increaseTimer>,
                                           &Self::Get<Time, &P::increaseTimer>),
                          MakeTimeRange(kNanosecond))
            .AddAttribute("ByteCounter",
                          "Bytes on the wire after which the rate is raised. (DCQCN, SIGCOMM'15, "
                          "section 3.1)",
                          ByteSizeValue(defaults.byteCounter),
                          MakeByteSizeAccessor(&Self::Set<ByteSize, &P::byteCounter>,
                                               &Self::Get<ByteSize, &P::byteCounter>),
                          MakeByteRange(1, uint64_t{1} << 62, {"none"}))
            .AddAttribute("FastRecoverySteps",
                          "Periods after a decrease in which the target rate stays. (F in DCQCN, "
                          "SIGCOMM'15, section 3.1)",
                          UintegerValue(defaults.fastRecoverySteps),
                          MakeUintegerAccessor(&Self::Set<uint32_t, &P::fastRecoverySteps>,
                                               &Self::Get<uint32_t, &P::fastRecoverySteps>),
                          MakeCountRange<uint32_t>(0, 1'000'000))
            .AddAttribute("AdditiveIncrease",
                          "Step of the target rate after fast recovery. (DCQCN, SIGCOMM'15, "
                          "section 3.1)",
                          DataRateValue(defaults.additiveIncrease),
                          MakeDataRateAccessor(&Self::Set<DataRate, &P::additiveIncrease>,
                                               &Self::Get<DataRate, &P::additiveIncrease>),
                          MakeRateRange())
            .AddAttribute("HyperIncrease",
                          "Step of the target rate after the additive phase. (DCQCN, SIGCOMM'15, "
                          "section 3.1)",
                          DataRateValue(defaults.hyperIncrease),
                          MakeDataRateAccessor(&Self::Set<DataRate, &P::hyperIncrease>,
                                               &Self::Get<DataRate, &P::hyperIncrease>),
                          MakeRateRange())
            .AddAttribute("IncreaseReferenceRate",
                          "NIC rate for which the two steps are given; they grow with the rate of "
                          "the NIC. With 0bps they are the same at every rate.",
                          DataRateValue(defaults.increaseReferenceRate),
                          MakeDataRateAccessor(&Self::Set<DataRate, &P::increaseReferenceRate>,
                                               &Self::Get<DataRate, &P::increaseReferenceRate>),
                          MakeRateRange())
            .AddAttribute("CnpInterval",
                          "Shortest time between two CNPs that a receiver sends for one queue "
                          "pair. (DCQCN, SIGCOMM'15, section 3.1)",
                          TimeValue(defaults.cnpInterval),
                          MakeTimeAccessor(&Self::Set<Time, &P::cnpInterval>,
                                           &Self::Get<Time, &P::cnpInterval>),
                          MakeTimeRange());
    return tid;
}

DcqcnCongestionControl::Parameters
DcqcnCongestionControl::MakePaperParameters()
{
    Parameters paper;
    paper.preset = PAPER;
    paper.alphaTimer = MicroSeconds(55);
    paper.gain = 1.0 / 256;
    paper.initialAlpha = 1;
    paper.decreaseInterval = MicroSeconds(50);
    paper.clampTargetRate = true;
    paper.minimumRate = DataRate(10'000'000);
    paper.increaseTimer = MicroSeconds(55);
    paper.byteCounter = ByteSize(10'000'000);
    paper.fastRecoverySteps = 5;
    paper.additiveIncrease = DataRate(40'000'000);
    paper.hyperIncrease = DataRate(200'000'000);
    paper.increaseReferenceRate = DataRate(0);
    paper.cnpInterval = MicroSeconds(50);
    return paper;
}

DcqcnCongestionControl::Parameters
DcqcnCongestionControl::MakeHpccParameters()
{
    Parameters hpcc;
    hpcc.preset = HPCC;
    hpcc.alphaTimer = MicroSeconds(1);
    hpcc.gain = 1.0 / 256;
    hpcc.initialAlpha = 1;
    hpcc.decreaseInterval = MicroSeconds(4);
    hpcc.clampTargetRate = false;
    hpcc.minimumRate = DataRate(100'000'000);
    hpcc.increaseTimer = MicroSeconds(900);
    hpcc.byteCounter = ByteSize::Special();
    hpcc.fastRecoverySteps = 1;
    hpcc.additiveIncrease = DataRate(50'000'000);
    hpcc.hyperIncrease = DataRate(100'000'000);
    hpcc.increaseReferenceRate = DataRate(0);
    hpcc.cnpInterval = Time(0);
    return hpcc;
}

DcqcnCongestionControl::Parameters
DcqcnCongestionControl::MakeParameters(Preset preset)
{
    switch (preset)
    {
    case PAPER:
        return MakePaperParameters();
    case HPCC:
        return MakeHpccParameters();
    case MELLANOX:
        break;
    }
    return {};
}

DcqcnCongestionControl::DcqcnCongestionControl()
    : m_parameters(std::make_shared<const Parameters>())
{
    m_traits.usesEcn = true;
}

void
DcqcnCongestionControl::SetPreset(Preset preset)
{
    m_parameters = std::make_shared<const Parameters>(MakeParameters(preset));
}

// The attributes behind Preset have been set to their defaults since, which stand for those of the
// preset.
void
DcqcnCongestionControl::NotifyConstructionCompleted()
{
    using P = Parameters;
    CongestionControl::NotifyConstructionCompleted();
    const Parameters given = *m_parameters;
    if (given.preset == MELLANOX)
    {
        return;
    }
    const Parameters defaults;
    Parameters merged = MakeParameters(given.preset);
    const auto keep = [&](auto... members) {
        ((given.*members == defaults.*members ? void() : void(merged.*members = given.*members)),
         ...);
    };
    keep(&P::alphaTimer,
         &P::gain,
         &P::initialAlpha,
         &P::decreaseInterval,
         &P::clampTargetRate,
         &P::minimumRate,
         &P::increaseTimer,
         &P::byteCounter,
         &P::fastRecoverySteps,
         &P::additiveIncrease,
         &P::hyperIncrease,
         &P::increaseReferenceRate,
         &P::cnpInterval);
    m_parameters = std::make_shared<const Parameters>(merged);
}

DcqcnCongestionControl::Preset
DcqcnCongestionControl::GetPreset() const
{
    return m_parameters->preset;
}

void
DcqcnCongestionControl::Check() const
{
    if (m_parameters->minimumRate.GetBitRate() == 0)
    {
        throw ConfigurationError("minimum_rate",
                                 "the minimum rate must not be zero: a queue pair would stop");
    }
}

void
DcqcnCongestionControl::Start(TimePs now, uint64_t lineRateBps)
{
    m_lineRate = lineRateBps;
    m_rate = lineRateBps;
    m_targetRate = lineRateBps;
    m_fullRate = lineRateBps;
    m_isSlowed = false;
    m_alpha = m_parameters->initialAlpha;
    m_cnpAt = kNever;
    m_decreaseFrom = now;
    m_decreaseAt = kNever;
    m_increaseAt = kNever;
    m_bytes = 0;
    m_timerPeriods = 0;
    m_bytePeriods = 0;
}

void
DcqcnCongestionControl::SetLineRate(TimePs now, uint64_t lineRateBps)
{
    Advance(now);
    m_lineRate = lineRateBps;
    m_fullRate = std::max(m_fullRate, m_lineRate);
    if (!m_isSlowed)
    {
        m_rate = m_lineRate;
        m_targetRate = m_lineRate;
    }
    else if (m_rate < m_lineRate && m_increaseAt == kNever)
    {
        m_increaseAt = now + m_parameters->increaseTimer.GetTimeStep();
    }
}

uint64_t
DcqcnCongestionControl::GetRateBps(TimePs now)
{
    Advance(now);
    return std::min(m_rate, m_lineRate);
}

TimePs
DcqcnCongestionControl::GetNextChange(TimePs now)
{
    Advance(now);
    return GetNextEvent();
}

void
DcqcnCongestionControl::OnSent(TimePs now, uint32_t wireBytes)
{
    Advance(now);
    if (m_rate >= m_lineRate || m_parameters->byteCounter.IsSpecial())
    {
        return;
    }
    m_bytes += wireBytes;
    const uint64_t period = m_parameters->byteCounter.Get();
    while (m_bytes >= period && m_rate < m_lineRate)
    {
        m_bytes -= period;
        Increase();
        ++m_bytePeriods;
    }
}

void
DcqcnCongestionControl::OnCnp(TimePs now)
{
    Advance(now);
    if (now >= m_decreaseFrom)
    {
        Decrease(now);
    }
    else
    {
        m_decreaseAt = m_decreaseFrom;
    }
    m_alpha = std::fma(1 - m_parameters->gain, GetAlpha(now), m_parameters->gain);
    m_cnpAt = now;
}

TimePs
DcqcnCongestionControl::GetCnpInterval() const
{
    return m_parameters->cnpInterval.GetTimeStep();
}

double
DcqcnCongestionControl::GetAlpha(TimePs now) const
{
    const TimePs period = m_parameters->alphaTimer.GetTimeStep();
    if (m_cnpAt > now - period)
    {
        return m_alpha;
    }
    const TimePs periods = (now - m_cnpAt) / period;
    return m_alpha * Power(1 - m_parameters->gain, static_cast<uint64_t>(periods));
}

uint64_t
DcqcnCongestionControl::GetTargetRateBps(TimePs now)
{
    Advance(now);
    return m_targetRate;
}

void
DcqcnCongestionControl::Replay(TimePs now)
{
    while (GetNextEvent() <= now)
    {
        if (m_decreaseAt <= m_increaseAt)
        {
            Decrease(m_decreaseAt);
        }
        else
        {
            m_increaseAt += m_parameters->increaseTimer.GetTimeStep();
            Increase();
            ++m_timerPeriods;
        }
    }
}

void
DcqcnCongestionControl::Decrease(TimePs now)
{
    m_rate = std::min(m_rate, m_lineRate);
    const bool increased = m_timerPeriods > 0 || m_bytePeriods > 0;
    if (increased || m_parameters->clampTargetRate)
    {
        m_targetRate = m_rate;
    }
    const auto lowered =
        static_cast<uint64_t>(static_cast<double>(m_rate) * (1 - GetAlpha(now) * 0.5));
    const uint64_t floor = std::min(m_parameters->minimumRate.GetBitRate(), m_lineRate);
    m_rate = std::max(lowered, floor);
    m_isSlowed = m_rate < m_fullRate;
    NS_LOG_INFO(FormatTime(now) << ": decrease to " << m_rate << " bit/s, alpha " << GetAlpha(now));

    m_decreaseAt = kNever;
    m_decreaseFrom = now + m_parameters->decreaseInterval.GetTimeStep();
    m_increaseAt = m_rate < m_lineRate ? now + m_parameters->increaseTimer.GetTimeStep() : kNever;
    m_bytes = 0;
    m_timerPeriods = 0;
    m_bytePeriods = 0;
}

void
DcqcnCongestionControl::Increase()
{
    // The target exceeds the line rate only when the line rate has fallen.
    m_targetRate = std::max(m_targetRate, std::min(m_targetRate + GetTargetStep(), m_lineRate));
    m_rate = (m_rate + m_targetRate + 1) / 2;
    m_isSlowed = m_rate < m_fullRate;
    NS_LOG_LOGIC("increase to " << m_rate << " bit/s");
    if (m_rate >= m_lineRate)
    {
        m_increaseAt = kNever;
    }
}

uint64_t
DcqcnCongestionControl::GetTargetStep() const
{
    const Parameters& p = *m_parameters;
    const uint32_t bytePeriods = p.byteCounter.IsSpecial() ? m_timerPeriods : m_bytePeriods;
    if (std::max(m_timerPeriods, bytePeriods) < p.fastRecoverySteps)
    {
        return 0;
    }
    const bool hyper = std::min(m_timerPeriods, bytePeriods) > p.fastRecoverySteps;
    const uint64_t step = (hyper ? p.hyperIncrease : p.additiveIncrease).GetBitRate();
    const uint64_t reference = p.increaseReferenceRate.GetBitRate();
    if (reference == 0)
    {
        return std::min(step, m_lineRate);
    }
    const double scaled = static_cast<double>(step) * static_cast<double>(m_lineRate) /
                          static_cast<double>(reference);
    return static_cast<uint64_t>(std::min(scaled, static_cast<double>(m_lineRate)));
}

} // namespace ns3::rails
