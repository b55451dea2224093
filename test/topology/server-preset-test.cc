// SPDX-License-Identifier: GPL-2.0-only
#include "../support/test-cluster.h"

#include "ns3/rail-topology.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

Ptr<Topology>
MakeCluster(const std::string& server)
{
    Ptr<Topology> topology = CreateObject<RailTopology>();
    topology->SetAttribute("Server", StringValue(server));
    return topology;
}

/// Gbps of the links out of a GPU and out of its first NIC's PCIe port; 0 without one.
struct Rates
{
    uint64_t nvlink{0};
    uint64_t pcie{0};
};

Rates
FindRates(const Wiring& wiring)
{
    Rates rates;
    for (const ServerInterior::Link& link : wiring.GetInterior()->GetLinks())
    {
        const bool isNvlink = link.kind == ServerInterior::LinkKind::NvlinkOut;
        const bool isPcie = link.kind == ServerInterior::LinkKind::Pcie && link.gpu == 0;
        rates.nvlink = isNvlink ? link.rateBps / kGbps : rates.nvlink;
        rates.pcie = isPcie ? link.rateBps / kGbps : rates.pcie;
    }
    return rates;
}

TEST(ServerPreset, HasWhatItsSourceSays)
{
    struct Server
    {
        std::string name;
        uint32_t gpus;
        uint32_t nics;
        uint64_t nic;
        Rates rates;
    };

    const std::vector<Server> servers{{"dgx-a100", 8, 8, 200, {1920, 230}},
                                      {"dgx-h100", 8, 8, 400, {2966, 460}},
                                      {"dgx-b200", 8, 8, 400, {5774, 460}},
                                      {"gb200-nvl72", 72, 72, 400, {5774, 460}},
                                      {"h800-deepep", 8, 8, 400, {1280, 460}},
                                      {"h20-4nic", 8, 4, 400, {2966, 460}},
                                      {"pro-prophet-hpwnv", 4, 1, 100, {0, 126}},
                                      {"pro-prophet-hpnv", 4, 1, 100, {450, 126}},
                                      {"pro-prophet-lpwnv", 4, 1, 100, {0, 126}},
                                      {"micro-moe", 8, 2, 400, {3600, 460}}};
    for (const Server& server : servers)
    {
        const std::shared_ptr<Wiring> wiring = MakeCluster(server.name)->Lay();
        EXPECT_EQ(wiring->GetShape().gpusPerServer, server.gpus) << server.name;
        EXPECT_EQ(wiring->GetShape().nicsPerServer, server.nics) << server.name;
        EXPECT_EQ(wiring->GetNicKind(0).rateBps, server.nic * kGbps) << server.name;
        EXPECT_EQ(FindRates(*wiring).nvlink, server.rates.nvlink) << server.name;
        EXPECT_EQ(FindRates(*wiring).pcie, server.rates.pcie) << server.name;
    }
}

TEST(ServerPreset, GivesWayToWhatIsSetBehindIt)
{
    Ptr<Topology> topology = MakeCluster("dgx-a100");
    topology->SetAttribute("NicsPerDomain", UintegerValue(4));
    topology->SetAttribute("NicRate", Rate(100 * kGbps));
    const std::shared_ptr<Wiring> wiring = topology->Lay();
    EXPECT_EQ(wiring->GetShape().nicsPerServer, 4U);
    EXPECT_EQ(wiring->GetNicKind(0).rateBps, 100 * kGbps);
    EXPECT_EQ(FindRates(*wiring).nvlink, 1920U);
}

} // namespace
