// SPDX-License-Identifier: GPL-2.0-only
#include "rails-fingerprint.h"

#include "ns3/rails-sha256.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace ns3::rails
{

namespace
{

/// \return pointers to the records in order of a key
template <typename Records, typename Key>
std::vector<const typename Records::value_type*>
Sort(const Records& records, Key&& key)
{
    using Record = typename Records::value_type;
    std::vector<const Record*> sorted;
    sorted.reserve(records.size());
    for (const Record& record : records)
    {
        sorted.push_back(&record);
    }
    std::sort(sorted.begin(), sorted.end(), [&](const Record* left, const Record* right) {
        return key(*left) < key(*right);
    });
    return sorted;
}

std::pair<uint32_t, uint32_t>
GetAddress(const PortRecord& port)
{
    return {port.node, port.port};
}

void
AddTime(Sha256& hasher, TimePs time)
{
    hasher.Add(static_cast<uint64_t>(time));
}

} // namespace

std::string
ComputeFrameFingerprint(const std::deque<Message>& messages, const std::vector<PortRecord>& ports)
{
    Sha256 hasher;
    hasher.Add(uint64_t{messages.size()});
    const auto byId = [](const Message& message) { return message.id; };
    for (const Message* message : Sort(messages, byId))
    {
        AddTime(hasher, message->start);
        AddTime(hasher, message->end);
    }
    hasher.Add(uint64_t{ports.size()});
    for (const PortRecord* port : Sort(ports, GetAddress))
    {
        const PortFrames frames = port->frames.value_or(PortFrames());
        hasher.Add(port->bytes);
        hasher.Add(frames.marks);
        hasher.Add(frames.pauses);
        AddTime(hasher, frames.pausedPs);
        hasher.Add(frames.drops);
    }
    return hasher.Finish();
}

std::string
ComputeFlowFingerprint(std::vector<FlowRecord> flows, const std::vector<PortRecord>& ports)
{
    Sha256 hasher;
    hasher.Add(uint64_t{flows.size()});
    // In place, as there may be millions.
    const auto list = [](const FlowRecord& flow) {
        return std::tie(flow.source,
                        flow.destination,
                        flow.number,
                        flow.start,
                        flow.end,
                        flow.bytes);
    };
    std::sort(flows.begin(), flows.end(), [&list](const FlowRecord& left, const FlowRecord& right) {
        return list(left) < list(right);
    });
    for (const FlowRecord& flow : flows)
    {
        hasher.Add(flow.bytes);
        AddTime(hasher, flow.start);
        AddTime(hasher, flow.end);
    }
    hasher.Add(uint64_t{ports.size()});
    for (const PortRecord* port : Sort(ports, GetAddress))
    {
        hasher.Add(port->bytes);
    }
    return hasher.Finish();
}

} // namespace ns3::rails
