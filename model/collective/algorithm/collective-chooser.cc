// SPDX-License-Identifier: GPL-2.0-only
#include "collective-chooser.h"

#include "collective-estimate.h"

namespace ns3::rails
{

CollectiveChoice
CollectiveChooser::Choose(const CollectiveGroups& groups,
                          GroupCollective::Operation operation,
                          uint64_t bytes,
                          const CollectiveChoice& asked)
{
    const ClusterShape& shape = groups.GetShape();
    const auto [known, isNew] = m_known.try_emplace(
        {operation, bytes, asked, {shape.gpusPerServer, shape.nicsPerServer}, groups.GetGroups()});
    if (isNew)
    {
        known->second = ChooseCollective(groups, operation, bytes, asked);
    }
    return known->second;
}

} // namespace ns3::rails
