// SPDX-License-Identifier: GPL-2.0-only
#include "rails-fabric-cache.h"

#include "ns3/rails-effective-config.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>

namespace ns3::rails
{

namespace
{

// A fabric of thousands of GPUs takes megabytes.
constexpr std::size_t kKept = 8;

} // namespace

LaidFabric
FabricCache::Get(const Topology& topology)
{
    const std::string key = DescribeComponent(topology, Topology::GetTypeId()).dump();
    const auto known = std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry& entry) {
        return entry.key == key;
    });
    if (known != m_entries.end())
    {
        m_entries.splice(m_entries.begin(), m_entries, known);
        return m_entries.front().fabric;
    }
    const std::shared_ptr<const Wiring> wiring = topology.Lay();
    m_entries.push_front(
        {key, {wiring, FindTraits(*wiring), std::make_shared<CollectiveChooser>()}});
    if (m_entries.size() > kKept)
    {
        m_entries.pop_back();
    }
    return m_entries.front().fabric;
}

} // namespace ns3::rails
