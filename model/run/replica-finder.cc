// SPDX-License-Identifier: GPL-2.0-only
#include "replica-finder.h"

#include "replica-links.h"

#include "ns3/replica-search.h"
#include "ns3/server-layout.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace ns3::rails
{

namespace
{

/// \param each number of consecutive replicas that are merged into one
std::vector<std::vector<uint32_t>>
Join(const std::vector<std::vector<uint32_t>>& replicas, std::size_t each)
{
    std::vector<std::vector<uint32_t>> joined(replicas.size() / each);
    for (std::size_t i = 0; i < replicas.size(); ++i)
    {
        std::vector<uint32_t>& gpus = joined[i / each];
        gpus.insert(gpus.end(), replicas[i].begin(), replicas[i].end());
    }
    for (std::vector<uint32_t>& gpus : joined)
    {
        std::sort(gpus.begin(), gpus.end());
    }
    return joined;
}

} // namespace

ReplicaFinder::ReplicaFinder(const Wiring& wiring,
                             const RunSettings& settings,
                             const std::optional<PathSpread>& spread)
    : m_wiring(wiring),
      m_settings(settings),
      m_isSpread(spread && *spread != PathSpread::OnePath),
      m_period(settings.balancer->GetPeriod(wiring.GetShape().nicsPerServer))
{
    if (const Ptr<const Balancer> other = settings.balancer->GetOtherBalancer())
    {
        m_period = std::lcm(m_period, other->GetPeriod(wiring.GetShape().nicsPerServer));
    }
}

std::shared_ptr<const ReplicaFold>
ReplicaFinder::Find(const GraphProgram& program, bool isBrief)
{
    const std::vector<std::vector<uint32_t>> replicas = program.GetReplicas();
    if (replicas.size() <= ReplicaFold::kComputed)
    {
        return nullptr; // folding would save nothing
    }
    if (std::optional<std::string> obstacle = FindObstacle())
    {
        m_reason = std::move(*obstacle);
        return nullptr;
    }
    m_reason = "replicas have no whole servers at equal places";
    for (std::size_t each = 1; each * ReplicaFold::kComputed < replicas.size(); ++each)
    {
        if (replicas.size() % each != 0)
        {
            continue;
        }
        std::vector<std::vector<uint32_t>> joined = Join(replicas, each);
        if (!ReplicaFold::Fits(m_wiring.GetShape(), joined))
        {
            continue;
        }
        const auto fold = std::make_shared<ReplicaFold>(m_wiring.GetShape(), std::move(joined));
        if (!HaveAlikeServers(*fold) ||
            (!AllMeetInOneSwitch() && !ReplicaLinks::Find(m_wiring, *fold)))
        {
            continue;
        }
        const std::optional<std::string> difference =
            FindDifference(program,
                           *fold,
                           {IsClose(),
                            m_settings.balancer->PlansApart(m_wiring.GetInterior()->GetLayout()),
                            isBrief});
        if (!difference)
        {
            m_reason.clear();
            return fold;
        }
        m_reason = "replicas differ in what they compute or send (" + *difference + ")";
    }
    return nullptr;
}

/// \return why replicas may not behave alike, or may not represent others
std::optional<std::string>
ReplicaFinder::FindObstacle() const
{
    const RecordOptions& record = *m_settings.record;
    if (record.WantsExplanation() || record.WantsTimeline() || record.WantsPlacement())
    {
        return "what is recorded is told GPU by GPU (record)";
    }
    if (!m_settings.failures->IsEmpty())
    {
        return "something fails";
    }
    if (m_wiring.HasOptical() || m_wiring.HasRelays() || !m_wiring.GetOverrides().empty())
    {
        return "there are circuits, relays, or routes that were given";
    }
    if (m_period == 0)
    {
        return "the balancer does not treat servers alike";
    }
    if (!AllMeetInOneSwitch() && !(IsClose() && m_isSpread))
    {
        return IsClose() ? "replicas share cables between switches, over which not everything "
                           "spreads (balance.host, balance.switch)"
                         : "replicas share cables between switches";
    }
    return std::nullopt;
}

bool
ReplicaFinder::IsClose() const
{
    return m_settings.engine->GetSymmetry() == SYMMETRY_CLOSE;
}

/// \return true when all traffic between two NICs crosses a single switch, and only the links of
/// these NICs
bool
ReplicaFinder::AllMeetInOneSwitch() const
{
    const ClusterShape& shape = m_wiring.GetShape();
    for (uint32_t nic = 0; nic < shape.GetNics(); ++nic)
    {
        const uint32_t first = m_settings.balancer->AnyCrossesRails() ? 0 : shape.GetRail(nic);
        if (m_wiring.GetEdge(nic) != m_wiring.GetEdge(first))
        {
            return false;
        }
    }
    return true;
}

/// \return true when two servers have equal NICs, and round-robin choices of rails or NICs begin
/// equally
bool
ReplicaFinder::AreAlike(uint32_t server, uint32_t other) const
{
    const ClusterShape& shape = m_wiring.GetShape();
    if (server % m_period != other % m_period)
    {
        return false;
    }
    for (const std::vector<uint16_t>& near : m_wiring.GetRates().nearRails)
    {
        if (server * shape.gpusPerServer % near.size() != other * shape.gpusPerServer % near.size())
        {
            return false;
        }
    }
    for (uint32_t rail = 0; rail < shape.nicsPerServer; ++rail)
    {
        const Cable& own = m_wiring.GetCables()[shape.GetNic(server, rail)];
        const Cable& its = m_wiring.GetCables()[shape.GetNic(other, rail)];
        if (own.kind != its.kind || own.rateBps != its.rateBps || own.isUp != its.isUp)
        {
            return false;
        }
    }
    return true;
}

bool
ReplicaFinder::HaveAlikeServers(const ReplicaFold& fold) const
{
    for (uint32_t server = 0; server < m_wiring.GetShape().servers; ++server)
    {
        if (!AreAlike(server, fold.FindComputedServer(server)))
        {
            return false;
        }
    }
    return true;
}

} // namespace ns3::rails
