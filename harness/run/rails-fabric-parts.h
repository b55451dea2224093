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
    std::string device;  //!< as in a file of prices: "nic", "transceiver", "fibre", "eps_port", ...
    uint64_t rateBps{0}; //!< of the cables
    uint64_t number{0};
    std::string cables; //!< classes of the ports at the ends of the first of them, for messages
};

/// What the fabric of a cluster is made of.
struct FabricParts
{
    uint32_t servers{0};
    uint32_t gpus{0};                   //!< of a server
    uint32_t nics{0};                   //!< of a server
    uint32_t opticalNics{0};            //!< of a server: those at an optical circuit switch
    bool hasPanel{false};               //!< whether servers are joined by a patch panel
    double oversubscription{1};         //!< largest ratio of rates below and above a switch, see
                                        //!< FabricTraits
    std::vector<uint64_t> nicRates;     //!< those that there are, each once
    std::vector<FabricDevices> devices; //!< in the order of the cables, those of NICs first
};

/**
 * Counts what is in use: a NIC at its cable; a transceiver and a port at each end of a cable that
 * is at a switch, a transceiver at that of a NIC, and a fibre for the cable. Optical switches and
 * patch panels have ports and no transceivers; what joins two NICs inside of them is no cable.
 * Cables of switches that no NIC is attached to, nor anything below which has NICs, are left out:
 * those of a tree that is not full. Each device has the rate of its cable as it was laid.
 */
FabricParts CountFabricParts(const Wiring& wiring);

/**
 * Lays the wiring that a run of an experiment would have, and counts what it is made of.
 * \throws ConfigurationError when it cannot be laid, or there is nothing to lay, with a path from
 * the top of the descriptor
 */
FabricParts CountFabricParts(const Experiment& experiment);

} // namespace ns3::rails

#endif // RAILS_FABRIC_PARTS_H
