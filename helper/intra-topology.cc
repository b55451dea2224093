// SPDX-License-Identifier: GPL-2.0-only
#include "intra-topology.h"

#include "ns3/range-checker.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(IntraTopology);

TypeId
IntraTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::IntraTopology")
            .SetParent<Object>()
            .SetGroupName("Rails")
            .AddAttribute("PcieLatency",
                          "Latency of a crossing of PCIe, from port to port. (our choice)",
                          TimeValue(NanoSeconds(500)),
                          MakeTimeAccessor(&IntraTopology::m_pcieLatency),
                          MakeTimeRange());
    return tid;
}

TimePs
IntraTopology::GetPcieLatency() const
{
    return m_pcieLatency.GetPicoSeconds();
}

} // namespace ns3::rails
