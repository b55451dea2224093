// SPDX-License-Identifier: GPL-2.0-only
#include "path-bundles.h"

#include <array>
#include <map>
#include <unordered_map>
#include <utility>

namespace ns3::rails
{

namespace
{

// Holds a product of two residues, which no type of the C++ standard does.
__extension__ typedef unsigned __int128 WideProduct;

// A Mersenne prime. Shares are quotients of whole numbers, and modulo a prime sums, products and
// quotients are exact: equal shares have equal residues, in any order of additions.
constexpr uint64_t kPrime = (uint64_t{1} << 61) - 1;

uint64_t
AddResidues(uint64_t a, uint64_t b)
{
    const uint64_t sum = a + b;
    return sum >= kPrime ? sum - kPrime : sum;
}

uint64_t
MultiplyResidues(uint64_t a, uint64_t b)
{
    const WideProduct product = WideProduct{a} * b;
    return AddResidues(static_cast<uint64_t>(product) & kPrime,
                       static_cast<uint64_t>(product >> 61));
}

// By Fermat's little theorem.
uint64_t
InvertResidue(uint64_t a)
{
    uint64_t inverse = 1;
    for (uint64_t left = kPrime - 2; left > 0; left >>= 1)
    {
        if (left & 1)
        {
            inverse = MultiplyResidues(inverse, a);
        }
        a = MultiplyResidues(a, a);
    }
    return inverse;
}

/**
 * Fingerprints of the shares of directions on all paths, which are too many to store. Each pair of
 * edge switches sends its own amount, a power of a fixed number, and each port sums the amounts
 * that pass. Ports of equal shares get equal sums. Ports of different shares get equal sums with
 * probability 1e-12 for a million pairs, and 1e-24 with a second such sum; building a path detects
 * this. Amounts for one destination add up on the way, so all pairs of a destination cost one walk.
 */
class ShareFingerprints
{
  public:
    /// Sums of one port.
    using Sums = std::array<uint64_t, 2>;

    ShareFingerprints(const Wiring& wiring, const FabricPorts& ports)
        : m_wiring(wiring),
          m_ports(ports),
          m_sums(ports.GetCount()),
          m_arrivals(wiring.GetSwitches().size())
    {
    }

    /// \return the sums of all pairs, by port of the fabric
    const std::vector<Sums>& Collect(DestinationSpread& spread)
    {
        for (const uint32_t to : m_wiring.GetEdges())
        {
            spread.Start(to);
            m_sources.clear();
            for (const uint32_t from : m_wiring.GetEdges())
            {
                if (from != to && spread.Follow(from))
                {
                    m_sources.push_back(from);
                }
            }
            Send(spread);
        }
        return m_sums;
    }

  private:
    static constexpr Sums kBases{0x0f3a'c9d1'57b2'684eULL, 0x16d8'02b7'e94c'f135ULL};

    // Sends the amounts of all sources to one destination.
    void Send(const DestinationSpread& spread)
    {
        const std::vector<DestinationSpread::Stage>& stages = spread.GetStages();
        for (const DestinationSpread::Stage& stage : stages)
        {
            m_arrivals[stage.at] = {};
        }
        for (const uint32_t source : m_sources)
        {
            for (std::size_t i = 0; i < kBases.size(); ++i)
            {
                m_amounts[i] = MultiplyResidues(m_amounts[i], kBases[i]);
                m_arrivals[source][i] = m_amounts[i];
            }
        }
        for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage)
        {
            Sums unit = m_arrivals[stage->at];
            for (uint64_t& amount : unit)
            {
                amount = MultiplyResidues(amount, Invert(stage->total));
            }
            SendOn(spread, *stage, unit);
        }
    }

    // Distributes the arrivals of a stage over its ports.
    void SendOn(const DestinationSpread& spread,
                const DestinationSpread::Stage& stage,
                const Sums& unit)
    {
        const uint32_t first = m_ports.GetNumber(stage.at, 0);
        for (std::size_t i = 0; i < stage.hops->ports.size(); ++i)
        {
            const uint32_t number = first + stage.hops->ports[i];
            const uint32_t neighbour = m_ports.Get(number).neighbour;
            const uint64_t weight = spread.GetWeight(stage, i, neighbour) % kPrime;
            if (weight == 0)
            {
                continue; // the port may have no path
            }
            Sums& seen = m_sums[number];
            Sums& next = m_arrivals[neighbour];
            for (std::size_t k = 0; k < unit.size(); ++k)
            {
                const uint64_t part = weight == 1 ? unit[k] : MultiplyResidues(unit[k], weight);
                seen[k] = AddResidues(seen[k], part);
                next[k] = AddResidues(next[k], part);
            }
        }
    }

    // Cached: different totals are few.
    uint64_t Invert(uint64_t total)
    {
        const auto [known, isNew] = m_inverses.try_emplace(total, 0);
        if (isNew)
        {
            known->second = InvertResidue(total % kPrime);
        }
        return known->second;
    }

    const Wiring& m_wiring;
    const FabricPorts& m_ports;
    std::vector<Sums> m_sums;     // by number of the port
    std::vector<Sums> m_arrivals; // by switch
    std::vector<uint32_t> m_sources;
    Sums m_amounts{1, 1}; // of the latest pair
    std::unordered_map<uint64_t, uint64_t> m_inverses;
};

} // namespace

PathBundles::PathBundles(uint32_t directions)
    : m_bundles(directions)
{
    for (uint32_t direction = 0; direction < directions; ++direction)
    {
        Add(direction, direction);
    }
}

PathBundles::PathBundles(const Wiring& wiring, DestinationSpread& spread)
    : m_bundles(2 * wiring.GetCables().size())
{
    const FabricPorts& ports = spread.GetPorts();
    ShareFingerprints fingerprints(wiring, ports);
    const std::vector<ShareFingerprints::Sums>& sums = fingerprints.Collect(spread);
    std::vector<uint32_t> portOf(m_bundles.size()); // by direction: its sending port
    for (uint32_t port = 0; port < ports.GetCount(); ++port)
    {
        portOf[ports.Get(port).direction] = port;
    }
    std::map<ShareFingerprints::Sums, uint32_t> known;
    for (uint32_t direction = 0; direction < m_bundles.size(); ++direction)
    {
        const bool isNic = wiring.GetCables()[GetCableOfDirection(direction)].isNic;
        const uint32_t next = GetCount();
        Add(direction,
            isNic ? next : known.try_emplace(sums[portOf[direction]], next).first->second);
    }
}

void
PathBundles::Add(uint32_t direction, uint32_t bundle)
{
    if (bundle == m_directions.size())
    {
        m_directions.emplace_back();
    }
    m_directions[bundle].push_back(direction);
    m_bundles[direction] = bundle;
}

uint32_t
PathBundles::GetCount() const
{
    return static_cast<uint32_t>(m_directions.size());
}

const std::vector<uint32_t>&
PathBundles::GetDirections(uint32_t bundle) const
{
    return m_directions[bundle];
}

uint32_t
PathBundles::Find(uint32_t direction) const
{
    return m_bundles[direction];
}

} // namespace ns3::rails
