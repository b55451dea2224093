// SPDX-License-Identifier: GPL-2.0-only
#ifndef COLLECTIVE_CHOOSER_H
#define COLLECTIVE_CHOOSER_H

#include "collective.h"

#include "ns3/fabric-paths.h"

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// Chooses how groups of GPUs of one fabric do their collectives, each once: points of a sweep, and
/// the checks before a run, ask for the same again.
class CollectiveChooser
{
  public:
    /// \return what ChooseCollective() does
    CollectiveChoice Choose(const CollectiveGroups& groups,
                            CollectiveOperation operation,
                            uint64_t bytes,
                            const CollectiveChoice& asked,
                            bool hasTrees = true);

    /// \return ways like these that were shared before, or these. \param ways of the fabric
    std::shared_ptr<const FabricPaths> Share(std::shared_ptr<const FabricPaths> ways);

  private:
    using Key = std::tuple<CollectiveOperation,
                           uint64_t,                            // bytes
                           std::pair<CollectiveChoice, bool>,   // asked for, trees as well
                           uint64_t,                            // variant of ways
                           std::tuple<uint32_t, uint32_t>,      // GPUs and NICs of a server
                           std::vector<std::vector<uint32_t>>>; // groups

    std::map<Key, CollectiveChoice> m_known;
    std::map<uint64_t, std::shared_ptr<const FabricPaths>> m_ways; //!< by variant
};

} // namespace ns3::rails

#endif // COLLECTIVE_CHOOSER_H
