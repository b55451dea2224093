// SPDX-License-Identifier: GPL-2.0-only
#include "rails-interrupt-watch.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include <utility>

namespace ns3::rails
{

sigset_t
GetInterruptSignals()
{
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    {
        struct sigaction action
        {
        };

        sigaction(signal, nullptr, &action);
        if (action.sa_handler != SIG_IGN)
        {
            sigaddset(&signals, signal);
        }
    }
    return signals;
}

InterruptWatch::InterruptWatch(std::function<void(const char*)> clear)
    : m_clear(std::move(clear))
{
    const sigset_t signals = GetInterruptSignals();
    m_signals = signalfd(-1, &signals, SFD_CLOEXEC);
    m_end = eventfd(0, EFD_CLOEXEC);
    if (m_signals >= 0 && m_end >= 0)
    {
        // The thread inherits the blocked signals.
        pthread_sigmask(SIG_BLOCK, &signals, &m_former);
        m_thread = std::thread([this] { Wait(); });
    }
}

InterruptWatch::~InterruptWatch()
{
    if (m_thread.joinable())
    {
        const uint64_t one = 1;
        [[maybe_unused]] const ssize_t written = write(m_end, &one, sizeof(one));
        m_thread.join();
        pthread_sigmask(SIG_SETMASK, &m_former, nullptr);
    }
    close(m_signals);
    close(m_end);
}

void
InterruptWatch::Wait() const
{
    std::array<pollfd, 2> files{pollfd{m_end, POLLIN, 0}, pollfd{m_signals, POLLIN, 0}};
    while (poll(files.data(), files.size(), -1) < 0 && errno == EINTR)
    {
    }
    signalfd_siginfo signal{};
    if (files[0].revents == 0 && read(m_signals, &signal, sizeof(signal)) == sizeof(signal))
    {
        m_clear(strsignal(static_cast<int>(signal.ssi_signo)));
        constexpr int base = 128;
        _exit(base + static_cast<int>(signal.ssi_signo)); // the other thread is at work
    }
}

} // namespace ns3::rails
