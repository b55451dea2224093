// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_FABRIC_CACHE_H
#define RAILS_FABRIC_CACHE_H

#include "ns3/cluster-topology.h"
#include "ns3/fabric-traits.h"
#include "ns3/rails-wiring.h"
#include "ns3/rails-workload.h"

#include <list>
#include <memory>
#include <string>

namespace ns3::rails
{

/// A fabric as a topology lays it.
struct LaidFabric
{
    std::shared_ptr<const Wiring> wiring;
    FabricTraits traits;
    std::shared_ptr<CollectiveChooser> chooser; //!< knows the collectives that were chosen on it
};

/// Lays equal topologies once: most points of a sweep differ in other things.
class FabricCache
{
  public:
    /**
     * \param topology whose Check() has passed
     * \return its fabric
     * \throws ConfigurationError when it cannot be laid, with a path from the top of the descriptor
     */
    LaidFabric Get(const Topology& topology);

  private:
    struct Entry
    {
        std::string key; // type and attributes
        LaidFabric fabric;
    };

    std::list<Entry> m_entries; // the latest used first
};

} // namespace ns3::rails

#endif // RAILS_FABRIC_CACHE_H
