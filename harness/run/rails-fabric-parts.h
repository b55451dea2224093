// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_FABRIC_PARTS_H
#define RAILS_FABRIC_PARTS_H

#include "ns3/rails-experiment.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

class Wiring;

/// Devices of one kind at cables of one rate.
struct FabricDevices
{
    std::string device;  //!< name in a file of prices: "nic", "transceiver", "eps_port", ...
    uint64_t rateBps{0}; //!< of the cables
    uint64_t number{0};
    std::string cables; //!< port classes at the ends of the first cable, for messages
};

/// The devices of the fabric of a cluster.
struct FabricParts
{
    uint32_t servers{0};
    uint32_t gpus{0};                   //!< of a server
    uint32_t nics{0};                   //!< of a server
    uint32_t opticalNics{0};            //!< of a server, at an optical circuit switch
    bool hasPanel{false};               //!< servers are connected by a patch panel
    double oversubscription{1};         //!< largest ratio of rates below and above a switch, see
                                        //!< FabricTraits
    std::vector<uint64_t> nicRates;     //!< distinct rates
    std::vector<FabricDevices> devices; //!< in the order of the cables, NICs first
};

/**
 * Counts the devices in use:
 * - one NIC, and one fibre per cable;
 * - at a switch end of a cable one transceiver and one port, at a NIC end one transceiver;
 * - at optical switches and patch panels ports only; their internal connections are no cables.
 *
 * Ignores cables of switches without any NIC at or below them, as in a fat-tree that is not full.
 * Each device has the initial rate of its cable.
 */
FabricParts CountFabricParts(const Wiring& wiring);

/**
 * Counts the devices in the wiring of an experiment.
 * \throws ConfigurationError when Lay() fails or the experiment has no topology, with a path from
 * the top of the descriptor
 */
FabricParts CountFabricParts(const Experiment& experiment);

} // namespace ns3::rails

#endif // RAILS_FABRIC_PARTS_H
