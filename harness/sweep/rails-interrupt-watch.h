// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_INTERRUPT_WATCH_H
#define RAILS_INTERRUPT_WATCH_H

#include <csignal>
#include <functional>
#include <thread>

namespace ns3::rails
{

/// \return the signals by which somebody interrupts this process: SIGINT, SIGTERM, SIGHUP, without
/// those that are ignored, as nohup has it
sigset_t GetInterruptSignals();

/**
 * Waits for somebody who interrupts this process while it is busy with something that never looks.
 * Only one at a time makes sense.
 */
class InterruptWatch
{
  public:
    /// \param clear called in a thread of its own with the signal's name, at most once, when there
    /// is one: the process then ends with status 128 and the signal's number
    explicit InterruptWatch(std::function<void(const char*)> clear);

    /// Signals act as before from here on.
    ~InterruptWatch();

    InterruptWatch(const InterruptWatch&) = delete;
    InterruptWatch& operator=(const InterruptWatch&) = delete;

  private:
    void Wait() const;

    std::function<void(const char*)> m_clear;
    sigset_t m_former{};
    int m_signals{-1};    //!< a file with the signals that came
    int m_end{-1};        //!< a file that can be read when the watch is over
    std::thread m_thread; //!< none when there are too many open files
};

} // namespace ns3::rails

#endif // RAILS_INTERRUPT_WATCH_H
