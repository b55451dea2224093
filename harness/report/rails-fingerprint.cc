// SPDX-License-Identifier: GPL-2.0-only
#include "rails-fingerprint.h"

#include "ns3/rails-sha256.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>

namespace ns3::rails
{

namespace
{

/// \return pointers to the records in order of a key
template <typename Record, typename Key>
std::vector<const Record*>
Sort(const std::vector<Record>& records, Key&& key)
{
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

} // namespace

std::string
ComputeFingerprint(const std::vector<MessageRecord>& messages, const std::vector<PortRecord>& ports)
{
    Sha256 hasher;
    hasher.Add(uint64_t{messages.size()});
    const auto byId = [](const MessageRecord& message) { return message.id; };
    for (const MessageRecord* message : Sort(messages, byId))
    {
        hasher.Add(static_cast<uint64_t>(message->start));
        hasher.Add(static_cast<uint64_t>(message->end));
    }
    hasher.Add(uint64_t{ports.size()});
    const auto byAddress = [](const PortRecord& port) { return std::tuple(port.node, port.port); };
    for (const PortRecord* port : Sort(ports, byAddress))
    {
        hasher.Add(port->bytes);
        hasher.Add(port->marks);
        hasher.Add(port->pauses);
        hasher.Add(static_cast<uint64_t>(port->pausedPs));
        hasher.Add(port->drops);
    }
    return hasher.Finish();
}

} // namespace ns3::rails
