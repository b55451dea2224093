// SPDX-License-Identifier: GPL-2.0-only
#include "matrix-source.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(MatrixSource);

TypeId
MatrixSource::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::MatrixSource").SetParent<Object>().SetGroupName("Rails");
    return tid;
}

void
MatrixSource::Check(const ClusterShape&) const
{
}

int64_t
MatrixSource::AssignStreams(int64_t)
{
    return 0;
}

} // namespace ns3::rails
