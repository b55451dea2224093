// SPDX-License-Identifier: GPL-2.0-only
#include "rails-switch.h"

#include "ns3/log.h"
#include "ns3/object-vector.h"
#include "ns3/rails-error.h"
#include "ns3/rails-quantity.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::rails
{

NS_LOG_COMPONENT_DEFINE("RailsSwitch");

NS_OBJECT_ENSURE_REGISTERED(Switch);

namespace
{

constexpr uint16_t kNoPort = std::numeric_limits<uint16_t>::max();

} // namespace

TypeId
Switch::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rails::Switch")
                            .SetParent<Object>()
                            .SetGroupName("Rails")
                            .AddAttribute("Ports",
                                          "Ports by number.",
                                          TypeId::ATTR_GET,
                                          ObjectVectorValue(),
                                          MakeObjectVectorAccessor(&Switch::m_ports),
                                          MakeObjectVectorChecker<Port>());
    return tid;
}

Switch::Switch(Ptr<Node> node,
               uint32_t number,
               std::string name,
               Ptr<const SwitchProfile> profile,
               Ptr<const PortSelector> selector,
               FramePool& pool)
    : m_node(node),
      m_number(number),
      m_name(std::move(name)),
      m_profile(profile),
      m_selector(selector->Fork()),
      m_pool(pool),
      m_buffer(profile->GetBuffer(), profile->GetAlpha(), profile->GetXonOffset()),
      m_groups(1),
      m_observes(m_selector->GetTraits().observes),
      m_refresh(*this, TaskPhase::Timer, 0xffffff)
{
    if (m_observes)
    {
        m_pool.EnableTelemetry();
    }
}

void
Switch::DoDispose()
{
    m_ports.clear();
    m_selector = nullptr;
    m_marker = nullptr;
    m_node = nullptr;
    Object::DoDispose();
}

Port&
Switch::AddPort(const std::string& portClass, uint64_t rateBps, TimePs delay, uint32_t largestFrame)
{
    const auto index = static_cast<uint32_t>(m_ports.size());
    if (index == kNoPort)
    {
        throw ConfigurationError("topology",
                                 m_name + " would have more than " + std::to_string(kNoPort) +
                                     " ports: fewer spines or fewer parallel cables");
    }
    if (!m_buffer.AddPort(m_profile->GetHeadroom(rateBps, delay, largestFrame)))
    {
        SwitchProfile::RefuseHeadroom(m_name, index + 1, m_buffer.GetSize());
    }
    m_ports.push_back(CreateObject<Port>(Port::Identity{m_node->GetId(), index, portClass, rateBps},
                                         *this,
                                         m_agenda,
                                         m_pool));
    Port& port = *m_ports.back();
    port.SetPauseResponse(m_profile->GetPauseResponse());
    return port;
}

void
Switch::EnableEcn()
{
    m_marker = m_profile->GetEcn()->Fork();
    for (const Ptr<Port>& port : m_ports)
    {
        port->SetEcnMarker(PeekPointer(m_marker));
    }
}

void
Switch::SetNextHops(uint32_t edge, const NextHops& hops)
{
    const auto known = std::find(m_groups.begin(), m_groups.end(), hops);
    const auto group = static_cast<uint32_t>(known - m_groups.begin());
    if (known == m_groups.end())
    {
        m_groups.push_back(hops);
        m_groups.back().CountWeights();
    }
    if (edge >= m_groupOfEdge.size())
    {
        m_groupOfEdge.resize(edge + 1, 0);
    }
    m_groupOfEdge[edge] = group;
}

void
Switch::TellRoutesChanged()
{
    m_selector->OnRoutesChanged(*this);
}

const NextHops&
Switch::GetNextHops(uint32_t edge) const
{
    return m_groups[edge < m_groupOfEdge.size() ? m_groupOfEdge[edge] : 0];
}

void
Switch::SetRegions(const std::vector<uint32_t>& regions, bool hasNics)
{
    m_regions = &regions;
    m_hasNics = hasNics;
}

const std::vector<uint32_t>&
Switch::GetRegions() const
{
    return *m_regions;
}

TimePs
Switch::Now() const
{
    return m_agenda.Now();
}

uint16_t
Switch::FindPort(Frame& frame)
{
    const uint32_t edge = frame.destination.edge;
    if (edge == m_number)
    {
        return static_cast<uint16_t>(frame.destination.port);
    }
    if (frame.hop < frame.route.length)
    {
        return frame.route.ports[frame.hop++];
    }
    const NextHops& hops = GetNextHops(edge);
    switch (hops.ports.size())
    {
    case 0:
        return kNoPort;
    case 1:
        return hops.ports.front();
    default:
        return m_selector->Select(*this, frame, hops);
    }
}

bool
Switch::IsLossless(uint8_t trafficClass) const
{
    return m_profile->UsesPfc() && trafficClass != kControlClass;
}

SharedBuffer::Admission
Switch::Admit(const Frame& frame, const Port& ingress, const Port& egress)
{
    if (!m_profile->GetPortBuffer().IsSpecial())
    {
        const bool fits = egress.GetQueueBytes() + frame.bytes <= m_profile->GetPortBuffer().Get();
        return fits ? SharedBuffer::Admission::Admitted : SharedBuffer::Admission::Refused;
    }
    return IsLossless(frame.trafficClass)
               ? m_buffer.AdmitLossless(ingress.GetIndex(), frame.trafficClass, frame.bytes)
               : m_buffer.AdmitLossy(egress.GetQueueBytes(frame.trafficClass), frame.bytes);
}

void
Switch::Receive(Frame* frame, Port& port)
{
    const uint16_t index = FindPort(*frame);
    if (index == kNoPort)
    {
        ++m_unroutable;
        NS_LOG_INFO(FormatTime(m_agenda.Now())
                    << ": " << m_name << " has no path to switch " << frame->destination.edge);
        m_pool.Release(frame);
        return;
    }
    if (m_observes)
    {
        m_selector->OnForward(*this, *frame, index);
    }
    Port& egress = *m_ports[index];
    const SharedBuffer::Admission admission = Admit(*frame, port, egress);
    if (admission == SharedBuffer::Admission::Refused)
    {
        egress.CountDrop(*frame);
        NS_LOG_INFO(FormatTime(m_agenda.Now())
                    << ": " << m_name << " drops a frame of NIC " << frame->sourceNic
                    << " for port " << index << " with " << egress.GetQueueBytes() << " B queued");
        m_losslessDrops += IsLossless(frame->trafficClass) ? 1 : 0;
        m_pool.Release(frame);
        return;
    }
    frame->ingress = port.GetIndex();
    if (admission == SharedBuffer::Admission::AdmittedAndPause)
    {
        // The pause is repeated after half of its quanta, well before they expire.
        const TimePs refreshAt =
            m_agenda.Now() +
            LongSerialisationTime(uint64_t{m_profile->GetPauseQuanta()} * 32, port.GetRateBps());
        m_pausesSent.push_back({port.GetIndex(), frame->trafficClass, refreshAt});
        m_agenda.Schedule(refreshAt, m_refresh);
        port.SendPause(frame->trafficClass, m_profile->GetPauseQuanta());
        NS_LOG_INFO(FormatTime(m_agenda.Now())
                    << ": " << m_name << " pauses the far end of port " << port.GetIndex());
    }
    egress.Enqueue(frame);
}

void
Switch::Departed(Port&, uint32_t ingress, uint8_t trafficClass, uint32_t bytes)
{
    if (!m_profile->GetPortBuffer().IsSpecial())
    {
        return; // per-port buffers need no accounting beyond the port's queue
    }
    if (!IsLossless(trafficClass))
    {
        m_buffer.ReleaseLossy(bytes);
        return;
    }
    if (m_buffer.ReleaseLossless(ingress, trafficClass, bytes))
    {
        m_pausesSent.erase(
            std::find_if(m_pausesSent.begin(), m_pausesSent.end(), [&](const PauseSent& sent) {
                return sent.port == ingress && sent.trafficClass == trafficClass;
            }));
        m_ports[ingress]->SendPause(trafficClass, 0);
    }
}

uint32_t
Switch::GetPauseInForce(const Port& port, uint8_t trafficClass) const
{
    return m_buffer.IsPausing(port.GetIndex(), trafficClass) ? m_profile->GetPauseQuanta() : 0;
}

void
Switch::RefreshPauses()
{
    const TimePs now = m_agenda.Now();
    for (PauseSent& sent : m_pausesSent)
    {
        if (sent.refreshAt <= now)
        {
            Port& port = *m_ports[sent.port];
            sent.refreshAt = now + LongSerialisationTime(uint64_t{m_profile->GetPauseQuanta()} * 32,
                                                         port.GetRateBps());
            m_agenda.Schedule(sent.refreshAt, m_refresh);
            port.SendPause(sent.trafficClass, m_profile->GetPauseQuanta());
        }
    }
}

const std::vector<Ptr<Port>>&
Switch::GetPorts() const
{
    return m_ports;
}

const Port&
Switch::GetPort(uint16_t port) const
{
    return *m_ports[port];
}

int64_t
Switch::AssignStreams(int64_t stream)
{
    int64_t used = m_selector->AssignStreams(stream);
    if (m_marker)
    {
        used += m_marker->AssignStreams(stream + used);
    }
    return used;
}

} // namespace ns3::rails
