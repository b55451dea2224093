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

/// The wiring of a topology, and values derived from it.
struct LaidFabric
{
    std::shared_ptr<const Wiring> wiring;
    FabricTraits traits;
    std::shared_ptr<CollectiveChooser> chooser; //!< caches its choices on this fabric
};

/// Caches the fabrics of equal topologies, as most points of a sweep differ in other sections.
class FabricCache
{
  public:
    /**
     * \param topology passes its Check()
     * \throws ConfigurationError when Lay() fails, with a path from the top of the descriptor
     */
    LaidFabric Get(const Topology& topology);

  private:
    struct Entry
    {
        std::string key; // type and attributes
        LaidFabric fabric;
    };

    std::list<Entry> m_entries; // most recently used first
};

} // namespace ns3::rails

#endif // RAILS_FABRIC_CACHE_H
