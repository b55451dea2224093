// SPDX-License-Identifier: GPL-2.0-only
#include "pcie-laying.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::rails
{

PcieLaying::PcieLaying(ServerInterior& interior, const PcieTree& tree)
    : m_interior(interior),
      m_tree(tree)
{
    const ServerLayout& layout = interior.GetLayout();
    const uint32_t gpus = layout.GetGpus();
    for (uint32_t end = 0; end < interior.GetEnds(); ++end)
    {
        const bool isGpu = end < gpus;
        const uint32_t rail = isGpu ? 0 : end - gpus;
        const uint32_t near = isGpu ? end : layout.GetNearGpus(rail).front();
        m_switchOf.push_back(static_cast<uint32_t>(uint64_t{near} * tree.switches / gpus));
        m_ports.push_back(AddPort(isGpu ? "PCIe port" : "PCIe port of NIC " + std::to_string(rail),
                                  tree.portBps,
                                  isGpu ? end : ServerInterior::kNone));
    }
    for (uint32_t number = 0; number < tree.switches; ++number)
    {
        m_uplinks.push_back(AddPort("uplink of PCIe switch " + std::to_string(number),
                                    tree.uplinkBps,
                                    ServerInterior::kNone));
    }
    for (uint32_t from = 0; from < tree.sockets; ++from)
    {
        for (uint32_t to = 0; to < tree.sockets; ++to)
        {
            m_toSockets.push_back(
                from == to ? ServerInterior::kNone
                           : interior.AddLink({ServerInterior::LinkKind::Pcie,
                                               "link from socket " + std::to_string(from) +
                                                   " to socket " + std::to_string(to),
                                               tree.socketBps,
                                               ServerInterior::kNone,
                                               true}));
        }
    }
}

PcieLaying::Port
PcieLaying::AddPort(const std::string& name, uint64_t rateBps, uint32_t gpu)
{
    constexpr auto kKind = ServerInterior::LinkKind::Pcie;
    const bool isGpu = gpu != ServerInterior::kNone;
    const auto add = [&](bool sends) {
        const std::string direction = isGpu ? "" : sends ? " (sending)" : " (receiving)";
        return m_interior.AddLink({kKind, name + direction, rateBps, gpu, sends});
    };
    const uint32_t out = add(true); // before the receiving direction: see ServerInterior::AddLink()
    return {out, add(false)};
}

uint32_t
PcieLaying::GetSocket(uint32_t number) const
{
    return static_cast<uint32_t>(uint64_t{number} * m_tree.sockets / m_tree.switches);
}

uint32_t
PcieLaying::GetSwitch(uint32_t end) const
{
    return m_switchOf[end];
}

uint32_t
PcieLaying::Join(uint32_t from, uint32_t to)
{
    std::vector<uint32_t> links{m_ports[from].out};
    const uint32_t here = GetSwitch(from);
    const uint32_t there = GetSwitch(to);
    if (here != there)
    {
        const uint32_t socket = GetSocket(here);
        const uint32_t other = GetSocket(there);
        links.push_back(m_uplinks[here].out);
        if (socket != other)
        {
            links.push_back(m_toSockets[socket * m_tree.sockets + other]);
        }
        links.push_back(m_uplinks[there].in);
    }
    links.push_back(m_ports[to].in);
    const bool isRead = to >= m_interior.GetLayout().GetGpus();
    if (isRead)
    {
        std::rotate(links.begin(), links.end() - 1, links.end());
    }
    return m_interior.AddHop(from, to, std::move(links), m_tree.latency);
}

} // namespace ns3::rails
