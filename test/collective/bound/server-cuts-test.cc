// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/bit-rates.h"
#include "../../support/cluster-speeds.h"
#include "../collective-fixtures.h"

#include "ns3/data-rate.h"
#include "ns3/intra-topology.h"
#include "ns3/server-cuts.h"
#include "ns3/uinteger.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>

using namespace ns3;
using namespace ns3::rails;

namespace
{

using ns3::rails::test::kGbps;

/// Frames of 1250 bytes carry 1000: a NIC of 400 Gbps has 320 of payload.
ClusterSpeeds
MakeSpeeds(const Ptr<IntraTopology>& intra, uint32_t gpus, uint32_t nics, uint64_t nvlinkGbps)
{
    ClusterSpeeds speeds = test::MakeSpeeds(nics);
    speeds.frames = {1000, 230, 64, 20};
    speeds.interior = intra->Lay({gpus, nics}, {nvlinkGbps * kGbps, 25'000, 16384});
    return speeds;
}

/// Gbps of groups, and whether it leaves them.
using Rates = std::set<std::pair<bool, uint64_t>>;

/// \return rates of the groups that a message leaves or reaches
Rates
FindGroupRates(const ServerCuts& cuts, uint32_t source, uint32_t destination)
{
    Rates rates;
    cuts.VisitGroups(source, destination, [&](std::size_t group, bool leaves) {
        rates.emplace(leaves,
                      (cuts.GetGroupRate(group, leaves) / 1250 / kGbps).convert_to<uint64_t>());
    });
    return rates;
}

uint64_t
GetGpuGbps(const ServerCuts& cuts, uint32_t gpu, bool sends)
{
    return (cuts.GetGpuRate(gpu, sends) / 1250 / kGbps).convert_to<uint64_t>();
}

TEST(ServerCuts, PcieBetweenAGpuAndItsNicHoldsBackAllThatLeavesAServer)
{
    const auto intra = Make<IntraTopology>("NvswitchIntraTopology",
                                           "PcieRate",
                                           DataRateValue(DataRate("200Gbps")));
    const ServerCuts cuts({2, 8}, MakeSpeeds(intra, 8, 8, 900));
    for (const bool sends : {true, false})
    {
        EXPECT_EQ(GetGpuGbps(cuts, 3, sends), 1100u) << "NVLink, and its PCIe port";
    }
    EXPECT_EQ(FindGroupRates(cuts, 3, 9), (Rates{{true, 1600}, {false, 1600}}));
    EXPECT_TRUE(FindGroupRates(cuts, 3, 4).empty()) << "NVLink does not lead out of a server";
}

TEST(ServerCuts, PcieThatIsFasterThanTheNicsHoldsNothingBack)
{
    const auto intra = Make<IntraTopology>("NvswitchIntraTopology",
                                           "PcieRate",
                                           DataRateValue(DataRate("330Gbps")));
    const ServerCuts cuts({2, 4}, MakeSpeeds(intra, 4, 4, 900));
    EXPECT_EQ(GetGpuGbps(cuts, 0, true), 1220u);
    EXPECT_EQ(FindGroupRates(cuts, 0, 4), (Rates{{true, 0}, {false, 0}}));
}

TEST(ServerCuts, AGpuHasItsPcieOnceForAllItsNics)
{
    const auto intra = Make<IntraTopology>("NvswitchIntraTopology",
                                           "PcieRate",
                                           DataRateValue(DataRate("440Gbps")));
    const ServerCuts alone({2, 1, 4}, MakeSpeeds(intra, 1, 4, 900));
    EXPECT_EQ(GetGpuGbps(alone, 0, true), 440u) << "its NVLink leads nowhere";
    const ServerCuts two({2, 2, 4}, MakeSpeeds(intra, 2, 4, 900));
    EXPECT_EQ(GetGpuGbps(two, 0, false), 1340u);
    EXPECT_EQ(FindGroupRates(two, 0, 2), (Rates{{true, 880}, {false, 880}}));
}

TEST(ServerCuts, GpusBelowAPcieSwitchHaveItsNicsAndItsUplink)
{
    // Two switches with two GPUs and a NIC each, below one socket.
    const auto intra = Make<IntraTopology>("PcieIntraTopology",
                                           "PcieRate",
                                           DataRateValue(DataRate("252Gbps")),
                                           "PcieUplinkRate",
                                           DataRateValue(DataRate("100Gbps")),
                                           "Sockets",
                                           UintegerValue(1));
    const ServerCuts cuts({2, 4, 2}, MakeSpeeds(intra, 4, 2, 900));
    EXPECT_EQ(GetGpuGbps(cuts, 0, true), 252u);
    EXPECT_EQ(FindGroupRates(cuts, 0, 2), (Rates{{true, 352}, {false, 352}}))
        << "between switches: the NIC's port and the uplink";
    EXPECT_EQ(FindGroupRates(cuts, 0, 4),
              (Rates{{true, 352}, {true, 504}, {false, 504}, {false, 352}}))
        << "between servers: those of the switch, and of the server the ports of both NICs";
    EXPECT_TRUE(FindGroupRates(cuts, 0, 1).empty());
}

TEST(ServerCuts, APairLeavesByPcieAlone)
{
    const auto intra = Make<IntraTopology>("PairsIntraTopology",
                                           "PcieRate",
                                           DataRateValue(DataRate("100Gbps")),
                                           "PcieSwitches",
                                           UintegerValue(1),
                                           "Sockets",
                                           UintegerValue(1));
    const ServerCuts cuts({1, 4}, MakeSpeeds(intra, 4, 4, 900));
    EXPECT_EQ(GetGpuGbps(cuts, 0, true), 1000u);
    EXPECT_EQ(FindGroupRates(cuts, 0, 2), (Rates{{true, 200}, {false, 200}}));
}

TEST(ServerCuts, ADeadNicCarriesNothing)
{
    const auto intra = Make<IntraTopology>("NvswitchIntraTopology",
                                           "PcieRate",
                                           DataRateValue(DataRate("200Gbps")));
    ClusterSpeeds speeds = MakeSpeeds(intra, 2, 2, 900);
    speeds.bestRatesBps = {0, 400 * kGbps, 400 * kGbps, 400 * kGbps};
    const ServerCuts cuts({2, 2}, speeds);
    EXPECT_EQ(GetGpuGbps(cuts, 0, true), 900u);
    EXPECT_EQ(GetGpuGbps(cuts, 2, true), 1100u);
    EXPECT_EQ(FindGroupRates(cuts, 0, 2), (Rates{{true, 200}, {false, 400}}));
}

} // namespace
