// SPDX-License-Identifier: GPL-2.0-only
#ifndef INDEPENDENT_PARTS_H
#define INDEPENDENT_PARTS_H

#include "max-min-system.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Connected components of a max-min system: no variable with weight uses or loads constraints of
 * two parts. Removing a variable keeps the parts, although one of them may have become two.
 */
class IndependentParts
{
  public:
    /// Constraints of one part.
    using Constraints = std::vector<uint32_t>;

    /// \param system kept by reference
    explicit IndependentParts(const MaxMinSystem& system);

    /// Variables got their first weight, which may connect parts.
    void Forget()
    {
        m_isKnown = false;
    }

    /// \return whether the parts are up to date
    bool IsKnown() const
    {
        return m_isKnown && m_roots.size() == m_system.GetConstraints().size();
    }

    /// Groups constraints by part.
    /// \return as GetSorted()
    const std::vector<Constraints>& Sort(const Constraints& constraints);

    /// \return the groups of the last Sort(), the largest first, each in the order given
    const std::vector<Constraints>& GetSorted() const
    {
        return m_sorted;
    }

  private:
    void Find();
    uint32_t GetRoot(uint32_t constraint);

    const MaxMinSystem& m_system;
    bool m_isKnown{false};
    std::vector<uint32_t> m_roots; // union-find, by constraint: its parent
    std::vector<uint32_t> m_order; // by root: index in m_sorted
    std::vector<Constraints> m_sorted;
};

} // namespace ns3::rails

#endif // INDEPENDENT_PARTS_H
