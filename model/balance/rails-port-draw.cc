// SPDX-License-Identifier: GPL-2.0-only
#include "rails-port-draw.h"

#include "ns3/rails-switch.h"

#include <limits>
#include <utility>

namespace ns3::rails
{

PortDraw::PortDraw()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

PortDraw::PortDraw(const PortDraw& /* other */)
    : PortDraw()
{
}

uint32_t
PortDraw::Below(uint32_t end)
{
    return m_random->GetInteger(0, end - 1);
}

uint16_t
PortDraw::Any(const std::vector<uint16_t>& ports)
{
    return ports[Below(static_cast<uint32_t>(ports.size()))];
}

uint16_t
PortDraw::Shortest(const Switch& at, const std::vector<uint16_t>& ports)
{
    uint64_t shortest = std::numeric_limits<uint64_t>::max();
    uint32_t ties = 0;
    uint16_t choice = 0;
    for (const uint16_t port : ports)
    {
        const uint64_t bytes = at.GetPort(port).GetQueueBytes();
        if (bytes < shortest)
        {
            shortest = bytes;
            ties = 1;
            choice = port;
        }
        else if (bytes == shortest)
        {
            ++ties;
        }
    }
    if (ties == 1)
    {
        return choice;
    }
    // The queues stand still meanwhile: those that tie are counted off once more.
    uint32_t left = Below(ties);
    for (const uint16_t port : ports)
    {
        if (at.GetPort(port).GetQueueBytes() == shortest && left-- == 0)
        {
            return port;
        }
    }
    return choice;
}

void
PortDraw::Shuffle(std::vector<uint16_t>& ports, std::size_t from)
{
    for (auto left = static_cast<uint32_t>(ports.size() - from); left > 1; --left)
    {
        std::swap(ports[from + left - 1], ports[from + Below(left)]);
    }
}

int64_t
PortDraw::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace ns3::rails
