// SPDX-License-Identifier: GPL-2.0-only
#include "server-interior.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::rails
{

ServerInterior::ServerInterior(ServerLayout layout, uint64_t segmentBytes)
    : m_layout(std::move(layout)),
      m_segmentBytes(segmentBytes),
      m_gpus(m_layout.GetGpus()),
      m_ends(m_gpus + m_layout.GetNics()),
      m_firstHops(std::size_t{m_ends} * m_ends, kNone)
{
}

uint32_t
ServerInterior::AddLink(const Link& link)
{
    m_links.push_back(link);
    return static_cast<uint32_t>(m_links.size() - 1);
}

uint32_t
ServerInterior::AddHop(uint32_t from, uint32_t to, std::vector<uint32_t> links, TimePs latency)
{
    const auto number = static_cast<uint32_t>(m_hops.size());
    m_hops.push_back({to, std::move(links), latency});
    SetWay(from, to, number);
    return number;
}

void
ServerInterior::SetWay(uint32_t from, uint32_t to, uint32_t hop)
{
    m_firstHops[from * m_ends + to] = hop;
}

std::string
ServerInterior::GetLinkName(uint32_t number, uint32_t server) const
{
    const Link& link = m_links[number];
    return link.gpu == kNone ? link.name + " in server " + std::to_string(server)
                             : link.name + " of GPU " + std::to_string(server * m_gpus + link.gpu) +
                                   (link.sends ? " (sending)" : " (receiving)");
}

uint32_t
ServerInterior::GetHopCount() const
{
    return static_cast<uint32_t>(m_hops.size());
}

const ServerInterior::Hop&
ServerInterior::GetHop(uint32_t number) const
{
    return m_hops[number];
}

std::vector<uint32_t>
ServerInterior::GetWay(uint32_t from, uint32_t to) const
{
    std::vector<uint32_t> way;
    for (uint32_t at = from; at != to && GetFirstHop(at, to) != kNone; at = m_hops[way.back()].to)
    {
        way.push_back(GetFirstHop(at, to));
    }
    return way;
}

bool
ServerInterior::HasPcie() const
{
    return std::any_of(m_links.begin(), m_links.end(), [](const Link& link) {
        return link.kind == LinkKind::Pcie;
    });
}

TimePs
ServerInterior::GetLeastLatency() const
{
    TimePs least = std::numeric_limits<TimePs>::max();
    for (const Hop& hop : m_hops)
    {
        least = hop.to < m_gpus ? std::min(least, hop.latency) : least;
    }
    return least == std::numeric_limits<TimePs>::max() ? 0 : least;
}

} // namespace ns3::rails
