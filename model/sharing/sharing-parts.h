// SPDX-License-Identifier: GPL-2.0-only
#ifndef SHARING_PARTS_H
#define SHARING_PARTS_H

#include "sharing-graph.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Parts of a graph that have nothing to do with each other: no class with weight uses or loads
 * resources of two of them. A class that goes leaves parts as they are, though one may be two then.
 */
class SharingParts
{
  public:
    /// Some resources of a part.
    using Resources = std::vector<uint32_t>;

    /// \param graph whose parts these are
    explicit SharingParts(const SharingGraph& graph);

    /// Classes got weight that had none: the parts that are known may be no parts any more.
    void Forget()
    {
        m_isKnown = false;
    }

    /// \return whether parts are known
    bool IsKnown() const
    {
        return m_isKnown && m_roots.size() == m_graph.GetResources().size();
    }

    /// Sorts resources by the parts that they are in.
    /// \return as GetSorted()
    const std::vector<Resources>& Sort(const Resources& resources);

    /// \return what was sorted last: those of each part as they came, of the parts that with the
    /// most first
    const std::vector<Resources>& GetSorted() const
    {
        return m_sorted;
    }

  private:
    void Find();
    uint32_t GetRoot(uint32_t resource);

    const SharingGraph& m_graph;
    bool m_isKnown{false};
    std::vector<uint32_t> m_roots; // by resource: one that is nearer to the one that stands for all
    std::vector<uint32_t> m_order; // by root: place among the sorted ones
    std::vector<Resources> m_sorted;
};

} // namespace ns3::rails

#endif // SHARING_PARTS_H
