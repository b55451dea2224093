// SPDX-License-Identifier: GPL-2.0-only
#include "flow-segment-recorder.h"

#include "flow-phase-recorder.h"

#include "ns3/fabric-ports.h"

namespace ns3::rails
{

FlowSegmentRecorder::FlowSegmentRecorder(Ptr<const FlowEngine> engine, const ClusterSpeeds& speeds)
    : PathSegmentRecorder(engine->GetWiring(), speeds, 2 * engine->GetWiring().GetCables().size()),
      m_engine(engine)
{
    TakeFirstRates();
}

bool
FlowSegmentRecorder::HasRepeats() const
{
    return false;
}

std::string
FlowSegmentRecorder::GetCableName(uint32_t direction) const
{
    return GetDirectionName(GetWiring(), direction);
}

uint64_t
FlowSegmentRecorder::GetRate(uint32_t direction) const
{
    const Cable& cable = GetWiring().GetCables()[GetCableOfDirection(direction)];
    return cable.isUp ? cable.rateBps : 0;
}

void
FlowSegmentRecorder::AddToCables(const Message& message, StepLoads& loads)
{
    const auto wire = static_cast<double>(GetFrames().GetMessageWire(message.bytes));
    for (const FlowNetwork::WayPart& part : m_engine->GetWay(message))
    {
        loads.Add(StepLoads::Place::Cable,
                  part.direction,
                  part.share * wire,
                  message.start,
                  message.end);
    }
}

std::vector<uint32_t>
FlowSegmentRecorder::FindCables(const Message& message)
{
    std::vector<uint32_t> cables;
    for (const FlowNetwork::WayPart& part : m_engine->GetWay(message))
    {
        cables.push_back(part.direction);
    }
    return cables;
}

} // namespace ns3::rails
