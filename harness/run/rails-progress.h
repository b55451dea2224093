// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_PROGRESS_H
#define RAILS_PROGRESS_H

#include "ns3/rails-units.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace ns3::rails
{

/// Progress of a run.
struct RunProgress
{
    TimePs now{0}; //!< simulated time
    uint64_t messagesDone{0};
    uint64_t messagesTotal{0}; //!< 0 when unknown
    double done{0};            //!< estimated fraction of the run, 0 to 1; 0 when unknown
    std::string place;         //!< "iteration 1 of 2, micro-batch 3 of 8"; empty without iterations
    std::string phase;         //!< "bounds", which `done` is about; empty: the simulation
};

/// Called repeatedly during a run, see ProgressReporter; may be empty.
using ProgressCallback = std::function<void(const RunProgress&)>;

/// \return progress of a phase before or after the simulation
/// \param done fraction of the phase; 0: unknown
RunProgress MakePhase(const std::string& phase, double done = 0);

/**
 * A progress line on standard error, which is overwritten and finally removed. When standard error
 * is not a terminal, a run gets a plain line from time to time, and a text is not shown.
 */
class ProgressLine
{
  public:
    /// \param pause between plain lines
    explicit ProgressLine(std::chrono::milliseconds pause = std::chrono::minutes(1));
    ~ProgressLine();

    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// \return true when standard error is a terminal
    bool IsShown() const
    {
        return m_terminal;
    }

    /// Shows the progress of a run, at most five times a second on a terminal.
    void Show(const RunProgress& progress);

    /// Shows a text on a terminal, at most five times a second, cut to its width.
    void Show(const std::function<std::string()>& text);

    /// Removes the line, so that something else can be written.
    void Clear();

  private:
    using Clock = std::chrono::steady_clock;

    bool IsDue(bool isNew = false);
    void Write(std::string text);
    double GetSecondsSince(Clock::time_point begin) const;
    std::string Format(const RunProgress& progress) const;

    bool m_terminal;
    std::chrono::milliseconds m_pause; //!< between plain lines
    std::size_t m_width{0};            //!< width of the present text
    Clock::time_point m_begin{Clock::now()};
    std::optional<Clock::time_point> m_phaseBegin; //!< start of the present phase
    std::string m_phase;                           //!< last shown phase
    Clock::time_point m_shown;
    Clock::time_point m_told{Clock::now()}; //!< time of the last plain line
};

/**
 * \param progress of a run
 * \param elapsedSeconds wall-clock time since the start
 * \param phaseSeconds wall-clock time since the start of the phase, for the estimate of the
 * remaining time
 * \return the text of a progress line
 */
std::string FormatProgress(const RunProgress& progress, double elapsedSeconds, double phaseSeconds);

/// \param done fraction that took `seconds`
/// \return estimated remaining seconds; 0 while the fraction is too small for an estimate
double EstimateRemaining(double done, double seconds);

/// \return a wall-clock duration for people: "0.4 s", "12 s", "3 min 20 s", "2 h 05 min"
std::string FormatDuration(double seconds);

} // namespace ns3::rails

#endif // RAILS_PROGRESS_H
