// SPDX-License-Identifier: GPL-2.0-only
#ifndef ENTROPY_RING_H
#define ENTROPY_RING_H

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * The last few entropies that came back without a congestion mark. Each is fresh until it has been
 * taken so many times, and stays readable until a newer one takes its place. (REPS, arXiv
 * 2407.21625)
 */
class EntropyRing
{
  public:
    EntropyRing() = default;

    /**
     * \param size entropies that it holds, at least 1
     * \param lifetime times that each may be taken, at least 1
     */
    EntropyRing(uint32_t size, uint32_t lifetime);

    /// Adds an entropy, in place of the oldest when the ring is full.
    void Push(uint16_t entropy);

    /// \return true when there is a fresh entropy to take
    bool HasFresh() const
    {
        return m_fresh > 0;
    }

    /// \return the oldest fresh entropy, which then has one use less; HasFresh() must hold
    uint16_t Take();

    /// \return true when no entropy was ever pushed
    bool IsEmpty() const
    {
        return m_filled == 0;
    }

    /// \return the entropies of the ring in turn, fresh or not; the ring must not be empty
    uint16_t Reuse();

    /// Forgets all.
    void Clear();

  private:
    std::vector<uint16_t> m_entropies;
    uint32_t m_lifetime{1};
    uint32_t m_head{0};     // where the next one goes
    uint32_t m_filled{0};   // places in use, from the first on
    uint32_t m_fresh{0};    // the last so many before the head
    uint32_t m_usesLeft{0}; // of the oldest fresh one; the others have all
    uint32_t m_turn{0};     // place that Reuse() reads next
};

} // namespace ns3::rails

#endif // ENTROPY_RING_H
