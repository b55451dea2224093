// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_SWEEP_PROGRESS_H
#define RAILS_SWEEP_PROGRESS_H

#include "ns3/rails-progress.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

namespace ns3::rails
{

/// Progress of a sweep.
struct SweepStatus
{
    std::size_t total{0};
    std::size_t done{0};   //!< points that ended well in this run of the sweep
    std::size_t failed{0}; //!< points that failed in this run
    std::size_t cached{0}; //!< points that had a result before
    std::size_t running{0};
    double secondsToGo{0};    //!< estimate; negative when unknown
    std::string slowest;      //!< name of the longest-running point
    double slowestSeconds{0}; //!< its duration so far
};

/// \return "[####----] 12 of 40 done, 1 failed, 20 cached, 2 running, about 12 s to go, ..."
std::string FormatSweepStatus(const SweepStatus& status);

/**
 * Shows the progress of a sweep: one overwritten line on a terminal, otherwise a plain line from
 * time to time.
 */
class SweepProgress
{
  public:
    /// Shows a state when the next line is due.
    void Show(const std::function<SweepStatus()>& getStatus);

    /// Removes the line, so that something else can be written.
    void Clear();

    /// \return longest time until the next Show()
    std::chrono::milliseconds GetInterval() const;

  private:
    ProgressLine m_line;
    std::chrono::steady_clock::time_point m_told{std::chrono::steady_clock::now()};
};

} // namespace ns3::rails

#endif // RAILS_SWEEP_PROGRESS_H
