// SPDX-License-Identifier: GPL-2.0-only
#include "rails-hop-groups.h"
#include "rails-port-draw.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/component-documentation.h"
#include "ns3/enum.h"
#include "ns3/port-selector.h"
#include "ns3/rails-switch.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"
#include "ns3/word-accessor.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Round robin over the valid ports, frame by frame: Switch Pkt of arXiv 2507.21372, and with
 * `reshuffle: 0` its Simple RR.
 *
 * A switch has one counter, which data and ACKs to all destinations share; it says which port of a
 * list is next. After so many choices that the list was gone through Reshuffle times, the counter
 * starts afresh and the list at hand is shuffled. A switch with NICs has one list, of all ports
 * that lead on to more than one way. Any other has a list for each set of next hops, or for each
 * NIC (Order). Lists begin in an order by lot.
 *
 * Ports of the list that do not lead to the destination are passed over, which counts like a
 * choice; weights are ignored.
 */
class RoundRobinPortSelector : public Forkable<RoundRobinPortSelector, PortSelector>
{
  public:
    /// Which destinations share a list at a switch without NICs.
    enum Order
    {
        GROUP, //!< those that the same ports lead to
        NIC    //!< none: each NIC has its own
    };

    static TypeId GetTypeId();

    RoundRobinPortSelector()
    {
        m_traits.scattersFrames = true;
        m_traits.spread = PathSpread::Even;
    }

    uint16_t Select(const Switch& at, Frame& frame, const NextHops& hops) override;
    void OnRoutesChanged(const Switch& at) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    using Ports = std::vector<uint16_t>;

    /// A counter with the lists that it goes through.
    struct Rotation
    {
        uint64_t counter{0};
        std::vector<Ports> lists; // at an edge switch one, else by group or by NIC
    };

    Ports& GetList(Rotation& rotation, const Switch& at, const Frame& frame, const NextHops& hops);
    void UpdateEdgeList(Ports& list, const Switch& at);

    uint32_t m_reshuffle;
    bool m_ownAckCounter;
    Order m_order;

    PortDraw m_draw;
    HopGroups m_groups;
    std::array<Rotation, 2> m_rotations; // of all frames or of data, of ACKs
};

NS_OBJECT_ENSURE_REGISTERED(RoundRobinPortSelector);

TypeId
RoundRobinPortSelector::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::RoundRobinPortSelector").SetParent<PortSelector>(),
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
                          MakeWordAccessor(&RoundRobinPortSelector::m_order),
                          MakeEnumChecker(GROUP, "group", NIC, "nic"));
    return tid;
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
