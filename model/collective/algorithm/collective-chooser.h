// SPDX-License-Identifier: GPL-2.0-only
#ifndef COLLECTIVE_CHOOSER_H
#define COLLECTIVE_CHOOSER_H

#include "collective-traffic.h"

#include <cstdint>
#include <map>
#include <tuple>
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
                            GroupCollective::Operation operation,
                            uint64_t bytes,
                            const CollectiveChoice& asked);

  private:
    using Key = std::tuple<GroupCollective::Operation,
                           uint64_t,                            // bytes
                           CollectiveChoice,                    // asked for
                           std::tuple<uint32_t, uint32_t>,      // GPUs and NICs of a server
                           std::vector<std::vector<uint32_t>>>; // groups

    std::map<Key, CollectiveChoice> m_known;
};

} // namespace ns3::rails

#endif // COLLECTIVE_CHOOSER_H
