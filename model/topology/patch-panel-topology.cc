// SPDX-License-Identifier: GPL-2.0-only
#include "patch-panel-topology.h"

#include "circulant-offsets.h"

#include "ns3/component-documentation.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(PatchPanelTopology);

namespace
{

/// Calls `join(one, other, count)` for all pairs of servers of a circle that are an offset apart,
/// each pair once.
template <typename Join>
void
JoinCircle(uint32_t first, uint32_t servers, uint32_t offset, uint32_t count, Join join)
{
    const bool isHalf = 2 * offset == servers;
    for (uint32_t place = 0; place < (isHalf ? offset : servers); ++place)
    {
        join(first + place, first + (place + offset) % servers, count);
    }
}

} // namespace

TypeId
PatchPanelTopology::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::PatchPanelTopology").SetParent<FabricTopology>(),
            "A patch panel whose circuits join NICs in pairs, laid once for a job; servers "
            "pass on what is for others. (TopoOpt, arXiv 2202.00433, as MixNet, arXiv "
            "2501.03905, section 7.1, compares with it)")
            .SetGroupName("Rails")
            .AddConstructor<PatchPanelTopology>()
            .AddAttribute("Domains",
                          "Servers of the cluster.",
                          UintegerValue(64),
                          MakeUintegerAccessor(&PatchPanelTopology::SetServerCount,
                                               &PatchPanelTopology::GetServerCount),
                          MakeCountRange<uint32_t>(2, 65536))
            .AddAttribute("GpusPerDomain",
                          "GPUs of a server.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&PatchPanelTopology::SetGpusPerServer,
                                               &PatchPanelTopology::GetGpusPerServer),
                          MakeCountRange<uint32_t>(1, 1024))
            .AddAttribute("Region",
                          "Servers that follow each other and exchange the tokens of experts: "
                          "those of a group of expert parallelism with its tensor parallelism. "
                          "(MixNet, section 4.2)",
                          UintegerValue(8),
                          MakeUintegerAccessor(&PatchPanelTopology::m_region),
                          MakeCountRange<uint32_t>(2, 1024))
            .AddAttribute("RegionNics",
                          "NICs of every server for circuits within its region, dealt to its peers "
                          "as evenly as they go; where they do not reach every peer, those that "
                          "bring the region closest together. 0: no such circuits.",
                          UintegerValue(4),
                          MakeUintegerAccessor(&PatchPanelTopology::m_regionNics),
                          MakeCountRange<uint32_t>(0, 1024))
            .AddAttribute("Strides",
                          "Rings: with a stride s every server has a circuit to the server s ahead "
                          "and one to the server s behind; where that is the same server, two to "
                          "it. They join regions, for stages and for replicas of experts. (ring "
                          "permutations of TopoOpt)",
                          CountListValue(CountList({8, 16})),
                          MakeCountListAccessor(&PatchPanelTopology::m_strides),
                          MakeCountListChecker())
            .AddAttribute("Spans",
                          "For each stride, how many servers that follow each other its rings go "
                          "round in, such as those of a stage. Empty: all of them.",
                          CountListValue(CountList()),
                          MakeCountListAccessor(&PatchPanelTopology::m_spans),
                          MakeCountListChecker());
    return tid;
}

ClusterShape
PatchPanelTopology::GetShape() const
{
    return {GetServerCount(), GetGpusPerServer(), GetNicsPerServer()};
}

uint32_t
PatchPanelTopology::GetSpan(const ClusterShape& shape, std::size_t stride) const
{
    return m_spans.Get().empty() ? shape.servers : m_spans.Get()[stride];
}

void
PatchPanelTopology::CheckFor(const ClusterShape& shape) const
{
    const std::size_t strides = m_strides.Get().size();
    if (m_regionNics + 2 * strides != shape.nicsPerServer)
    {
        throw ConfigurationError("region_nics",
                                 "a server has " + std::to_string(shape.nicsPerServer) +
                                     " NICs, and circuits take " + std::to_string(m_regionNics) +
                                     " of them in the region and two for each of " +
                                     std::to_string(strides) +
                                     " strides: make region_nics + 2 x strides the number of NICs");
    }
    CheckRegions(shape);
    CheckStrides(shape);
    CheckConnected(shape, MakeCircuits(shape));
}

void
PatchPanelTopology::CheckRegions(const ClusterShape& shape) const
{
    if (m_regionNics == 0)
    {
        return;
    }
    if (shape.servers % m_region != 0)
    {
        throw ConfigurationError("region",
                                 std::to_string(shape.servers) +
                                     " servers do not make regions of " + std::to_string(m_region));
    }
    if (m_region % 2 == 1 && m_regionNics % 2 == 1)
    {
        throw ConfigurationError("region_nics",
                                 std::to_string(m_region) + " servers with " +
                                     std::to_string(m_regionNics) +
                                     " NICs each have an odd number of them, and a circuit joins "
                                     "two: make region or region_nics even");
    }
}

void
PatchPanelTopology::CheckStrides(const ClusterShape& shape) const
{
    const std::vector<uint32_t>& strides = m_strides.Get();
    if (!m_spans.Get().empty() && m_spans.Get().size() != strides.size())
    {
        throw ConfigurationError("spans",
                                 "there are " + std::to_string(strides.size()) + " strides and " +
                                     std::to_string(m_spans.Get().size()) +
                                     " spans: give one for each, or none");
    }
    for (std::size_t i = 0; i < strides.size(); ++i)
    {
        const uint32_t span = GetSpan(shape, i);
        if (span == 0 || shape.servers % span != 0)
        {
            throw ConfigurationError("spans",
                                     std::to_string(shape.servers) +
                                         " servers are not a multiple of " + std::to_string(span) +
                                         ": rings go round in spans of equal size");
        }
        if (strides[i] == 0 || strides[i] >= span)
        {
            throw ConfigurationError("strides",
                                     "a stride of " + std::to_string(strides[i]) +
                                         " leads nowhere among " + std::to_string(span) +
                                         " servers: expected 1 to " + std::to_string(span - 1));
        }
    }
}

// Union-find: the circuits connect all servers when one part is left.
void
PatchPanelTopology::CheckConnected(const ClusterShape& shape, const std::vector<Circuits>& circuits)
{
    std::vector<uint32_t> parts(shape.servers); // by server, its parent; a root is its own parent
    std::iota(parts.begin(), parts.end(), 0);
    const auto find = [&parts](uint32_t server) {
        while (parts[server] != server)
        {
            parts[server] = parts[parts[server]];
            server = parts[server];
        }
        return server;
    };
    uint32_t count = shape.servers;
    for (const Circuits& each : circuits)
    {
        const uint32_t one = find(each.lower);
        const uint32_t other = find(each.upper);
        count -= one == other ? 0 : 1;
        parts[one] = other;
    }
    if (count > 1)
    {
        throw ConfigurationError("strides",
                                 "the circuits leave " + std::to_string(count) +
                                     " groups of servers that nothing joins: add strides that lead "
                                     "from one to the next, such as that of the next region or "
                                     "stage, or lengthen spans");
    }
}

std::vector<PatchPanelTopology::Circuits>
PatchPanelTopology::MakeCircuits(const ClusterShape& shape) const
{
    std::vector<Circuits> circuits;
    const auto join = [&circuits](uint32_t one, uint32_t other, uint32_t count) {
        circuits.push_back({std::min(one, other), std::max(one, other), count});
    };
    const uint32_t peers = m_region - 1;
    const uint32_t each = m_regionNics / peers; // circuits to every peer
    const std::vector<uint32_t> offsets = FindCirculantOffsets(m_region, m_regionNics % peers);
    for (uint32_t first = 0; m_regionNics > 0 && first < shape.servers; first += m_region)
    {
        for (uint32_t offset = 1; each > 0 && 2 * offset <= m_region; ++offset)
        {
            JoinCircle(first, m_region, offset, each, join);
        }
        for (const uint32_t offset : offsets)
        {
            JoinCircle(first, m_region, offset, 1, join);
        }
    }
    for (std::size_t i = 0; i < m_strides.Get().size(); ++i)
    {
        const uint32_t span = GetSpan(shape, i);
        const uint32_t stride = m_strides.Get()[i];
        for (uint32_t first = 0; first < shape.servers; first += span)
        {
            JoinCircle(first, span, stride, 2 * stride == span ? 2 : 1, join);
        }
    }
    return circuits;
}

void
PatchPanelTopology::LayIn(FabricSite& site) const
{
    const ClusterShape shape = site.GetShape();
    std::vector<uint32_t> relays;
    for (uint32_t server = 0; server < shape.servers; ++server)
    {
        relays.push_back(site.AddSwitch("relay" + std::to_string(server)));
        site.MakeRelay(relays.back());
        for (uint32_t rail = 0; rail < shape.nicsPerServer; ++rail)
        {
            site.Attach(shape.GetNic(server, rail), relays.back(), server / m_region);
        }
    }
    const CableKind circuit = MakeKind("circuit", "circuit", GetNicRateBps());
    for (const Circuits& each : MakeCircuits(shape))
    {
        site.Join(relays[each.lower], relays[each.upper], circuit, each.count);
    }
}

/// The circuit has the whole delay between two servers.
CableKind
PatchPanelTopology::MakeNicKind() const
{
    CableKind kind = FabricTopology::MakeNicKind();
    kind.upperClass = "relay_down";
    kind.delay = 0;
    return kind;
}

} // namespace ns3::rails
