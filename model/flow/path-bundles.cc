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

// Wider than a product of two residues; no type of the C++ standard is.
__extension__ typedef unsigned __int128 WideProduct;

// A Mersenne prime. Shares are quotients of whole numbers, and modulo a prime sums, products and
// quotients are exact: the same share is the same residue, by whatever order of additions.
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
 * Tells directions apart by the shares that they have on all paths, which would be far too many to
 * keep. Instead each pair of edge switches sends an amount of its own, a power of a fixed number,
 * and what comes by at a direction is summed up. Directions of the same shares see the same sum;
 * two of different shares would see the same by a chance of one in 10^17, and with a second such
 * sum, of one in 10^34. What goes to one destination adds up on its way, so all pairs of a
 * destination cost one walk.
 */
class ShareFingerprints
{
  public:
    /// What one direction has seen.
    using Sums = std::array<uint64_t, 2>;

    explicit ShareFingerprints(const Wiring& wiring)
        : m_wiring(wiring),
          m_sums(2 * wiring.GetCables().size()),
          m_arrivals(wiring.GetSwitches().size())
    {
    }

    /// \return what every direction has seen of all pairs
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

    // Sends what all sources of one destination have.
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
            const uint64_t inverse = Invert(stage->total);
            Sums unit = m_arrivals[stage->at];
            unit[0] = MultiplyResidues(unit[0], inverse);
            unit[1] = MultiplyResidues(unit[1], inverse);
            for (uint32_t i = stage->firstHop; i < stage->endHop; ++i)
            {
                const DestinationSpread::Hop& hop = spread.GetHops()[i];
                const uint64_t weight = hop.weight % kPrime;
                Sums& seen = m_sums[hop.direction];
                Sums& next = m_arrivals[hop.neighbour];
                for (std::size_t k = 0; k < unit.size(); ++k)
                {
                    const uint64_t part = weight == 1 ? unit[k] : MultiplyResidues(unit[k], weight);
                    seen[k] = AddResidues(seen[k], part);
                    next[k] = AddResidues(next[k], part);
                }
            }
        }
    }

    // Totals are few.
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
    std::vector<Sums> m_sums;     // by direction
    std::vector<Sums> m_arrivals; // by switch: what has come in there
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
    ShareFingerprints fingerprints(wiring);
    const std::vector<ShareFingerprints::Sums>& sums = fingerprints.Collect(spread);
    std::map<ShareFingerprints::Sums, uint32_t> known;
    for (uint32_t direction = 0; direction < sums.size(); ++direction)
    {
        const bool isNic = wiring.GetCables()[GetCableOfDirection(direction)].isNic;
        Add(direction,
            isNic ? GetCount() : known.try_emplace(sums[direction], GetCount()).first->second);
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
