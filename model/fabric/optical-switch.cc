// SPDX-License-Identifier: GPL-2.0-only
#include "optical-switch.h"

#include "ns3/object-vector.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(OpticalSwitch);

TypeId
OpticalSwitch::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rails::OpticalSwitch")
                            .SetParent<Object>()
                            .SetGroupName("Rails")
                            .AddAttribute("Ports",
                                          "Ports by number.",
                                          TypeId::ATTR_GET,
                                          ObjectVectorValue(),
                                          MakeObjectVectorAccessor(&OpticalSwitch::m_ports),
                                          MakeObjectVectorChecker<Port>());
    return tid;
}

OpticalSwitch::OpticalSwitch(Ptr<Node> node, uint32_t number, FramePool& pool)
    : m_node(node),
      m_number(number),
      m_pool(pool)
{
}

void
OpticalSwitch::DoDispose()
{
    m_ports.clear();
    m_node = nullptr;
    Object::DoDispose();
}

Port&
OpticalSwitch::AddPort(const std::string& portClass, uint64_t rateBps)
{
    const auto index = static_cast<uint32_t>(m_ports.size());
    m_ports.push_back(CreateObject<Port>(Port::Identity{m_node->GetId(), index, portClass, rateBps},
                                         *this,
                                         m_agenda,
                                         m_pool));
    m_others.push_back(index);
    return *m_ports.back();
}

void
OpticalSwitch::Lead(uint32_t port, uint32_t other)
{
    m_others[port] = other;
}

void
OpticalSwitch::Receive(Frame* frame, Port& port)
{
    const uint32_t other = m_others[port.GetIndex()];
    if (other == port.GetIndex() || frame->destination.edge != m_number ||
        frame->destination.port != other)
    {
        ++m_lostFrames;
        m_pool.Release(frame);
        return;
    }
    Port& out = *m_ports[other];
    PortCounters& counters = out.GetCounters();
    counters.wireBytes += frame->bytes + out.GetWireOverhead();
    ++counters.frames;
    counters.dataFrames += frame->kind == FrameKind::Data ? 1 : 0;
    counters.busy += out.GetByteTime(frame->bytes + out.GetWireOverhead());
    // The last bit came in now, and leaves now.
    out.GetLink().Send(frame, m_agenda.Now());
}

const std::vector<Ptr<Port>>&
OpticalSwitch::GetPorts() const
{
    return m_ports;
}

} // namespace ns3::rails
