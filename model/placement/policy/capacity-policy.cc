// SPDX-License-Identifier: GPL-2.0-only
#include "capacity-policy.h"

#include "ns3/component-documentation.h"
#include "ns3/optional-accessor.h"
#include "ns3/range-checker.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(CapacityPolicy);

TypeId
CapacityPolicy::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::CapacityPolicy").SetParent<LocalPolicy>(),
                         "Every token goes to the home of its expert in its own group of expert "
                         "parallelism, unless the expert takes no more.")
            .SetGroupName("Rails")
            .AddAttribute("CapacityFactor",
                          "Tokens of a GPU that an expert takes at most, over what it would get if "
                          "all experts had as many; more are dropped. By default it takes all. "
                          "(GShard; Tutel, equation 1.)",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<DoubleValue>(&CapacityPolicy::m_capacityFactor),
                          MakeNumberRange(1e-6, 1e6));
    return tid;
}

bool
CapacityPolicy::Pads() const
{
    return GetPadding() != NONE;
}

bool
CapacityPolicy::HasCapacity() const
{
    return m_capacityFactor.has_value();
}

/// \return tokens of a source that an expert takes at most
uint64_t
CapacityPolicy::GetCapacity() const
{
    const double even = GetSetting().GetMeanLoad() / GetSetting().experts;
    // Rounding errors may lift a whole number.
    return static_cast<uint64_t>(std::ceil(*m_capacityFactor * even * (1 - 1e-12)));
}

std::vector<TokenRoute>
CapacityPolicy::Route(const SourceCounts& own) const
{
    const ExpertSetting& setting = GetSetting();
    const uint32_t first = own.GetSource() / setting.expertParallel * setting.expertParallel;
    const uint64_t most = HasCapacity() ? GetCapacity() : std::numeric_limits<uint64_t>::max();
    std::vector<TokenRoute> routes;
    for (uint32_t expert = 0; expert < own.GetExperts(); ++expert)
    {
        const auto tokens = static_cast<uint32_t>(std::min<uint64_t>(own.Get(expert), most));
        if (tokens > 0)
        {
            routes.push_back({own.GetSource(), expert, first + setting.GetHome(expert), tokens});
        }
    }
    return routes;
}

uint64_t
CapacityPolicy::GetLeastRows() const
{
    return GetPadding() == CAPACITY ? GetCapacity() : 0;
}

} // namespace ns3::rails
