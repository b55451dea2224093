// SPDX-License-Identifier: GPL-2.0-only
#include "rails-explanation.h"

namespace ns3::rails
{

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
