// SPDX-License-Identifier: GPL-2.0-only
#include "nvswitch-intra-topology.h"

#include "nvlink-laying.h"
#include "pcie-laying.h"

#include "ns3/boolean.h"
#include "ns3/component-documentation.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(NvswitchIntraTopology);

TypeId
NvswitchIntraTopology::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::NvswitchIntraTopology").SetParent<IntraTopology>(),
            "Every GPU reaches every other by NVLink. What it has for a NIC that is not near "
            "it goes by NVLink to a GPU that is. (the way of PXN in NCCL 2.12)")
            .SetGroupName("Rails")
            .AddConstructor<NvswitchIntraTopology>()
            .AddAttribute("PcieRate",
                          "Rate of a GPU's or a NIC's PCIe port, each direction, of payload; with "
                          "0bps PCIe is never in the way of a GPU and a NIC near it.",
                          DataRateValue(DataRate(uint64_t{0})),
                          MakeDataRateAccessor(&NvswitchIntraTopology::m_pcieRate),
                          MakeRateRange())
            .AddAttribute("PoolsNics",
                          "Whether every GPU reaches every NIC without crossing NVLink: servers as "
                          "the public simulator of MixNet has them, and nobody else. (MixNet, "
                          "arXiv 2501.03905)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&NvswitchIntraTopology::m_poolsNics),
                          MakeBooleanChecker());
    return tid;
}

void
NvswitchIntraTopology::Check(const ServerLayout&) const
{
    if (m_poolsNics && m_pcieRate.GetBitRate() > 0)
    {
        throw ConfigurationError("pools_nics",
                                 "NICs that all GPUs share cross nothing, and with pcie_rate those "
                                 "near a GPU would: set it to 0bps");
    }
}

std::shared_ptr<const ServerInterior>
NvswitchIntraTopology::Lay(const ServerLayout& layout, const NvlinkPorts& nvlink) const
{
    auto interior = std::make_shared<ServerInterior>(layout, nvlink.segmentBytes);
    const uint32_t gpus = layout.GetGpus();
    NvlinkLaying nvlinks(*interior, nvlink);
    for (uint32_t from = 0; from < gpus; ++from)
    {
        for (uint32_t to = 0; to < gpus; ++to)
        {
            if (from != to)
            {
                nvlinks.Join(from, to);
            }
        }
    }
    std::optional<PcieLaying> pcie;
    if (m_pcieRate.GetBitRate() > 0)
    {
        PcieTree tree;
        tree.portBps = m_pcieRate.GetBitRate();
        tree.uplinkBps = tree.portBps;
        tree.latency = GetPcieLatency();
        pcie.emplace(*interior, tree);
    }
    for (uint32_t rail = 0; rail < layout.GetNics(); ++rail)
    {
        const uint32_t nic = interior->GetNicEnd(rail);
        const std::vector<uint16_t>& near = layout.GetNearGpus(rail);
        for (const uint16_t gpu : near)
        {
            if (pcie)
            {
                pcie->Join(gpu, nic);
                pcie->Join(nic, gpu);
            }
        }
        for (uint32_t gpu = 0; gpu < gpus; ++gpu)
        {
            if (m_poolsNics || std::find(near.begin(), near.end(), gpu) != near.end())
            {
                continue;
            }
            const uint32_t relay = near[gpu % near.size()];
            interior->SetWay(gpu, nic, interior->GetFirstHop(gpu, relay));
            interior->SetWay(nic,
                             gpu,
                             interior->GetFirstHop(pcie ? nic : relay, pcie ? relay : gpu));
        }
    }
    return interior;
}

} // namespace ns3::rails
