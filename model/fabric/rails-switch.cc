// SPDX-License-Identifier: GPL-2.0-only
#include "rails-switch.h"

#include "rails-error.h"

#include "ns3/abort.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(Switch);

namespace
{

constexpr uint32_t kUnknown = std::numeric_limits<uint32_t>::max();

} // namespace

TypeId
Switch::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rails::Switch").SetParent<Object>().SetGroupName("Rails");
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
      m_buffer(profile->m_buffer.Get(), profile->m_alpha, profile->m_xonOffset.Get()),
      m_refresh(*this, TaskPhase::Timer, 0xffffff)
{
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
    if (!m_buffer.AddPort(m_profile->GetHeadroom(rateBps, delay, largestFrame)))
    {
        throw ConfigurationError("switch.buffer",
                                 "the headroom of " + std::to_string(index + 1) + " ports of " +
                                     m_name + " does not fit a buffer of " +
                                     std::to_string(m_buffer.GetSize()) +
                                     " B: enlarge switch.buffer, or set switch.headroom");
    }
    m_ports.push_back(CreateObject<Port>(Port::Identity{m_node->GetId(), index, portClass, rateBps},
                                         *this,
                                         m_agenda,
                                         m_pool));
    Port& port = *m_ports.back();
    port.SetPauseResponse(m_profile->m_pauseResponse.GetPicoSeconds());
    return port;
}

void
Switch::EnableEcn()
{
    m_marker = m_profile->m_ecn->Fork();
    for (const Ptr<Port>& port : m_ports)
    {
        port->SetEcnMarker(PeekPointer(m_marker));
    }
}

void
Switch::SetNextHops(uint32_t edge, const std::vector<uint16_t>& ports)
{
    const auto known = std::find(m_groups.begin(), m_groups.end(), ports);
    const auto group = static_cast<uint32_t>(known - m_groups.begin());
    if (known == m_groups.end())
    {
        m_groups.push_back(ports);
    }
    if (edge >= m_groupOfEdge.size())
    {
        m_groupOfEdge.resize(edge + 1, kUnknown);
    }
    m_groupOfEdge[edge] = group;
}

uint16_t
Switch::FindPort(const Frame& frame)
{
    const uint32_t edge = frame.destination.edge;
    if (edge == m_number)
    {
        return static_cast<uint16_t>(frame.destination.port);
    }
    NS_ABORT_MSG_IF(edge >= m_groupOfEdge.size() || m_groupOfEdge[edge] == kUnknown,
                    m_name << " has no route to switch " << edge);
    const std::vector<uint16_t>& candidates = m_groups[m_groupOfEdge[edge]];
    return candidates.size() == 1 ? candidates.front()
                                  : m_selector->Select(*this, frame, candidates);
}

bool
Switch::IsLossless(uint8_t trafficClass) const
{
    return m_profile->m_pfc && trafficClass != kControlClass;
}

void
Switch::Receive(Frame* frame, Port& port)
{
    Port& egress = *m_ports[FindPort(*frame)];
    const bool lossless = IsLossless(frame->trafficClass);
    const SharedBuffer::Admission admission =
        lossless ? m_buffer.AdmitLossless(port.GetIndex(), frame->trafficClass, frame->bytes)
                 : m_buffer.AdmitLossy(egress.GetQueueBytes(frame->trafficClass), frame->bytes);
    if (admission == SharedBuffer::Admission::Refused)
    {
        ++egress.GetCounters().drops;
        m_losslessDrops += lossless ? 1 : 0;
        m_pool.Release(frame);
        return;
    }
    frame->ingress = port.GetIndex();
    if (admission == SharedBuffer::Admission::AdmittedAndPause)
    {
        // Far from the expiry of its quanta the far end hears of the pause again.
        const TimePs refreshAt =
            m_agenda.Now() +
            LongSerialisationTime(uint64_t{m_profile->m_pauseQuanta} * 32, port.GetRateBps());
        m_pausesSent.push_back({port.GetIndex(), frame->trafficClass, refreshAt});
        m_agenda.Schedule(refreshAt, m_refresh);
        port.SendPause(frame->trafficClass, m_profile->m_pauseQuanta);
    }
    egress.Enqueue(frame);
}

void
Switch::Departed(Port&, uint32_t ingress, uint8_t trafficClass, uint32_t bytes)
{
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

void
Switch::RefreshPauses()
{
    const TimePs now = m_agenda.Now();
    for (PauseSent& sent : m_pausesSent)
    {
        if (sent.refreshAt <= now)
        {
            Port& port = *m_ports[sent.port];
            sent.refreshAt = now + LongSerialisationTime(uint64_t{m_profile->m_pauseQuanta} * 32,
                                                         port.GetRateBps());
            m_agenda.Schedule(sent.refreshAt, m_refresh);
            port.SendPause(sent.trafficClass, m_profile->m_pauseQuanta);
        }
    }
}

uint32_t
Switch::GetNumber() const
{
    return m_number;
}

const std::string&
Switch::GetName() const
{
    return m_name;
}

const std::vector<Ptr<Port>>&
Switch::GetPorts() const
{
    return m_ports;
}

const SharedBuffer&
Switch::GetBuffer() const
{
    return m_buffer;
}

uint64_t
Switch::GetLosslessDrops() const
{
    return m_losslessDrops;
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
