// SPDX-License-Identifier: GPL-2.0-only
#ifndef DETOUR_WIRING_H
#define DETOUR_WIRING_H

#include "interiors.h"

#include "ns3/rails-router.h"
#include "ns3/rails-wiring.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rails::test
{

/**
 * Four servers of three NICs. NIC 0 is at an optical switch, with circuits between servers 0 and 1
 * and between servers 2 and 3. NIC 1 is at a leaf of servers 0 and 1 or of servers 2 and 3, below
 * one spine. NIC 2 is at one leaf of all servers.
 */
struct DetourWiring
{
    static constexpr TimePs kOpticalDelay = 500;  //!< link of NIC 0: half of a circuit
    static constexpr TimePs kElectricDelay = 700; //!< links of NICs 1 and 2
    static constexpr TimePs kUplinkDelay = 900;

    DetourWiring()
        : wiring(std::make_shared<Wiring>(ClusterShape{4, 3}, MakeNvswitch(3)))
    {
        constexpr uint64_t gbps = 1'000'000'000;
        for (const char* name : {"ocs", "rail1-leaf0", "rail1-leaf1", "rail2", "spine"})
        {
            wiring->AddSwitch(name);
        }
        wiring->MakeOptical(0);
        for (uint32_t server = 0; server < 4; ++server)
        {
            wiring->Attach(GetNic(server, 0),
                           0,
                           0,
                           {"nic_tx", "optical_down", 400 * gbps, kOpticalDelay});
            const CableKind electric{"nic_tx", "leaf_down", 200 * gbps, kElectricDelay};
            wiring->Attach(GetNic(server, 1), 1 + server / 2, server / 2, electric);
            wiring->Attach(GetNic(server, 2), 3, 0, electric);
        }
        const CableKind uplink{"leaf_up", "spine_down", 100 * gbps, kUplinkDelay};
        wiring->Join(1, 4, uplink);
        wiring->Join(2, 4, uplink);
        wiring->GetCircuits().Join(GetNic(0, 0), GetNic(1, 0));
        wiring->GetCircuits().Join(GetNic(2, 0), GetNic(3, 0));
        router = std::make_shared<Router>(*wiring);
        router->AllowDetours();
    }

    static uint32_t GetNic(uint32_t server, uint32_t rail)
    {
        return 3 * server + rail;
    }

    /// Fails or restores links of NICs without notifying the routing.
    void SetUp(const std::vector<uint32_t>& nics, bool up) const
    {
        for (const uint32_t nic : nics)
        {
            wiring->SetUp(nic, up, {});
        }
    }

    std::shared_ptr<Wiring> wiring;
    std::shared_ptr<Router> router;
};

} // namespace ns3::rails::test

#endif // DETOUR_WIRING_H
