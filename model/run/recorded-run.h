// SPDX-License-Identifier: GPL-2.0-only
#ifndef RECORDED_RUN_H
#define RECORDED_RUN_H

#include "rails-engine-run.h"
#include "rails-record-options.h"
#include "rails-run-settings.h"

#include <memory>
#include <optional>
#include <string>

namespace ns3::rails
{

/**
 * The common part of runs of both engines: a watchdog, and a recorder of phases or path segments.
 * \tparam EngineT the engine
 * \tparam WatchdogT ends a run in which nothing moves
 * \tparam PhaseRecorderT records ports phase by phase
 * \tparam SegmentRecorderT a PathSegmentRecorder
 */
template <typename EngineT, typename WatchdogT, typename PhaseRecorderT, typename SegmentRecorderT>
class RecordedRun : public EngineRun
{
  public:
    Ptr<Engine> GetEngine() const override
    {
        return m_engine;
    }

    uint32_t GetSubflows() const override
    {
        return m_settings.parts.path->GetSubflows();
    }

    std::optional<PathSpread> GetSpread() const override
    {
        return m_settings.parts.FindSpread();
    }

    void Watch(const GraphRunner& runner, const Failures& failures) override
    {
        m_runner = &runner;
        m_watchdog = std::make_unique<WatchdogT>(m_engine, m_settings.watchdog, runner, failures);
        if (m_settings.record->WantsExplanation())
        {
            m_phases = std::make_unique<PhaseRecorderT>(m_engine);
        }
    }

    PathSegmentRecorder& WatchSegments(const ClusterSpeeds& speeds) override
    {
        m_phases.reset();
        m_segments = std::make_unique<SegmentRecorderT>(m_engine, speeds);
        return *m_segments;
    }

    void OnPhase(bool starts) override
    {
        if (m_phases)
        {
            starts ? m_phases->StartPhase() : m_phases->EndPhase();
        }
    }

    void OnFailures(bool /* converged */) override
    {
        if (m_phases)
        {
            m_phases->NoteCables();
        }
        if (m_segments)
        {
            m_segments->NoteCables();
        }
    }

    std::string DescribeStuck() const override
    {
        const std::string& verdict = m_watchdog->GetVerdict();
        return (verdict.empty() ? "the simulation ran out of events" : verdict) + "\n" +
               m_watchdog->DescribeStuck();
    }

  protected:
    RecordedRun(const RunSettings& settings, Ptr<EngineT> engine)
        : m_settings(settings),
          m_engine(engine)
    {
    }

    const RunSettings& m_settings;
    Ptr<EngineT> m_engine;
    const GraphRunner* m_runner{nullptr};
    std::unique_ptr<WatchdogT> m_watchdog;
    std::unique_ptr<PhaseRecorderT> m_phases;
    std::unique_ptr<SegmentRecorderT> m_segments;
};

} // namespace ns3::rails

#endif // RECORDED_RUN_H
