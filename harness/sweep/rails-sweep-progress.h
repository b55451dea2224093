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

/// How far a sweep is.
struct SweepStatus
{
    std::size_t total{0};
    std::size_t done{0};   //!< that ended well in this run of the sweep
    std::size_t failed{0}; //!< that did not
    std::size_t cached{0}; //!< that had their result already
    std::size_t running{0};
    double secondsToGo{0};    //!< about; negative when it cannot be told
    std::string slowest;      //!< that has been running longest
    double slowestSeconds{0}; //!< for how long
};

/// \return "[####----] 12 of 40 done, 1 failed, 20 cached, 2 running, about 12 s to go, ..."
std::string FormatSweepStatus(const SweepStatus& status);

/**
 * Shows how far a sweep is: one line that is written over on a terminal, otherwise a plain line now
 * and then.
 */
class SweepProgress
{
  public:
    /// Shows a state, when it is time to.
    void Show(const std::function<SweepStatus()>& getStatus);

    /// Removes the line, so that something else can be written.
    void Clear();

    /// \return how long to wait at most before the next time
    std::chrono::milliseconds GetInterval() const;

  private:
    ProgressLine m_line;
    std::chrono::steady_clock::time_point m_told{std::chrono::steady_clock::now()};
};

} // namespace ns3::rails

#endif // RAILS_SWEEP_PROGRESS_H
