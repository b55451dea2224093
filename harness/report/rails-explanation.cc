// SPDX-License-Identifier: GPL-2.0-only
#include "rails-explanation.h"

#include <algorithm>
#include <utility>

namespace ns3::rails
{

Explanation::Shares::Shares(std::string port, const PortStateTimes& recorded)
    : name(std::move(port))
{
    std::copy(recorded.begin(), recorded.end(), times.begin());
}

std::optional<double>
Explanation::GetFactor(std::size_t factor) const
{
    const std::optional<TimePs>& before = times[factor];
    const std::optional<TimePs>& after = times[factor + 1];
    if (!before || !after || *before == 0)
    {
        return std::nullopt;
    }
    return static_cast<double>(*after) / static_cast<double>(*before);
}

} // namespace ns3::rails
