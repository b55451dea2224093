// SPDX-License-Identifier: GPL-2.0-only
#include "pairs-intra-topology.h"

#include "nvlink-laying.h"

#include "ns3/component-documentation.h"
#include "ns3/rails-error.h"

#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(PairsIntraTopology);

TypeId
PairsIntraTopology::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::PairsIntraTopology").SetParent<PcieIntraTopology>(),
            "NVLink joins GPUs in pairs (0 and 1, 2 and 3, ...); all else in a server crosses "
            "PCIe.")
            .SetGroupName("Rails")
            .AddConstructor<PairsIntraTopology>();
    return tid;
}

void
PairsIntraTopology::Check(const ServerLayout& layout) const
{
    if (layout.GetGpus() % 2 != 0)
    {
        throw ConfigurationError("type",
                                 std::to_string(layout.GetGpus()) +
                                     " GPUs are no pairs: set gpus_per_domain to an even number");
    }
    PcieIntraTopology::Check(layout);
}

std::shared_ptr<const ServerInterior>
PairsIntraTopology::Lay(const ServerLayout& layout, const NvlinkPorts& nvlink) const
{
    auto interior = std::make_shared<ServerInterior>(layout, nvlink.segmentBytes);
    NvlinkLaying nvlinks(*interior, nvlink);
    PcieLaying pcie(*interior, GetTree());
    for (uint32_t from = 0; from < layout.GetGpus(); ++from)
    {
        for (uint32_t to = 0; to < layout.GetGpus(); ++to)
        {
            if (from != to)
            {
                from / 2 == to / 2 ? nvlinks.Join(from, to) : pcie.Join(from, to);
            }
        }
    }
    JoinNics(*interior, pcie);
    return interior;
}

} // namespace ns3::rails
