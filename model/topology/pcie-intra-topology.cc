// SPDX-License-Identifier: GPL-2.0-only
#include "pcie-intra-topology.h"

#include "ns3/component-documentation.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(PcieIntraTopology);

TypeId
PcieIntraTopology::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::PcieIntraTopology").SetParent<IntraTopology>(),
            "GPUs and NICs below PCIe switches, switches below sockets, and no NVLink.")
            .SetGroupName("Rails")
            .AddConstructor<PcieIntraTopology>()
            .AddAttribute("PcieRate",
                          "Rate of a GPU's or a NIC's PCIe port, each direction, of payload. "
                          "(PCIe 4.0 x16)",
                          DataRateValue(DataRate(252'000'000'000)),
                          MakeDataRateAccessor(&PcieIntraTopology::m_pcieRate),
                          MakeRateRange())
            .AddAttribute("PcieUplinkRate",
                          "Rate of what joins a PCIe switch to its socket, each direction; 0bps "
                          "stands for pcie_rate.",
                          DataRateValue(DataRate(uint64_t{0})),
                          MakeDataRateAccessor(&PcieIntraTopology::m_uplinkRate),
                          MakeRateRange())
            .AddAttribute(
                "PcieSwitches",
                "PCIe switches of a server; GPUs are dealt to them in order, and a NIC is "
                "below that of the first GPU near it.",
                UintegerValue(2),
                MakeUintegerAccessor(&PcieIntraTopology::m_switches),
                MakeCountRange<uint32_t>(1, 1024))
            .AddAttribute("Sockets",
                          "Sockets of a server; PCIe switches are dealt to them in order.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&PcieIntraTopology::m_sockets),
                          MakeCountRange<uint32_t>(1, 16))
            .AddAttribute("SocketRate",
                          "Rate of the link between two sockets, each direction, of payload. (our "
                          "choice: two UPI links of 10.4 GT/s)",
                          DataRateValue(DataRate(332'800'000'000)),
                          MakeDataRateAccessor(&PcieIntraTopology::m_socketRate),
                          MakeRateRange());
    return tid;
}

void
PcieIntraTopology::Check(const ServerLayout& layout) const
{
    if (m_pcieRate.GetBitRate() == 0)
    {
        throw ConfigurationError("pcie_rate", "PCIe needs a rate above zero");
    }
    if (m_socketRate.GetBitRate() == 0 && m_sockets > 1)
    {
        throw ConfigurationError("socket_rate",
                                 "the link between sockets needs a rate above zero; or set sockets "
                                 "to 1");
    }
    if (m_switches > layout.GetGpus())
    {
        throw ConfigurationError(
            "pcie_switches",
            std::to_string(m_switches) + " PCIe switches for " + std::to_string(layout.GetGpus()) +
                " GPUs, so some would have none: set intra.pcie_switches to a smaller "
                "number");
    }
    if (m_sockets > m_switches)
    {
        throw ConfigurationError(
            "sockets",
            std::to_string(m_sockets) + " sockets for " + std::to_string(m_switches) +
                " PCIe switches, so some would have none: set intra.sockets to a "
                "smaller number");
    }
}

PcieTree
PcieIntraTopology::GetTree() const
{
    PcieTree tree;
    tree.portBps = m_pcieRate.GetBitRate();
    tree.uplinkBps = m_uplinkRate.GetBitRate() == 0 ? tree.portBps : m_uplinkRate.GetBitRate();
    tree.socketBps = m_socketRate.GetBitRate();
    tree.switches = m_switches;
    tree.sockets = m_sockets;
    tree.latency = GetPcieLatency();
    return tree;
}

void
PcieIntraTopology::JoinNics(ServerInterior& interior, PcieLaying& pcie)
{
    const ServerLayout& layout = interior.GetLayout();
    for (uint32_t rail = 0; rail < layout.GetNics(); ++rail)
    {
        for (uint32_t gpu = 0; gpu < layout.GetGpus(); ++gpu)
        {
            pcie.Join(gpu, interior.GetNicEnd(rail));
            pcie.Join(interior.GetNicEnd(rail), gpu);
        }
    }
}

std::shared_ptr<const ServerInterior>
PcieIntraTopology::Lay(const ServerLayout& layout, const NvlinkPorts& nvlink) const
{
    auto interior = std::make_shared<ServerInterior>(layout, nvlink.segmentBytes);
    PcieLaying pcie(*interior, GetTree());
    for (uint32_t from = 0; from < layout.GetGpus(); ++from)
    {
        for (uint32_t to = 0; to < layout.GetGpus(); ++to)
        {
            if (from != to)
            {
                pcie.Join(from, to);
            }
        }
    }
    JoinNics(*interior, pcie);
    return interior;
}

} // namespace ns3::rails
