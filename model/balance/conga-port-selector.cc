// SPDX-License-Identifier: GPL-2.0-only
#include "conga-port-selector.h"

#include "ecmp-port-selector.h"

#include "ns3/component-documentation.h"
#include "ns3/double.h"
#include "ns3/rails-error.h"
#include "ns3/rails-switch.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(CongaPortSelector);

namespace
{

constexpr uint32_t kMostUplinks = 256; // what CongestionTag can tell apart

// Spreads queue pairs over the flowlet table (multiplicative hashing, Knuth).
uint32_t
HashQueuePair(const Frame& frame)
{
    uint64_t x = (uint64_t{frame.sourceNic} << 32 | frame.destinationNic) * 0x9e3779b97f4a7c15ULL;
    x = ((x ^ (x >> 29)) + frame.entropy) * 0xbf58476d1ce4e5b9ULL;
    return static_cast<uint32_t>(x >> 32);
}

} // namespace

TypeId
CongaPortSelector::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::CongaPortSelector").SetParent<PortSelector>(),
                         "CONGA: a leaf sends each flowlet by the uplink whose whole path is "
                         "least loaded. (Alizadeh et al., SIGCOMM'14)")
            .SetGroupName("Rails")
            .AddConstructor<CongaPortSelector>()
            .AddAttribute("Bits",
                          "Bits of a load: a port at its full rate has 2^bits - 1. (Q of CONGA, "
                          "SIGCOMM'14, section 3.6)",
                          UintegerValue(3),
                          MakeUintegerAccessor(&CongaPortSelector::m_bits),
                          MakeCountRange<uint32_t>(1, 8))
            .AddAttribute("Alpha",
                          "Part of its bytes that an estimator loses each decay interval. (alpha "
                          "of CONGA, SIGCOMM'14, section 3.2; value: conweave-ns3)",
                          DoubleValue(0.2),
                          MakeDoubleAccessor(&CongaPortSelector::m_alpha),
                          MakeNumberRange(0.001, 0.999))
            .AddAttribute("DecayInterval",
                          "Time after which an estimator loses a part of its bytes; it forgets a "
                          "rate in interval / alpha. (Tdre of CONGA, SIGCOMM'14, section 3.2; "
                          "value: conweave-ns3)",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&CongaPortSelector::m_decayInterval),
                          MakeTimeRange(kNanosecond))
            .AddAttribute("FlowletGap",
                          "Pause of a queue pair after which its next frame may take another "
                          "uplink. (Tfl of CONGA, SIGCOMM'14, section 3.4; value: conweave-ns3)",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&CongaPortSelector::m_flowletGap),
                          MakeTimeRange())
            .AddAttribute(
                "Aging",
                "Time after which the load of a path counts as 0 when no frame went there "
                "to measure it. (CONGA, SIGCOMM'14, section 3.3; value: conweave-ns3)",
                TimeValue(MicroSeconds(500)),
                MakeTimeAccessor(&CongaPortSelector::m_aging),
                MakeTimeRange())
            .AddAttribute("FlowletEntries",
                          "Entries of a leaf's flowlet table; queue pairs that share one share "
                          "their flowlets. (CONGA, SIGCOMM'14, section 3.4)",
                          UintegerValue(65536),
                          MakeUintegerAccessor(&CongaPortSelector::m_flowletEntries),
                          MakeCountRange<uint32_t>(1, uint32_t{1} << 24));
    return tid;
}

CongaPortSelector::CongaPortSelector()
    : m_hash(CreateObject<EcmpPortSelector>())
{
    m_traits.observes = true;
}

void
CongaPortSelector::Check(const FabricTraits& fabric) const
{
    if (fabric.tiers > 2)
    {
        throw ConfigurationError("",
                                 "conga is defined for leaf-spine fabrics: an uplink of a leaf is "
                                 "one path to another leaf there, and of " +
                                     std::to_string(fabric.tiers) +
                                     " tiers of switches it would be many; use a topology of two "
                                     "tiers, or another balance.switch");
    }
}

Ptr<PortSelector>
CongaPortSelector::Fork() const
{
    const auto fork = CopyObject<CongaPortSelector>(Ptr<const CongaPortSelector>(this));
    fork->m_hash = m_hash->Fork();
    return fork;
}

void
CongaPortSelector::OnRoutesChanged(const Switch& at)
{
    m_estimators.resize(at.GetPorts().size());
    m_uplinks.resize(at.GetPorts().size(), kNone);
    if (!at.HasNics())
    {
        return;
    }
    // Uplinks keep their numbers: frames and tables of other leaves refer to them.
    const std::vector<uint32_t>& regions = at.GetRegions();
    for (uint32_t leaf = 0; leaf < regions.size(); ++leaf)
    {
        for (const uint16_t port : at.GetNextHops(leaf).ports)
        {
            if (m_uplinks[port] == kNone)
            {
                m_uplinks[port] = m_uplinkCount++;
            }
        }
    }
    if (m_uplinkCount > kMostUplinks)
    {
        throw ConfigurationError("balance.switch",
                                 "conga tells " + std::to_string(kMostUplinks) +
                                     " uplinks of a leaf apart, and " + at.GetName() + " has " +
                                     std::to_string(m_uplinkCount));
    }
    m_toLeaf.resize(regions.size());
    m_fromLeaf.resize(regions.size());
}

// What timers would have done meanwhile.
void
CongaPortSelector::Decay(const Switch& at, Estimator& estimator) const
{
    const TimePs now = at.Now();
    const TimePs interval = m_decayInterval.GetPicoSeconds();
    while (estimator.decayAt <= now && estimator.bytes >= 1)
    {
        estimator.bytes *= 1 - m_alpha;
        estimator.decayAt += interval;
    }
    if (estimator.decayAt <= now)
    {
        estimator.bytes = 0;
        estimator.decayAt = (now / interval + 1) * interval;
    }
}

uint8_t
CongaPortSelector::Quantise(const Switch& at, uint16_t port, const Estimator& estimator) const
{
    const double seconds = m_decayInterval.GetSeconds() / m_alpha;
    const double full = static_cast<double>(at.GetPort(port).GetRateBps()) / 8 * seconds;
    const uint32_t levels = uint32_t{1} << m_bits;
    return static_cast<uint8_t>(std::min(estimator.bytes / full * levels, levels - 1.0));
}

uint8_t
CongaPortSelector::GetLoad(const Switch& at, uint16_t port)
{
    Decay(at, m_estimators[port]);
    return Quantise(at, port, m_estimators[port]);
}

uint8_t
CongaPortSelector::GetPathLoad(const Switch& at, uint32_t leaf, uint16_t port) const
{
    const std::vector<PathLoad>& loads = m_toLeaf[leaf];
    const uint16_t uplink = m_uplinks[port];
    const bool isKnown =
        uplink < loads.size() && at.Now() - loads[uplink].at <= m_aging.GetPicoSeconds();
    return isKnown ? loads[uplink].metric : 0;
}

uint16_t
CongaPortSelector::Choose(const Switch& at, uint32_t leaf, const NextHops& hops, uint16_t former)
{
    uint8_t least = std::numeric_limits<uint8_t>::max();
    m_best.clear();
    for (const uint16_t port : hops.ports)
    {
        const uint8_t load = std::max(GetLoad(at, port), GetPathLoad(at, leaf, port));
        if (load < least)
        {
            least = load;
            m_best.clear();
        }
        if (load == least)
        {
            m_best.push_back(port);
        }
    }
    // A queue pair moves only to something better.
    if (std::find(m_best.begin(), m_best.end(), former) != m_best.end())
    {
        return former;
    }
    return m_draw.Any(m_best);
}

uint16_t
CongaPortSelector::Select(const Switch& at, Frame& frame, const NextHops& hops)
{
    if (!at.HasNics())
    {
        return m_hash->Select(at, frame, hops);
    }
    if (m_flowlets.empty())
    {
        m_flowlets.resize(m_flowletEntries);
    }
    Flowlet& flowlet = m_flowlets[uint64_t{HashQueuePair(frame)} * m_flowletEntries >> 32];
    const TimePs now = at.Now();
    const bool goesOn =
        now - flowlet.lastAt <= m_flowletGap.GetPicoSeconds() &&
        std::find(hops.ports.begin(), hops.ports.end(), flowlet.port) != hops.ports.end();
    flowlet.lastAt = now;
    if (!goesOn)
    {
        flowlet.port = Choose(at, frame.destination.edge, hops, flowlet.port);
    }
    return flowlet.port;
}

void
CongaPortSelector::OnForward(const Switch& at, Frame& frame, uint16_t port)
{
    CongestionTag& tag = frame.telemetry->congestion;
    const bool startsHere = frame.sourceEdge == at.GetNumber();
    if (frame.destination.edge == at.GetNumber())
    {
        if (!startsHere)
        {
            Learn(at, frame.sourceEdge, tag);
        }
        return; // the cable to the NIC has no choice, and does not count
    }
    Estimator& estimator = m_estimators[port];
    Decay(at, estimator);
    estimator.bytes += frame.bytes + at.GetPort(port).GetWireOverhead();
    const uint8_t load = Quantise(at, port, estimator);
    if (!startsHere)
    {
        tag.metric = std::max(tag.metric, load);
        return;
    }
    tag = {};
    tag.uplink = static_cast<uint8_t>(m_uplinks[port]);
    tag.metric = load;
    AttachFeedback(at.Now(), tag, m_fromLeaf[frame.destination.edge]);
}

// Takes one load along to the leaf it concerns: in turn, those first that it does not know yet.
void
CongaPortSelector::AttachFeedback(TimePs now, CongestionTag& tag, Arrivals& arrivals) const
{
    const auto uplinks = static_cast<uint32_t>(arrivals.byUplink.size());
    for (uint32_t i = 0; i < uplinks; ++i)
    {
        const uint32_t uplink = arrivals.next;
        Arrival& arrival = arrivals.byUplink[uplink];
        arrivals.next = uplink + 1 == uplinks ? 0 : uplink + 1;
        if (!arrival.isKnown || (!arrival.isNew && arrivals.changed > 0))
        {
            continue;
        }
        arrivals.changed -= arrival.isNew ? 1 : 0;
        arrival.isNew = false;
        if (now - arrival.at > m_aging.GetPicoSeconds())
        {
            arrival.isKnown = false; // a load of long ago must not be taken for a present one
            continue;
        }
        tag.hasFeedback = true;
        tag.feedbackUplink = static_cast<uint8_t>(uplink);
        tag.feedbackMetric = arrival.metric;
        return;
    }
}

void
CongaPortSelector::Learn(const Switch& at, uint32_t leaf, const CongestionTag& tag)
{
    Arrivals& arrivals = m_fromLeaf[leaf];
    if (tag.uplink >= arrivals.byUplink.size())
    {
        arrivals.byUplink.resize(tag.uplink + 1);
    }
    Arrival& arrival = arrivals.byUplink[tag.uplink];
    if (!arrival.isKnown || arrival.metric != tag.metric)
    {
        arrivals.changed += arrival.isNew ? 0 : 1;
        arrival.isNew = true;
    }
    arrival.at = at.Now();
    arrival.metric = tag.metric;
    arrival.isKnown = true;
    if (tag.hasFeedback)
    {
        std::vector<PathLoad>& loads = m_toLeaf[leaf];
        if (tag.feedbackUplink >= loads.size())
        {
            loads.resize(tag.feedbackUplink + 1);
        }
        loads[tag.feedbackUplink] = {at.Now(), tag.feedbackMetric};
    }
}

int64_t
CongaPortSelector::AssignStreams(int64_t stream)
{
    const int64_t used = m_draw.AssignStreams(stream);
    return used + m_hash->AssignStreams(stream + used);
}

} // namespace ns3::rails
