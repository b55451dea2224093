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

/// How far a run is.
struct RunProgress
{
    TimePs now{0}; //!< simulated time
    uint64_t messagesDone{0};
    uint64_t messagesTotal{0}; //!< 0 when it is not known
    double done{0};            //!< part of all that is done, about; 0 when it is not known
    std::string place; //!< "iteration 1 of 2, micro-batch 3 of 8"; empty where there are no such
    std::string phase; //!< "bounds", of which a part is done; empty: the simulation
};

/// Called by a run every few thousand events; may be empty.
using ProgressCallback = std::function<void(const RunProgress&)>;

/// \return of what goes on before or behind the simulation. \param done part of it; 0: not known
RunProgress MakePhase(const std::string& phase, double done = 0);

/**
 * One line on standard error that is written over and over, and removed at the end. When standard
 * error is not a terminal a run is told of by a plain line now and then, and a text not at all.
 */
class ProgressLine
{
  public:
    /// \param pause from one plain line to the next
    explicit ProgressLine(std::chrono::milliseconds pause = std::chrono::minutes(1));
    ~ProgressLine();

    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// \return true when there is a terminal to show it
    bool IsShown() const;

    /// Shows a run, at most five times a second on a terminal.
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
    std::size_t m_width{0};            //!< of what the line shows now
    Clock::time_point m_begin{Clock::now()};
    std::optional<Clock::time_point> m_phaseBegin; //!< of what is going on
    std::string m_phase;                           //!< that was shown last
    Clock::time_point m_shown;
    Clock::time_point m_told{Clock::now()}; //!< by a plain line
};

/**
 * \param progress how far a run is
 * \param elapsedSeconds since somebody waits
 * \param phaseSeconds of these since the simulation or another phase began, which the time to go
 * is told by
 * \return the text of a progress line
 */
std::string FormatProgress(const RunProgress& progress, double elapsedSeconds, double phaseSeconds);

/// \return seconds to go when a part took so long; 0 while there is too little to judge from
double EstimateRemaining(double done, double seconds);

/// \return a duration of the real world for people: "0.4 s", "12 s", "3 min 20 s", "2 h 05 min"
std::string FormatDuration(double seconds);

} // namespace ns3::rails

#endif // RAILS_PROGRESS_H
