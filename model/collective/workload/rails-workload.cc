// SPDX-License-Identifier: GPL-2.0-only
#include "rails-workload.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(Workload);

TypeId
Workload::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rails::Workload").SetParent<Object>().SetGroupName("Rails");
    return tid;
}

void
Workload::SetRates(const ClusterRates&)
{
}

double
Workload::EstimateMessages(const ClusterShape& shape) const
{
    return shape.GetGpus();
}

int64_t
Workload::AssignStreams(int64_t)
{
    return 0;
}

} // namespace ns3::rails
