// SPDX-License-Identifier: GPL-2.0-only
#ifndef DCQCN_CONGESTION_CONTROL_H
#define DCQCN_CONGESTION_CONTROL_H

#include "congestion-control.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <memory>

namespace ns3::rails
{

/**
 * DCQCN's reaction point (Zhu et al., "Congestion Control for Large-Scale RDMA Deployments",
 * SIGCOMM'15, sections 3 and 5).
 *
 * A CNP lowers the current rate by half of alpha, the estimate of congestion, and raises alpha;
 * without CNPs alpha decays. Each period of a timer and each period of a byte counter raises the
 * current rate half-way to the target rate; after the periods of fast recovery the target rate
 * itself grows, by the additive increase while either counter is in its first periods, then by the
 * hyper increase.
 *
 * Choices where sources differ:
 * - The queue pair starts at line rate with alpha at InitialAlpha, which does not decay before the
 *   first CNP.
 * - A CNP restarts the alpha timer, a decrease restarts the increase timer and the byte counter.
 * - A CNP within DecreaseInterval of the last decrease raises alpha at once; the rate falls at the
 *   end of the interval, once for all such CNPs. So a small jitter of CNPs at exactly that interval
 *   loses no decrease.
 * - The first FastRecoverySteps periods of the counter that is ahead are fast recovery, the next
 *   one is additive; hyper increase begins when both counters are past that. Without byte counter
 *   the timer decides alone.
 * - Events that are due at the time of a call happen before the call.
 *
 * Rates are integers in bit/s, a cut rounds down, an increase up (so the line rate is reached).
 * Alpha is a double that is only multiplied and fused-multiply-added, hence the same everywhere.
 */
class DcqcnCongestionControl : public Forkable<DcqcnCongestionControl, CongestionControl>
{
  public:
    /// Named sets of parameters.
    enum Preset
    {
        PAPER,    //!< the values of the SIGCOMM'15 paper
        MELLANOX, //!< the values in use for recent NICs
        HPCC //!< the values of DCQCN in the simulator of HPCC (SIGCOMM'19) and simulators based on
             //!< it
    };

    static TypeId GetTypeId();
    DcqcnCongestionControl();

    /// Sets all parameters to the values of the preset. As an ns-3 default, and where an object is
    /// made, the attribute sets those that have the defaults of MELLANOX.
    void SetPreset(Preset preset);
    /// \return the preset chosen last
    Preset GetPreset() const;

    void Check() const override;
    void Start(TimePs now, uint64_t lineRateBps) override;
    void SetLineRate(TimePs now, uint64_t lineRateBps) override;
    uint64_t GetRateBps(TimePs now) override;
    TimePs GetNextChange(TimePs now) override;
    void OnSent(TimePs now, uint32_t wireBytes) override;
    void OnCnp(TimePs now) override;
    TimePs GetCnpInterval() const override;

    /// \return alpha for a decrease at that time
    double GetAlpha(TimePs now) const override;
    /// \return the rate in bit/s that increases move towards
    uint64_t GetTargetRateBps(TimePs now);

  private:
    /// Parameters of all queue pairs of a run. The defaults are the preset MELLANOX.
    struct Parameters
    {
        Preset preset{MELLANOX};
        Time alphaTimer{MicroSeconds(1)};
        double gain{1.0 / 256};
        double initialAlpha{1};
        Time decreaseInterval{MicroSeconds(4)};
        bool clampTargetRate{false};
        DataRate minimumRate{100'000'000};
        Time increaseTimer{MicroSeconds(300)};
        ByteSize byteCounter{ByteSize::Special()};
        uint32_t fastRecoverySteps{1};
        DataRate additiveIncrease{5'000'000};
        DataRate hyperIncrease{50'000'000};
        DataRate increaseReferenceRate{25'000'000'000};
        Time cnpInterval{MicroSeconds(4)};
    };

    void NotifyConstructionCompleted() override;
    static Parameters MakeParameters(Preset preset);
    static Parameters MakePaperParameters();
    static Parameters MakeHpccParameters();

    /// Accessors of the attributes: forks keep the parameters they were made with.
    template <typename T, T Parameters::*Member>
    void Set(T value)
    {
        auto changed = std::make_shared<Parameters>(*m_parameters);
        (*changed).*Member = value;
        m_parameters = std::move(changed);
    }

    template <typename T, T Parameters::*Member>
    T Get() const
    {
        return (*m_parameters).*Member;
    }

    TimePs GetNextEvent() const
    {
        return m_decreaseAt < m_increaseAt ? m_decreaseAt : m_increaseAt;
    }

    /// Executes events due up to now: most often there are none.
    void Advance(TimePs now)
    {
        if (GetNextEvent() <= now)
        {
            Replay(now);
        }
    }

    /// Executes due events in the order of time.
    void Replay(TimePs now);
    void Decrease(TimePs now);
    void Increase();
    uint64_t GetTargetStep() const;

    std::shared_ptr<const Parameters> m_parameters;

    uint64_t m_lineRate{0};
    uint64_t m_fullRate{0}; // highest line rate so far
    bool m_isSlowed{false}; // below m_fullRate by decreases
    uint64_t m_rate{0};
    uint64_t m_targetRate{0};
    double m_alpha{1};           // just after the last CNP
    TimePs m_cnpAt{kNever};      // time of the last CNP
    TimePs m_decreaseFrom{0};    // earliest next decrease
    TimePs m_decreaseAt{kNever}; // pending decrease, at the end of the interval
    TimePs m_increaseAt{kNever}; // end of the timer's period; kNever at line rate
    uint64_t m_bytes{0};         // in the byte counter's period
    uint32_t m_timerPeriods{0};  // completed since the last decrease
    uint32_t m_bytePeriods{0};   // completed since the last decrease
};

} // namespace ns3::rails

#endif // DCQCN_CONGESTION_CONTROL_H
