// SPDX-License-Identifier: GPL-2.0-only
#include "connections-file.h"
#include "phase-workload.h"

#include "ns3/component-documentation.h"
#include "ns3/file-memory.h"
#include "ns3/string.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * Messages from a list, each with its size and its start: `workload: {type: connections}`. See
 * ReadConnections() for the forms that a list may have.
 */
class ConnectionsWorkload : public PhaseWorkload
{
  public:
    static TypeId GetTypeId();

    void Check(const WorkloadSetting& setting) const override;
    WorkloadSchedule MakeSchedule(const WorkloadSetting& setting) override;
    std::string WhyUnannounced() const override;
    double EstimateBytes(const WorkloadSetting& setting) const override;
    double EstimateMessages(const WorkloadSetting& setting) const override;

  private:
    /// Totals over all connections.
    struct Totals
    {
        uint64_t bytes{0};
        uint64_t connections{0};
    };

    /// \return totals over all connections; throws like Check()
    Totals FindTotals(const ClusterShape& shape) const;

    std::string m_path;
};

namespace
{

using Key = std::tuple<TimePs, uint32_t, uint32_t, uint32_t>; // start, repetition, from, to
using Bytes = std::map<Key, uint64_t>;

/// Connections of one pair with the same start are separate messages in separate steps.
Bytes
SortConnections(const std::vector<Connection>& connections)
{
    std::map<std::tuple<TimePs, uint32_t, uint32_t>, uint32_t> repetitions;
    Bytes bytes;
    for (const Connection& one : connections)
    {
        const uint32_t repetition = repetitions[{one.start, one.source, one.destination}]++;
        bytes[{one.start, repetition, one.source, one.destination}] = one.bytes;
    }
    return bytes;
}

std::vector<TrafficStep>
MakeSteps(const Bytes& bytes, const ClusterShape& shape)
{
    std::vector<TrafficStep> steps;
    for (auto next = bytes.begin(); next != bytes.end();)
    {
        const auto [start, repetition, firstSource, firstDestination] = next->first;
        TrafficMatrix matrix(shape);
        for (; next != bytes.end() && std::get<0>(next->first) == start &&
               std::get<1>(next->first) == repetition;
             ++next)
        {
            matrix.Add(std::get<2>(next->first), std::get<3>(next->first), next->second);
        }
        steps.push_back({std::make_shared<const TrafficMatrix>(std::move(matrix)), start});
    }
    return steps;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(ConnectionsWorkload);

TypeId
ConnectionsWorkload::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::ConnectionsWorkload").SetParent<PhaseWorkload>(),
                         "Messages from a list in a file, each with its size and its start.")
            .SetGroupName("Rails")
            .AddConstructor<ConnectionsWorkload>()
            .AddAttribute("Path",
                          "CSV lines source,destination,bytes or source,destination,bytes,start "
                          "(GPUs from 0, start with its unit), or a connection matrix of htsim.",
                          StringValue(""),
                          MakeStringAccessor(&ConnectionsWorkload::m_path),
                          MakeStringChecker());
    return tid;
}

void
ConnectionsWorkload::Check(const WorkloadSetting& setting) const
{
    const ClusterShape& shape = setting.shape;
    FindTotals(shape);
}

WorkloadSchedule
ConnectionsWorkload::MakeSchedule(const WorkloadSetting& setting)
{
    const ClusterShape& shape = setting.shape;
    const std::vector<Connection> connections = ReadConnections(m_path, shape);
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> sums;
    for (const Connection& connection : connections)
    {
        sums[{connection.source, connection.destination}] += connection.bytes;
    }
    TrafficMatrix all(shape);
    for (const auto& [pair, bytes] : sums)
    {
        all.Add(pair.first, pair.second, bytes);
    }
    WorkloadSchedule schedule = MakeOneExchange(std::move(all));
    schedule.phases[0].steps = MakeSteps(SortConnections(connections), shape);
    return schedule;
}

std::string
ConnectionsWorkload::WhyUnannounced() const
{
    return "each connection starts at a time of its own";
}

double
ConnectionsWorkload::EstimateBytes(const WorkloadSetting& setting) const
{
    const ClusterShape& shape = setting.shape;
    return static_cast<double>(FindTotals(shape).bytes);
}

double
ConnectionsWorkload::EstimateMessages(const WorkloadSetting& setting) const
{
    const ClusterShape& shape = setting.shape;
    return static_cast<double>(FindTotals(shape).connections);
}

ConnectionsWorkload::Totals
ConnectionsWorkload::FindTotals(const ClusterShape& shape) const
{
    static FileMemory<Totals> known;
    return known.Get(m_path, {shape.GetGpus()}, [&] {
        Totals totals;
        for (const Connection& connection : ReadConnections(m_path, shape))
        {
            totals.bytes += connection.bytes;
            ++totals.connections;
        }
        return totals;
    });
}

} // namespace ns3::rails
