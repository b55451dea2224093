// SPDX-License-Identifier: GPL-2.0-only
#include "rails-sweep-progress.h"

#include <algorithm>
#include <iostream>

namespace ns3::rails
{

namespace
{

std::string
FormatBar(std::size_t part, std::size_t whole)
{
    constexpr std::size_t width = 20;
    const std::size_t full = whole == 0 ? width : width * std::min(part, whole) / whole;
    return "[" + std::string(full, '#') + std::string(width - full, '-') + "]";
}

} // namespace

std::string
FormatSweepStatus(const SweepStatus& status)
{
    const std::size_t ended = status.done + status.failed + status.cached;
    std::string text = FormatBar(ended, status.total) + " " +
                       std::to_string(status.done + status.cached) + " of " +
                       std::to_string(status.total) + " done";
    if (status.cached > 0)
    {
        text += " (" + std::to_string(status.cached) + " cached)";
    }
    if (status.failed > 0)
    {
        text += ", " + std::to_string(status.failed) + " failed";
    }
    text += ", " + std::to_string(status.running) + " running";
    if (status.secondsToGo >= 0)
    {
        text += ", about " + FormatDuration(status.secondsToGo) + " to go";
    }
    constexpr double slow = 5;
    if (!status.slowest.empty() && status.slowestSeconds > slow)
    {
        text += "; " + FormatDuration(status.slowestSeconds) + " in " + status.slowest;
    }
    return text;
}

void
SweepProgress::Show(const std::function<SweepStatus()>& getStatus)
{
    constexpr std::chrono::seconds interval(10);
    if (m_line.IsShown())
    {
        m_line.Show([&] { return FormatSweepStatus(getStatus()); });
    }
    else if (std::chrono::steady_clock::now() - m_told >= interval)
    {
        m_told = std::chrono::steady_clock::now();
        std::cerr << "rails: " << FormatSweepStatus(getStatus()) << std::endl;
    }
}

void
SweepProgress::Clear()
{
    m_line.Clear();
}

std::chrono::milliseconds
SweepProgress::GetInterval() const
{
    return std::chrono::milliseconds(m_line.IsShown() ? 200 : 1000);
}

} // namespace ns3::rails
