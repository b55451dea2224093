// SPDX-License-Identifier: GPL-2.0-only
#include "rails-wiring.h"

#include "ns3/rails-error.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <limits>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace ns3::rails
{

namespace
{

constexpr uint32_t kMostPorts = std::numeric_limits<uint16_t>::max(); // ports have 16-bit numbers

/// \return latencies of the hops from one end of a server to another
TimePs
FindCrossing(const ServerInterior& interior, uint32_t from, uint32_t to)
{
    TimePs time = 0;
    for (const uint32_t number : interior.GetWay(from, to))
    {
        time += interior.GetHop(number).latency;
    }
    return time;
}

/// Finds latency, segment size and rate of a message inside servers, before and after its NICs.
void
MeasureEnds(const ServerInterior& interior, uint16_t rail, ClusterRates& rates)
{
    const uint32_t gpu = interior.GetLayout().GetNearGpus(rail).front();
    const uint32_t nic = interior.GetNicEnd(rail);
    rates.endsLatency = FindCrossing(interior, gpu, nic) + FindCrossing(interior, nic, gpu);
    rates.stagedBytes = interior.GetSegmentBytes();
    for (const uint32_t number : interior.GetWay(gpu, nic))
    {
        rates.stagedBps = interior.GetLinks()[interior.GetHop(number).links.front()].rateBps;
    }
}

} // namespace

Wiring::Wiring(ClusterShape shape, std::shared_ptr<const ServerInterior> interior)
    : m_shape(shape),
      m_interior(std::move(interior)),
      m_cables(shape.GetNics()),
      m_circuits(
          shape,
          [this](uint32_t nic) {
              return IsOptical(nic) ? std::optional<uint32_t>(GetEdge(nic)) : std::nullopt;
          },
          [this](uint32_t nic, const CutRules& rules) {
              for (WiringListener* listener : m_listeners)
              {
                  listener->OnCircuit(nic, rules);
              }
          })
{
    for (uint32_t number = 0; number < m_cables.size(); ++number)
    {
        Cable& cable = m_cables[number];
        cable.isNic = true;
        cable.lower = number;
    }
}

uint32_t
Wiring::AddSwitch(const std::string& name)
{
    const auto number = static_cast<uint32_t>(m_switches.size());
    m_switches.push_back({name});
    m_byName[name] = number;
    return number;
}

uint16_t
Wiring::AddPort(uint32_t at, uint32_t cable)
{
    WiredSwitch& owner = m_switches[at];
    if (owner.cables.size() == kMostPorts)
    {
        throw ConfigurationError("topology",
                                 owner.name + " would have more than " +
                                     std::to_string(kMostPorts) +
                                     " ports: fewer spines or fewer parallel cables");
    }
    owner.cables.push_back(cable);
    return static_cast<uint16_t>(owner.cables.size() - 1);
}

uint32_t
Wiring::AddKind(const CableKind& kind)
{
    const auto tie = [](const CableKind& other) {
        return std::tie(other.lowerClass,
                        other.upperClass,
                        other.rateBps,
                        other.delay,
                        other.cost,
                        other.loss);
    };
    // Kinds are few, and the latest is the most likely.
    const auto known = std::find_if(m_kinds.rbegin(), m_kinds.rend(), [&](const CableKind& other) {
        return tie(other) == tie(kind);
    });
    if (known != m_kinds.rend())
    {
        return static_cast<uint32_t>(m_kinds.rend() - known - 1);
    }
    m_kinds.push_back(kind);
    return static_cast<uint32_t>(m_kinds.size() - 1);
}

void
Wiring::Attach(uint32_t nic, uint32_t edge, uint32_t region, const CableKind& kind)
{
    WiredSwitch& at = m_switches[edge];
    if (!at.hasNics)
    {
        at.hasNics = true;
        at.region = region;
        m_edges.push_back(edge);
    }
    Cable& cable = m_cables[nic];
    cable.upper = edge;
    cable.upperPort = AddPort(edge, nic);
    cable.kind = AddKind(kind);
    cable.rateBps = kind.rateBps;
}

void
Wiring::Join(uint32_t lower, uint32_t upper, const CableKind& kind, uint32_t parallel)
{
    if (m_switches[lower].isRelay != m_switches[upper].isRelay)
    {
        throw std::logic_error("no cable can join a relay and another switch: " +
                               m_switches[lower].name + " and " + m_switches[upper].name);
    }
    const uint32_t known = AddKind(kind);
    for (uint32_t i = 0; i < parallel; ++i)
    {
        const auto number = static_cast<uint32_t>(m_cables.size());
        const uint16_t lowerPort = AddPort(lower, number);
        const uint16_t upperPort = AddPort(upper, number);
        m_cables.push_back({false, lower, upper, lowerPort, upperPort, known, kind.rateBps, true});
    }
}

void
Wiring::SetKind(uint32_t cable, const CableKind& kind)
{
    m_cables[cable].kind = AddKind(kind);
    m_cables[cable].rateBps = kind.rateBps;
}

void
Wiring::AddLatencies(TimePs ofNic, TimePs ofSwitch)
{
    const auto find = [&](uint32_t at) {
        return m_switches[at].isOptical || m_switches[at].isRelay ? 0 : ofSwitch / 2;
    };
    for (uint32_t number = 0; number < m_cables.size(); ++number)
    {
        const Cable& cable = m_cables[number];
        CableKind kind = GetKind(cable);
        kind.delay += (cable.isNic ? ofNic : find(cable.lower)) + find(cable.upper);
        SetKind(number, kind);
    }
}

void
Wiring::Override(RouteOverride route)
{
    m_overrides.push_back(std::move(route));
}

const CableKind&
Wiring::GetKind(const Cable& cable) const
{
    return m_kinds[cable.kind];
}

ClusterRates
Wiring::GetRates() const
{
    ClusterRates rates;
    for (const ServerInterior::Link& link : m_interior->GetLinks())
    {
        if (link.gpu == 0 && link.sends)
        {
            rates.gpuBps = std::max(rates.gpuBps, link.rateBps);
        }
    }
    uint64_t all = 0;
    uint64_t packet = 0;
    for (uint32_t nic = 0; nic < m_shape.nicsPerServer; ++nic) // servers are alike
    {
        const uint64_t rate = GetNicKind(nic).rateBps;
        all += rate;
        if (!IsOptical(nic))
        {
            packet += rate;
            ++rates.packetNics;
        }
    }
    rates.nicBps = all / m_shape.nicsPerServer;
    rates.packetBps = rates.packetNics > 0 ? packet / rates.packetNics : 0;
    for (uint32_t gpu = 0; gpu < m_shape.gpusPerServer; ++gpu)
    {
        std::vector<uint16_t>& near = rates.nearRails.emplace_back();
        for (const uint16_t rail : m_interior->GetLayout().GetNearNics(gpu))
        {
            if (!IsOptical(rail))
            {
                near.push_back(rail);
            }
        }
    }
    if (m_shape.gpusPerServer > 1)
    {
        rates.insideLatency = FindCrossing(*m_interior, 0, 1);
    }
    for (uint16_t rail = 0; rail < m_shape.nicsPerServer; ++rail)
    {
        if (!IsOptical(rail))
        {
            MeasureEnds(*m_interior, rail, rates);
            break;
        }
    }
    return rates;
}

const CableKind&
Wiring::GetNicKind(uint32_t nic) const
{
    return m_kinds[m_cables[nic].kind];
}

uint32_t
Wiring::GetEdge(uint32_t nic) const
{
    return m_cables[nic].upper;
}

uint32_t
Wiring::FindSwitch(const std::string& name) const
{
    const auto found = m_byName.find(name);
    return found == m_byName.end() ? static_cast<uint32_t>(m_switches.size()) : found->second;
}

uint32_t
Wiring::FindNic(const std::string& name) const
{
    uint32_t server = 0;
    uint32_t rail = 0;
    const std::size_t digits = name.find_first_of("0123456789");
    const std::size_t dash = name.find("-nic");
    if (digits < dash && dash != std::string::npos)
    {
        std::from_chars(name.data() + digits, name.data() + dash, server);
        std::from_chars(name.data() + dash + 4, name.data() + name.size(), rail);
    }
    const bool exists = server < m_shape.servers && rail < m_shape.nicsPerServer;
    const uint32_t nic = exists ? m_shape.GetNic(server, rail) : 0;
    return exists && GetNicName(nic) == name ? nic : m_shape.GetNics();
}

std::string
Wiring::GetNicName(uint32_t nic) const
{
    return "server" + std::to_string(m_shape.GetNicServer(nic)) + "-nic" +
           std::to_string(m_shape.GetRail(nic));
}

std::pair<std::string, std::string>
Wiring::GetEndNames(const Cable& cable) const
{
    return {cable.isNic ? GetNicName(cable.lower) : m_switches[cable.lower].name,
            m_switches[cable.upper].name};
}

std::vector<uint32_t>
Wiring::FindCables(uint32_t one, uint32_t other) const
{
    std::vector<uint32_t> found;
    for (const uint32_t number : m_switches[one].cables)
    {
        const Cable& cable = m_cables[number];
        if (!cable.isNic && (cable.lower == one ? cable.upper : cable.lower) == other)
        {
            found.push_back(number);
        }
    }
    return found;
}

void
Wiring::AddListener(WiringListener& listener)
{
    m_listeners.push_back(&listener);
}

void
Wiring::RemoveListener(WiringListener& listener)
{
    m_listeners.erase(std::remove(m_listeners.begin(), m_listeners.end(), &listener),
                      m_listeners.end());
}

void
Wiring::PrepareChange()
{
    for (WiringListener* listener : m_listeners)
    {
        listener->BeforeChange();
    }
}

void
Wiring::SetUp(uint32_t cable, bool up, const CutRules& rules)
{
    m_wasCut = m_wasCut || !up;
    m_cables[cable].isUp = up;
    for (WiringListener* listener : m_listeners)
    {
        listener->OnCableUp(cable, rules);
    }
}

void
Wiring::SetRate(uint32_t cable, uint64_t rateBps)
{
    m_cables[cable].rateBps = rateBps;
    for (WiringListener* listener : m_listeners)
    {
        listener->OnCableRate(cable);
    }
}

void
Wiring::MakeOptical(uint32_t at)
{
    m_switches[at].isOptical = true;
    m_hasOptical = true;
}

uint64_t
Wiring::GetCircuitRate(uint32_t nic, uint32_t other) const
{
    return std::min(m_cables[nic].rateBps, m_cables[other].rateBps);
}

CircuitTable&
Wiring::GetCircuits()
{
    return m_circuits;
}

void
Wiring::MakeRelay(uint32_t at)
{
    m_switches[at].isRelay = true;
}

bool
Wiring::HasRelays() const
{
    return std::any_of(m_switches.begin(), m_switches.end(), [](const WiredSwitch& at) {
        return at.isRelay;
    });
}

bool
Wiring::IsOptical(uint32_t nic) const
{
    return HasOptical() && m_switches[GetEdge(nic)].isOptical;
}

bool
Wiring::IsCarrying(uint32_t cable) const
{
    return m_cables[cable].isUp &&
           (!m_cables[cable].isNic || !IsOptical(cable) || m_circuits.GetPeer(cable) != cable ||
            m_circuits.GetSource(cable) != cable);
}

} // namespace ns3::rails
