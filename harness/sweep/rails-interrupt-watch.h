// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_INTERRUPT_WATCH_H
#define RAILS_INTERRUPT_WATCH_H

#include <csignal>
#include <functional>
#include <thread>

namespace ns3::rails
{

/// \return the signals that interrupt this process: SIGINT, SIGTERM, SIGHUP, without ignored ones
/// (nohup)
sigset_t GetInterruptSignals();

/**
 * Handles an interrupt while this process is busy with work that never checks for one. Use at most
 * one at a time.
 */
class InterruptWatch
{
  public:
    /// \param clear called with the signal's name in another thread, at most once. The process then
    /// ends with status 128 plus the signal's number.
    explicit InterruptWatch(std::function<void(const char*)> clear);

    /// Restores the former handling of signals.
    ~InterruptWatch();

    InterruptWatch(const InterruptWatch&) = delete;
    InterruptWatch& operator=(const InterruptWatch&) = delete;

  private:
    void Wait() const;

    std::function<void(const char*)> m_clear;
    sigset_t m_former{};
    int m_signals{-1};    //!< a file descriptor to read signals from
    int m_end{-1};        //!< a file descriptor that becomes readable at the end of the watch
    std::thread m_thread; //!< none when there are too many open files
};

} // namespace ns3::rails

#endif // RAILS_INTERRUPT_WATCH_H
