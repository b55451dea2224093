// SPDX-License-Identifier: GPL-2.0-only
#include "round-robin-port-selector.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/rails-about.h"
#include "ns3/rails-switch.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(RoundRobinPortSelector);

TypeId
RoundRobinPortSelector::GetTypeId()
{
    // EnumValue is a template in newer releases of ns-3 only.
    using OrderValue = decltype(EnumValue(GROUP));

    static TypeId tid =
        AddAbout(TypeId("ns3::rails::RoundRobinPortSelector").SetParent<PortSelector>(),
                 "Frames take the ports in turn. (Switch Pkt and Simple RR of arXiv "
                 "2507.21372)")
            .SetGroupName("Rails")
            .AddConstructor<RoundRobinPortSelector>()
            .AddAttribute("Reshuffle",
                          "How often a list of ports is gone through before it is shuffled; 0 for "
                          "never (Simple RR). (arXiv 2507.21372, table 2)",
                          UintegerValue(5),
                          MakeUintegerAccessor(&RoundRobinPortSelector::m_reshuffle),
                          MakeCountRange<uint32_t>())
            .AddAttribute("OwnAckCounter",
                          "Whether ACKs, NAKs and CNPs have a counter and lists of their own "
                          "instead of sharing those of data. (false: public simulator of arXiv "
                          "2507.21372; the paper does not say it for Simple RR)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RoundRobinPortSelector::m_ownAckCounter),
                          MakeBooleanChecker())
            .AddAttribute("Order",
                          "Which destinations share a list of ports at a switch without NICs: "
                          "'group', those that the same ports lead to; 'nic', none. (nic: public "
                          "simulator of arXiv 2507.21372)",
                          EnumValue(GROUP),
                          MakeAccessorHelper<OrderValue>(&RoundRobinPortSelector::m_order),
                          MakeEnumChecker(GROUP, "group", NIC, "nic"));
    return tid;
}

Ptr<PortSelector>
RoundRobinPortSelector::Fork() const
{
    return CopyObject<RoundRobinPortSelector>(Ptr<const RoundRobinPortSelector>(this));
}

// Keeps the order of the ports that stay; new ones come last, in an order by lot.
void
RoundRobinPortSelector::UpdateEdgeList(Ports& list, const Switch& at)
{
    std::vector<bool> isMissing(at.GetPorts().size());
    for (uint32_t edge = 0; edge < at.GetRegions().size(); ++edge)
    {
        const Ports& ports = at.GetNextHops(edge).ports;
        for (const uint16_t port : ports)
        {
            isMissing[port] = isMissing[port] || ports.size() > 1;
        }
    }
    const auto isGone = [&](uint16_t port) { return !isMissing[port]; };
    list.erase(std::remove_if(list.begin(), list.end(), isGone), list.end());
    for (const uint16_t port : list)
    {
        isMissing[port] = false;
    }
    const std::size_t kept = list.size();
    for (uint16_t port = 0; port < isMissing.size(); ++port)
    {
        if (isMissing[port])
        {
            list.push_back(port);
        }
    }
    m_draw.Shuffle(list, kept);
}

RoundRobinPortSelector::Ports&
RoundRobinPortSelector::GetList(Rotation& rotation,
                                const Switch& at,
                                const Frame& frame,
                                const NextHops& hops)
{
    const bool isEdge = at.HasNics();
    uint32_t index = 0;
    if (!isEdge)
    {
        index = m_order == NIC ? frame.destinationNic : m_groups.Find(frame.destination.edge, hops);
    }
    if (index >= rotation.lists.size())
    {
        rotation.lists.resize(index + 1);
    }
    Ports& list = rotation.lists[index];
    if (list.empty())
    {
        if (isEdge)
        {
            UpdateEdgeList(list, at);
        }
        else
        {
            list = hops.ports;
            m_draw.Shuffle(list);
        }
    }
    return list;
}

uint16_t
RoundRobinPortSelector::Select(const Switch& at, Frame& frame, const NextHops& hops)
{
    Rotation& rotation = m_rotations[m_ownAckCounter && frame.kind != FrameKind::Data ? 1 : 0];
    Ports& list = GetList(rotation, at, frame, hops);
    const std::size_t ports = list.size();
    if (m_reshuffle != 0 && rotation.counter >= m_reshuffle * ports)
    {
        rotation.counter = 0;
        m_draw.Shuffle(list);
    }
    if (ports == hops.ports.size())
    {
        return list[rotation.counter++ % ports];
    }
    for (std::size_t passed = 0; passed < ports; ++passed)
    {
        const uint16_t port = list[rotation.counter++ % ports];
        if (std::binary_search(hops.ports.begin(), hops.ports.end(), port))
        {
            return port;
        }
    }
    NS_ABORT_MSG("next hops of " << at.GetName() << " that it was not told of");
}

bool
RoundRobinPortSelector::ScattersFrames() const
{
    return true;
}

PathSpread
RoundRobinPortSelector::GetSpread() const
{
    return PathSpread::Even;
}

void
RoundRobinPortSelector::OnRoutesChanged(const Switch& at)
{
    m_groups.OnRoutesChanged();
    for (Rotation& rotation : m_rotations)
    {
        if (at.HasNics() && !rotation.lists.empty())
        {
            UpdateEdgeList(rotation.lists.front(), at);
        }
        else if (m_order == NIC)
        {
            rotation.lists.clear();
        }
    }
}

int64_t
RoundRobinPortSelector::AssignStreams(int64_t stream)
{
    return m_draw.AssignStreams(stream);
}

} // namespace ns3::rails
