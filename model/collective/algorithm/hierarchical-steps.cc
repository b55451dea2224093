// SPDX-License-Identifier: GPL-2.0-only
#include "hierarchical-steps.h"

#include "chain-steps.h"
#include "collective-groups.h"

#include <memory>
#include <vector>

namespace ns3::rails
{

namespace
{

/// The GPUs of each group in two levels.
class Levels
{
  public:
    /// \param collective its root is the first of its server's ring, on the first of the servers
    Levels(const GpuGroups& groups, const GroupCollective& collective)
        : m_shape(groups.GetShape()),
          m_onServer(CountOnServers(groups)),
          m_bytes(collective.bytes)
    {
        const uint32_t servers = groups.GetSize() / m_onServer;
        const uint32_t rootServer = collective.root / m_onServer;
        const uint32_t rootPlace = collective.root % m_onServer;
        for (uint32_t number = 0; number < groups.GetCount(); ++number)
        {
            const GpuGroup group = groups.Get(number);
            std::vector<GpuRing> across(m_onServer);
            for (uint32_t i = 0; i < servers; ++i)
            {
                const uint32_t server = (rootServer + i) % servers;
                GpuRing inside;
                inside.bytes = m_bytes;
                // The root of a broadcast has what its server gathers.
                inside.isOpen = i == 0;
                for (uint32_t place = 0; place < m_onServer; ++place)
                {
                    const uint32_t gpu =
                        group.GetGpu(server * m_onServer + (rootPlace + place) % m_onServer);
                    inside.gpus.push_back(gpu);
                    across[place].gpus.push_back(gpu);
                    across[place].bytes = GetPart(m_bytes, m_onServer, place);
                }
                m_inside.push_back(inside);
            }
            m_across.insert(m_across.end(), across.begin(), across.end());
        }
    }

    /// Every GPU gets what the others of its server have.
    void GatherInside(CollectiveSteps& steps) const
    {
        Append(steps, MakeRingSteps(m_shape, m_inside, 1));
    }

    /// The first GPU of a group gives each of its server the part of its place.
    void HandOut(CollectiveSteps& steps) const
    {
        for (uint32_t place = 1; place < m_onServer; ++place)
        {
            const auto matrix = std::make_shared<TrafficMatrix>(m_shape);
            for (const GpuRing& ring : m_inside)
            {
                if (ring.isOpen)
                {
                    matrix->Add(ring.gpus.front(),
                                ring.gpus[place],
                                GetPart(m_bytes, m_onServer, place));
                }
            }
            steps.push_back(matrix);
        }
    }

    /// The parts of the first server go to the others.
    void SendAcross(CollectiveSteps& steps, uint32_t chunks) const
    {
        Append(steps, MakeChainSteps(m_shape, m_across, chunks));
    }

  private:
    static void Append(CollectiveSteps& steps, CollectiveSteps more)
    {
        steps.insert(steps.end(), more.begin(), more.end());
    }

    ClusterShape m_shape;
    uint32_t m_onServer;
    uint64_t m_bytes;
    std::vector<GpuRing> m_inside; //!< by group and server
    std::vector<GpuRing> m_across; //!< by group and place
};

/// \return whether there are no two levels
bool
IsFlat(const GpuGroups& groups)
{
    const uint32_t onServer = CountOnServers(groups);
    return onServer == 1 || onServer == groups.GetSize();
}

} // namespace

uint32_t
CountOnServers(const GpuGroups& groups)
{
    return CollectiveGroups(groups, {}).CountPerServer();
}

CollectiveSteps
MakeHierarchicalSteps(const GpuGroups& groups, const GroupCollective& collective)
{
    if (IsFlat(groups))
    {
        return MakeFlatSteps(groups, collective);
    }
    const Levels levels(groups, collective);
    CollectiveSteps steps;
    levels.HandOut(steps);
    levels.SendAcross(steps, collective.chunks);
    levels.GatherInside(steps);
    return collective.operation == GroupCollective::Operation::Broadcast ? steps
                                                                         : MirrorSteps(steps);
}

uint64_t
CountHierarchicalSteps(const GpuGroups& groups, const GroupCollective& collective)
{
    if (IsFlat(groups))
    {
        return CountFlatSteps(groups, collective);
    }
    const uint32_t onServer = CountOnServers(groups);
    const uint32_t servers = groups.GetSize() / onServer;
    return 2 * (onServer - 1) + CountChainSteps(servers, collective.chunks);
}

} // namespace ns3::rails
