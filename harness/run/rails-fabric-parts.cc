// SPDX-License-Identifier: GPL-2.0-only
#include "rails-fabric-parts.h"

#include "expert-study-run.h"

#include "ns3/cluster-topology.h"
#include "ns3/fabric-traits.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/rails-wiring.h"

#include <algorithm>

namespace ns3::rails
{

namespace
{

void
AddDevices(const std::string& device,
           uint64_t number,
           const CableKind& kind,
           std::vector<FabricDevices>& devices)
{
    const auto known = std::find_if(devices.begin(), devices.end(), [&](const auto& each) {
        return each.device == device && each.rateBps == kind.rateBps;
    });
    if (known != devices.end())
    {
        known->number += number;
        return;
    }
    devices.push_back({device, kind.rateBps, number, kind.lowerClass + " to " + kind.upperClass});
}

/// \return by switch, whether NICs are attached to it or to something below it
std::vector<bool>
FindUsed(const Wiring& wiring)
{
    std::vector<bool> used;
    for (const WiredSwitch& each : wiring.GetSwitches())
    {
        used.push_back(each.hasNics);
    }
    for (bool isMore = true; isMore;) // once for each tier
    {
        isMore = false;
        for (const Cable& cable : wiring.GetCables())
        {
            if (!cable.isNic && used[cable.lower] && !used[cable.upper])
            {
                used[cable.upper] = true;
                isMore = true;
            }
        }
    }
    return used;
}

void
AddNic(const WiredSwitch& at, const CableKind& kind, std::vector<FabricDevices>& devices)
{
    const bool isPassive = at.isRelay || at.isOptical;
    AddDevices("nic", 1, kind, devices);
    AddDevices("transceiver", isPassive ? 1 : 2, kind, devices);
    AddDevices("fibre", 1, kind, devices);
    AddDevices(at.isRelay     ? "patch_panel_port"
               : at.isOptical ? "ocs_port"
                              : "eps_port",
               1,
               kind,
               devices);
}

void
AddUplink(const CableKind& kind, std::vector<FabricDevices>& devices)
{
    AddDevices("transceiver", 2, kind, devices);
    AddDevices("fibre", 1, kind, devices);
    AddDevices("eps_port", 2, kind, devices);
}

} // namespace

FabricParts
CountFabricParts(const Wiring& wiring)
{
    const ClusterShape& shape = wiring.GetShape();
    FabricParts parts;
    parts.servers = shape.servers;
    parts.gpus = shape.gpusPerServer;
    parts.nics = shape.nicsPerServer;
    const std::vector<bool> used = FindUsed(wiring);
    uint64_t optical = 0;
    for (const Cable& cable : wiring.GetCables())
    {
        const CableKind& kind = wiring.GetKind(cable);
        if (cable.isNic)
        {
            const WiredSwitch& at = wiring.GetSwitches()[cable.upper];
            AddNic(at, kind, parts.devices);
            optical += at.isOptical ? 1 : 0;
            parts.hasPanel = parts.hasPanel || at.isRelay;
            if (std::find(parts.nicRates.begin(), parts.nicRates.end(), kind.rateBps) ==
                parts.nicRates.end())
            {
                parts.nicRates.push_back(kind.rateBps);
            }
        }
        else if (used[cable.lower] && !wiring.GetSwitches()[cable.lower].isRelay)
        {
            AddUplink(kind, parts.devices);
        }
    }
    parts.opticalNics = static_cast<uint32_t>(optical / shape.servers);
    parts.oversubscription = FindTraits(wiring).oversubscription;
    return parts;
}

FabricParts
CountFabricParts(const Experiment& experiment)
{
    if (IsExpertStudy(experiment))
    {
        throw ConfigurationError("experts",
                                 "a study of policies has no fabric: give a descriptor with a "
                                 "topology");
    }
    const Ptr<Topology> topology = experiment.Get<Topology>("topology");
    CheckNested("topology", [&] { topology->Check(); });
    return CountFabricParts(*topology->Lay());
}

} // namespace ns3::rails
