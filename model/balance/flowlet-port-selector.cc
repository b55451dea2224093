// SPDX-License-Identifier: GPL-2.0-only
#include "rails-port-draw.h"

#include "ns3/component-documentation.h"
#include "ns3/enum.h"
#include "ns3/nstime.h"
#include "ns3/port-selector.h"
#include "ns3/rails-error.h"
#include "ns3/rails-switch.h"
#include "ns3/rails-units.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"
#include "ns3/word-accessor.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * Flowlet switching: the frames of a flow keep their port as long as no pause between two of them
 * is longer than Gap; then a port is chosen anew, by lot (Vanini et al., "Let It Flow: Resilient
 * Asymmetric Load Balancing with Flowlet Switching", NSDI'17) or by the shortest queue. Weights are
 * ignored.
 *
 * A flow is what has the same two NICs and entropy, so data and ACKs are two flows. As in hardware
 * the table has a fixed number of entries, found by a hash and without a tag: flows that share an
 * entry are one flow to the switch. A port that does not lead to the destination (any more) is
 * chosen anew.
 */
class FlowletPortSelector : public PortSelector
{
  public:
    /// How the port of a new flowlet is found.
    enum Choice
    {
        RANDOM,      //!< by lot
        LEAST_LOADED //!< the shortest queue
    };

    static TypeId GetTypeId();

    void Check(const FabricTraits& fabric) const override;
    Ptr<PortSelector> Fork() const override;
    uint16_t Select(const Switch& at, Frame& frame, const NextHops& hops) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    struct Flowlet
    {
        TimePs until{-1}; // when the flowlet ends, unless a frame comes first
        uint16_t port{0};
    };

    Time m_gap;
    Choice m_choice;
    uint32_t m_entries;

    PortDraw m_draw;
    TimePs m_lifetime{0};
    std::vector<Flowlet> m_table; // made for the first frame
};

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
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::FlowletPortSelector").SetParent<PortSelector>(),
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
                          MakeWordAccessor(&FlowletPortSelector::m_choice),
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
