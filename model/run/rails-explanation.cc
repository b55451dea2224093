// SPDX-License-Identifier: GPL-2.0-only
#include "rails-explanation.h"

#include <algorithm>
#include <iomanip>
#include <sstream>
#include <utility>

namespace ns3::rails
{

Explanation::Shares::Shares(std::string port, const PortStateTimes& recorded)
    : name(std::move(port))
{
    std::copy(recorded.begin(), recorded.end(), times.begin());
}

std::string
Explanation::FormatFactor(double factor)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(factor < 10 ? 2 : 0) << factor;
    return text.str();
}

std::optional<double>
Explanation::GetFactor(std::size_t factor) const
{
    return GetFactor(times, factor);
}

std::optional<double>
Explanation::GetFactor(const Times& times, std::size_t factor)
{
    const bool isGap = factor > 0 && !times[factor] && times[factor - 1];
    const std::optional<TimePs>& before = times[isGap ? factor - 1 : factor];
    const std::optional<TimePs>& after = times[factor + 1];
    if (!before || !after || *before == 0)
    {
        return std::nullopt;
    }
    return static_cast<double>(*after) / static_cast<double>(*before);
}

} // namespace ns3::rails
