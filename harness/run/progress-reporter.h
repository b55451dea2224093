// SPDX-License-Identifier: GPL-2.0-only
#ifndef PROGRESS_REPORTER_H
#define PROGRESS_REPORTER_H

#include "rails-progress.h"

#include "ns3/event-id.h"
#include "ns3/graph-runner.h"
#include "ns3/nstime.h"

#include <chrono>
#include <cstdint>
#include <functional>

namespace ns3::rails
{

/// Reports the progress of a run, about ten times a wall-clock second.
class ProgressReporter
{
  public:
    using TimePoint = std::chrono::steady_clock::time_point;

    /**
     * \param runner of the simulation
     * \param callback called at once and then until destruction; possibly none
     * \param clock wall clock
     */
    ProgressReporter(const GraphRunner& runner,
                     ProgressCallback callback,
                     std::function<TimePoint()> clock = std::chrono::steady_clock::now);
    ~ProgressReporter();

    ProgressReporter(const ProgressReporter&) = delete;
    ProgressReporter& operator=(const ProgressReporter&) = delete;

    /// \return events of the simulator for the reports; not reproducible, as they follow the wall
    /// clock
    uint64_t CountEvents() const
    {
        return m_events;
    }

  private:
    void OnEvent();
    void Report();
    RunProgress FindProgress() const;

    const GraphRunner& m_runner;
    ProgressCallback m_callback;
    std::function<TimePoint()> m_clock;
    uint64_t m_totalBytes;
    EventId m_event;
    Time m_interval{MicroSeconds(1)};
    TimePoint m_reportedAt;
    uint64_t m_events{0};
};

} // namespace ns3::rails

#endif // PROGRESS_REPORTER_H
