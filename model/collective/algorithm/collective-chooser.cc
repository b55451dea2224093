// SPDX-License-Identifier: GPL-2.0-only
#include "collective-chooser.h"

#include "collective-estimate.h"

namespace ns3::rails
{

CollectiveChoice
CollectiveChooser::Choose(const CollectiveGroups& groups,
                          CollectiveOperation operation,
                          uint64_t bytes,
                          const CollectiveChoice& asked,
                          bool hasTrees)
{
    const ClusterShape& shape = groups.GetShape();
    const std::shared_ptr<const FabricPaths>& ways = groups.GetRates().ways;
    const auto [known, isNew] = m_known.try_emplace({operation,
                                                     bytes,
                                                     {asked, hasTrees},
                                                     ways ? ways->GetVariant() : 0,
                                                     {shape.gpusPerServer, shape.nicsPerServer},
                                                     groups.GetGroups()});
    if (isNew)
    {
        known->second = ChooseCollective(groups, operation, bytes, asked, hasTrees);
    }
    return known->second;
}

std::shared_ptr<const FabricPaths>
CollectiveChooser::Share(std::shared_ptr<const FabricPaths> ways)
{
    return m_ways.try_emplace(ways->GetVariant(), ways).first->second;
}

} // namespace ns3::rails
