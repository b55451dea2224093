// SPDX-License-Identifier: GPL-2.0-only
#include "server-placement.h"

#include "ns3/component-documentation.h"
#include "ns3/optional-accessor.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <set>
#include <string>

namespace ns3::rails
{

namespace
{

/// \return numbers at equal distances
std::vector<uint64_t>
MakeRow(uint64_t first, uint64_t stride, uint64_t count)
{
    std::vector<uint64_t> row;
    for (uint64_t i = 0; i < count; ++i)
    {
        row.push_back(first + i * stride);
    }
    return row;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(ServerPlacement);
NS_OBJECT_ENSURE_REGISTERED(ContiguousServerPlacement);
NS_OBJECT_ENSURE_REGISTERED(StridedServerPlacement);
NS_OBJECT_ENSURE_REGISTERED(GivenServerPlacement);

TypeId
ServerPlacement::GetTypeId()
{
    static TypeId tid = SetDocumentation(TypeId("ns3::rails::ServerPlacement").SetParent<Object>(),
                                         "Which servers of the cluster a job gets.")
                            .SetGroupName("Rails");
    return tid;
}

std::vector<uint32_t>
ServerPlacement::Place(const std::vector<bool>& taken) const
{
    std::vector<uint32_t> servers;
    std::set<uint64_t> seen;
    for (const uint64_t server : Choose(taken))
    {
        const std::string name = "server " + std::to_string(server);
        if (server >= taken.size())
        {
            throw ConfigurationError("",
                                     "there is no " + name + ": the topology has " +
                                         std::to_string(taken.size()) + " servers, from 0");
        }
        if (taken[server])
        {
            throw ConfigurationError("", "another job has " + name + " already");
        }
        if (!seen.insert(server).second)
        {
            throw ConfigurationError("", name + " is given twice");
        }
        servers.push_back(static_cast<uint32_t>(server));
    }
    if (servers.empty())
    {
        throw ConfigurationError("",
                                 "expected at least one server of the " +
                                     std::to_string(taken.size()) + " of the topology, from 0");
    }
    return servers;
}

TypeId
ContiguousServerPlacement::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::ContiguousServerPlacement").SetParent<ServerPlacement>(),
            "Servers that follow each other by number.")
            .SetGroupName("Rails")
            .AddConstructor<ContiguousServerPlacement>()
            .AddAttribute("Servers",
                          "How many; 0 stands for all up to the next one that another job has, or "
                          "to the last.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ContiguousServerPlacement::m_servers),
                          MakeCountRange<uint32_t>(0, 65536))
            .AddAttribute("First",
                          "The first of them; without it where as many are free, the lowest.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<UintegerValue>(&ContiguousServerPlacement::m_first),
                          MakeCountRange<uint32_t>());
    return tid;
}

std::vector<uint64_t>
ContiguousServerPlacement::Choose(const std::vector<bool>& taken) const
{
    const auto countFree = [&taken](uint64_t first) {
        uint64_t end = first;
        while (end < taken.size() && !taken[end])
        {
            ++end;
        }
        return end - first;
    };
    uint64_t first = m_first.value_or(0);
    while (!m_first && first < taken.size() && countFree(first) < std::max(m_servers, 1U))
    {
        first += countFree(first) + 1;
    }
    if (!m_first && first >= taken.size())
    {
        throw ConfigurationError("servers",
                                 "other jobs leave no " + std::to_string(std::max(m_servers, 1U)) +
                                     " servers that follow each other: ask for fewer, or for more "
                                     "servers in the topology");
    }
    return MakeRow(first, 1, m_servers > 0 ? m_servers : countFree(first));
}

TypeId
StridedServerPlacement::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::StridedServerPlacement").SetParent<ServerPlacement>(),
                         "Servers at equal distances, so that jobs interleave.")
            .SetGroupName("Rails")
            .AddConstructor<StridedServerPlacement>()
            .AddAttribute("Servers",
                          "How many; 0 stands for all to the last.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&StridedServerPlacement::m_servers),
                          MakeCountRange<uint32_t>(0, 65536))
            .AddAttribute("First",
                          "The first of them.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&StridedServerPlacement::m_first),
                          MakeCountRange<uint32_t>())
            .AddAttribute("Stride",
                          "From one to the next.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&StridedServerPlacement::m_stride),
                          MakeCountRange<uint32_t>(1));
    return tid;
}

std::vector<uint64_t>
StridedServerPlacement::Choose(const std::vector<bool>& taken) const
{
    const uint64_t left = taken.size() - std::min<uint64_t>(m_first, taken.size());
    return MakeRow(m_first, m_stride, m_servers > 0 ? m_servers : (left + m_stride - 1) / m_stride);
}

TypeId
GivenServerPlacement::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::GivenServerPlacement").SetParent<ServerPlacement>(),
                         "Servers by their numbers.")
            .SetGroupName("Rails")
            .AddConstructor<GivenServerPlacement>()
            .AddAttribute("Servers",
                          "Their numbers from 0; the first one is the first server of the job.",
                          CountListValue(),
                          MakeCountListAccessor(&GivenServerPlacement::m_servers),
                          MakeCountListChecker());
    return tid;
}

std::vector<uint64_t>
GivenServerPlacement::Choose(const std::vector<bool>&) const
{
    return {m_servers.Get().begin(), m_servers.Get().end()};
}

} // namespace ns3::rails
