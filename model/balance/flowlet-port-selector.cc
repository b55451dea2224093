// SPDX-License-Identifier: GPL-2.0-only
#include "flowlet-port-selector.h"

#include "ns3/enum.h"
#include "ns3/rails-about.h"
#include "ns3/rails-error.h"
#include "ns3/rails-switch.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(FlowletPortSelector);

namespace
{

// Multiplies by odd constants and takes the high bits (Dietzfelbinger et al., 1997): neighbouring
// NICs and entropies are far apart in the table.
uint32_t
Hash(const Frame& frame)
{
    const uint64_t nics = uint64_t{frame.sourceNic} << 32 | frame.destinationNic;
    const uint64_t x = nics * 0x9e3779b97f4a7c15ULL;
    return static_cast<uint32_t>(((x ^ x >> 32) + frame.entropy) * 0xd6e8feb86659fd93ULL >> 32);
}

} // namespace

TypeId
FlowletPortSelector::GetTypeId()
{
    // EnumValue is a template in newer releases of ns-3 only.
    using ChoiceValue = decltype(EnumValue(RANDOM));

    static TypeId tid =
        AddAbout(TypeId("ns3::rails::FlowletPortSelector").SetParent<PortSelector>(),
                 "Frames of a flow keep their port until there is a pause between two of "
                 "them; then a port is chosen anew. (Vanini et al., NSDI'17)")
            .SetGroupName("Rails")
            .AddConstructor<FlowletPortSelector>()
            .AddAttribute("Gap",
                          "Longest pause inside a flowlet. (50 us: class default of LetFlow in "
                          "snowzjx/ns3-load-balance; 100 us in conweave-project/conweave-ns3; 10 "
                          "us in the public simulator of arXiv 2507.21372)",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&FlowletPortSelector::m_gap),
                          MakeTimeRange())
            .AddAttribute("Choice",
                          "How the port of a new flowlet is found: by lot, or the one with the "
                          "shortest queue. (random: LetFlow, NSDI'17)",
                          EnumValue(RANDOM),
                          MakeAccessorHelper<ChoiceValue>(&FlowletPortSelector::m_choice),
                          MakeEnumChecker(RANDOM, "random", LEAST_LOADED, "least-loaded"))
            .AddAttribute("Entries",
                          "Entries of the flowlet table of a switch, a power of two; flows that "
                          "share one are taken for one. (our choice)",
                          UintegerValue(16384),
                          MakeUintegerAccessor(&FlowletPortSelector::m_entries),
                          MakeCountRange<uint32_t>(1, 1U << 24));
    return tid;
}

void
FlowletPortSelector::Check(const FabricTraits& /* fabric */) const
{
    if ((m_entries & (m_entries - 1)) != 0)
    {
        uint32_t higher = 1;
        while (higher < m_entries)
        {
            higher *= 2;
        }
        throw ConfigurationError("entries",
                                 "must be a power of two: set it to " + std::to_string(higher / 2) +
                                     " or " + std::to_string(higher));
    }
}

Ptr<PortSelector>
FlowletPortSelector::Fork() const
{
    Ptr<FlowletPortSelector> fork =
        CopyObject<FlowletPortSelector>(Ptr<const FlowletPortSelector>(this));
    fork->m_lifetime = m_gap.GetPicoSeconds();
    return fork;
}

uint16_t
FlowletPortSelector::Select(const Switch& at, Frame& frame, const NextHops& hops)
{
    if (m_table.empty())
    {
        m_table.resize(m_entries);
    }
    Flowlet& flowlet = m_table[Hash(frame) & (m_entries - 1)];
    const TimePs now = at.Now();
    if (now > flowlet.until ||
        !std::binary_search(hops.ports.begin(), hops.ports.end(), flowlet.port))
    {
        flowlet.port =
            m_choice == RANDOM ? m_draw.Any(hops.ports) : m_draw.Shortest(at, hops.ports);
    }
    flowlet.until = now + m_lifetime;
    return flowlet.port;
}

int64_t
FlowletPortSelector::AssignStreams(int64_t stream)
{
    return m_draw.AssignStreams(stream);
}

} // namespace ns3::rails
