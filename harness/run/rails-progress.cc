// SPDX-License-Identifier: GPL-2.0-only
#include "rails-progress.h"

#include "ns3/printable-text.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <sys/ioctl.h>
#include <unistd.h>

namespace ns3::rails
{

namespace
{

/// \return columns of the terminal that standard error goes to
std::size_t
GetTerminalWidth()
{
    constexpr std::size_t usual = 80;
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : usual;
}

/// Writes to the terminal what standard error would escape.
void
WriteOver(const std::string& text)
{
    std::cerr << std::flush;
    for (std::size_t written = 0; written < text.size();)
    {
        const ssize_t bytes = write(STDERR_FILENO, text.data() + written, text.size() - written);
        if (bytes < 0 && errno != EINTR)
        {
            return;
        }
        written += static_cast<std::size_t>(std::max<ssize_t>(bytes, 0));
    }
}

} // namespace

ProgressLine::ProgressLine(std::chrono::milliseconds pause)
    : m_terminal(isatty(STDERR_FILENO) == 1),
      m_pause(pause)
{
}

ProgressLine::~ProgressLine()
{
    Clear();
}

void
ProgressLine::Show(const RunProgress& progress)
{
    const bool isNew = progress.phase != m_phase;
    m_phase = progress.phase;
    if (isNew || !m_phaseBegin || progress.done == 0)
    {
        m_phaseBegin = Clock::now(); // another pass begins at 0 again
    }
    if (IsDue(isNew))
    {
        Write(Format(progress));
    }
    if (!m_terminal && Clock::now() - m_told >= m_pause)
    {
        m_told = Clock::now();
        std::cerr << "rails: " << Format(progress) << std::endl;
    }
}

void
ProgressLine::Show(const std::function<std::string()>& text)
{
    if (IsDue())
    {
        Write(text());
    }
}

void
ProgressLine::Clear()
{
    if (m_width > 0)
    {
        WriteOver('\r' + std::string(m_width, ' ') + '\r');
        m_width = 0;
    }
}

/// \return true when it is time to show something new. \param isNew whatever was shown when
bool
ProgressLine::IsDue(bool isNew)
{
    constexpr std::chrono::milliseconds pause(200);
    const Clock::time_point now = Clock::now();
    if (!m_terminal || (!isNew && now - m_shown < pause))
    {
        return false;
    }
    m_shown = now;
    return true;
}

void
ProgressLine::Write(std::string text)
{
    text.resize(std::min(text.size(), GetTerminalWidth() - 1));
    const std::size_t blank = text.size() < m_width ? m_width - text.size() : 0;
    WriteOver('\r' + MakeOneLine(text) + std::string(blank, ' '));
    m_width = text.size();
}

double
ProgressLine::GetSecondsSince(Clock::time_point begin) const
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::string
ProgressLine::Format(const RunProgress& progress) const
{
    return FormatProgress(progress, GetSecondsSince(m_begin), GetSecondsSince(*m_phaseBegin));
}

// What matters most comes first: a narrow terminal cuts off the rest.
std::string
FormatProgress(const RunProgress& progress, double elapsedSeconds, double phaseSeconds)
{
    std::ostringstream text;
    const bool isSimulated = progress.phase.empty();
    const std::string& place = isSimulated ? progress.place : progress.phase;
    text << place << (place.empty() ? "" : ", ");
    if (progress.done > 0)
    {
        text << std::lround(100 * progress.done) << " %, ";
    }
    text << FormatDuration(elapsedSeconds);
    if (const double seconds = EstimateRemaining(progress.done, phaseSeconds); seconds > 0)
    {
        text << ", about " << FormatDuration(seconds) << " to go";
    }
    if (!isSimulated)
    {
        return text.str();
    }
    text << ", simulated " << std::fixed << std::setprecision(3)
         << static_cast<double>(progress.now) / 1e9 << " ms, " << progress.messagesDone;
    if (progress.messagesTotal > 0)
    {
        text << " of " << progress.messagesTotal;
    }
    text << " messages";
    return text.str();
}

RunProgress
MakePhase(const std::string& phase, double done)
{
    RunProgress progress;
    progress.phase = phase;
    progress.done = done;
    return progress;
}

double
EstimateRemaining(double done, double seconds)
{
    constexpr double enough = 0.005;
    return done < enough || done >= 1 ? 0 : seconds * (1 - done) / done;
}

std::string
FormatDuration(double seconds)
{
    constexpr double longest = 1e9; // seconds, the longest duration in texts
    seconds = std::clamp(seconds, 0.0, longest);
    std::ostringstream text;
    const auto whole = static_cast<long>(std::lround(seconds));
    if (seconds < 9.95)
    {
        text << std::fixed << std::setprecision(1) << seconds << " s";
    }
    else if (whole < 60)
    {
        text << whole << " s";
    }
    else if (whole < 3600)
    {
        text << whole / 60 << " min " << std::setw(2) << std::setfill('0') << whole % 60 << " s";
    }
    else
    {
        text << whole / 3600 << " h " << std::setw(2) << std::setfill('0') << whole / 60 % 60
             << " min";
    }
    return text.str();
}

} // namespace ns3::rails
