// SPDX-License-Identifier: GPL-2.0-only
#include "experiment-fixtures.h"

#include "ns3/rails-error.h"
#include "ns3/rails-fabric-parts.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <utility>

namespace ns3::rails
{

class FabricPartsTest : public ExperimentTest
{
  protected:
    /// Numbers by device and Gbit/s.
    using Counts = std::map<std::pair<std::string, uint64_t>, uint64_t>;

    static FabricParts Count(const std::string& topology)
    {
        return CountFabricParts(
            Descriptor::FromText("topology: {" + topology +
                                     "}\n"
                                     "workload: {type: all-to-all, matrix: uniform}\n"
                                     "balance: rail-source\n",
                                 "test.yaml")
                .MakeExperiment(0));
    }

    static Counts CountDevices(const std::string& topology)
    {
        Counts counts;
        for (const FabricDevices& each : Count(topology).devices)
        {
            const auto key = std::make_pair(each.device, each.rateBps / 1'000'000'000);
            EXPECT_EQ(counts.count(key), 0U) << each.device;
            counts[key] = each.number;
        }
        return counts;
    }

    /// \return what there is of cables of a rate, each to a switch or between two
    static Counts MakeCounts(uint64_t rate, uint64_t nics, uint64_t uplinks)
    {
        return {{{"nic", rate}, nics},
                {{"transceiver", rate}, 2 * (nics + uplinks)},
                {{"fibre", rate}, nics + uplinks},
                {{"eps_port", rate}, nics + 2 * uplinks}};
    }
};

TEST_F(FabricPartsTest, RailOfOneLeafHasAPortAndTwoTransceiversForANic)
{
    const FabricParts parts = Count("type: rail, domains: 64, gpus_per_domain: 8");
    EXPECT_EQ(parts.servers, 64U);
    EXPECT_EQ(parts.gpus, 8U);
    EXPECT_EQ(parts.nics, 8U);
    EXPECT_EQ(parts.opticalNics, 0U);
    EXPECT_EQ(parts.nicRates, std::vector<uint64_t>{400'000'000'000});
    EXPECT_EQ(CountDevices("type: rail, domains: 64, gpus_per_domain: 8"), MakeCounts(400, 512, 0));
    // With fewer NICs than GPUs, those that there are.
    EXPECT_EQ(CountDevices("type: rail, domains: 3, gpus_per_domain: 8, nics_per_domain: 2"),
              MakeCounts(400, 6, 0));
}

TEST_F(FabricPartsTest, RailsWithSpinesHaveTheirUplinks)
{
    // 2 rails of 3 leaves each, which lead to 2 spines of the rail and 4 of all, twice.
    EXPECT_EQ(CountDevices("type: rail, domains: 12, gpus_per_domain: 2, leaf_ports: 4, "
                           "rail_spines: 2, spines: 4, uplinks_per_spine: 2"),
              MakeCounts(400, 24, 2 * 3 * (2 + 4) * 2));
    EXPECT_EQ(CountDevices("type: rail, domains: 16, gpus_per_domain: 2, rail_fabric: fat-tree, "
                           "rail_k: 4"),
              MakeCounts(400, 32, 2 * 32));
}

TEST_F(FabricPartsTest, FatTreeHasThreeCablesForANic)
{
    for (const uint64_t k : {4, 6, 8})
    {
        const uint64_t nics = k * k * k / 4;
        EXPECT_EQ(CountDevices("type: fat-tree, k: " + std::to_string(k)),
                  MakeCounts(400, nics, 2 * nics));
    }
}

TEST_F(FabricPartsTest, PartsOfATreeWithoutNicsAreLeftOut)
{
    // Of 4 pods with 2 edge and 2 aggregation switches each, one and a half.
    EXPECT_EQ(CountDevices("type: fat-tree, k: 4, domains: 6"),
              MakeCounts(400, 6, 3 * 2 + 2 * 2 * 2));
}

TEST_F(FabricPartsTest, EachCableHasItsOwnRate)
{
    // 2:1 by half the cables: 4 leaves with 8 NICs and 4 uplinks each.
    const std::string leaves = "type: leaf-spine, domains: 32, leaf_ports: 8, spines: 4";
    EXPECT_EQ(CountDevices(leaves), MakeCounts(400, 32, 16));
    EXPECT_EQ(Count(leaves).oversubscription, 2);
    Counts expected = MakeCounts(400, 32, 0);
    expected.merge(MakeCounts(800, 0, 16));
    expected.erase({"nic", 800});
    EXPECT_EQ(CountDevices(leaves + ", uplink_rate: 800Gbps"), expected);
    // 2:1 by half the rate.
    expected = MakeCounts(400, 16, 0);
    expected.merge(MakeCounts(200, 0, 32));
    expected.erase({"nic", 200});
    EXPECT_EQ(CountDevices("type: fat-tree, k: 4, edge_oversubscription: 2"), expected);
    // A cable of its own, of a NIC and between switches.
    expected = MakeCounts(400, 31, 15);
    expected.merge(MakeCounts(100, 1, 1));
    EXPECT_EQ(CountDevices(leaves + ", cables: [{link: [server0-nic0], rate: 100Gbps}, "
                                    "{link: [leaf0, spine1], rate: 100Gbps}]"),
              expected);
}

TEST_F(FabricPartsTest, PanelsAndOpticalSwitchesHavePortsWithoutTransceivers)
{
    const std::string panel = "type: patch-panel, domains: 16, gpus_per_domain: 8, region: 8, "
                              "region_nics: 6, strides: [8]";
    EXPECT_EQ(CountDevices(panel),
              (Counts{{{"nic", 400}, 128},
                      {{"transceiver", 400}, 128},
                      {{"fibre", 400}, 128},
                      {{"patch_panel_port", 400}, 128}}));
    EXPECT_TRUE(Count(panel).hasPanel);

    // Of 4 NICs of each of 8 servers 3 lead to optical switches, one to leaves of another rate.
    const std::string groups =
        "type: nic-groups, domains: 8, gpus_per_domain: 4, fabrics: {ocs: {type: optical, region: "
        "4}, eps: {type: leaf-spine, leaf_ports: 4, spines: 2, nic_rate: 100Gbps}}, "
        "nic_groups: [{nics: [0, 1, 2], fabric: ocs}, {nics: [3], fabric: eps}]";
    Counts expected = MakeCounts(100, 8, 4);
    expected.merge(Counts{{{"nic", 400}, 24},
                          {{"transceiver", 400}, 24},
                          {{"fibre", 400}, 24},
                          {{"ocs_port", 400}, 24}});
    EXPECT_EQ(CountDevices(groups), expected);
    const FabricParts parts = Count(groups);
    EXPECT_EQ(parts.opticalNics, 3U);
    EXPECT_FALSE(parts.hasPanel);
    EXPECT_EQ(parts.nicRates.size(), 2U);
}

TEST_F(FabricPartsTest, WhatCannotBeLaidHasItsPlace)
{
    const auto findKey = [](const auto& count) -> std::string {
        try
        {
            count();
        }
        catch (const ConfigurationError& error)
        {
            return error.GetKey();
        }
        return "nothing was thrown";
    };
    EXPECT_EQ(findKey([] { Count("type: fat-tree, k: 5"); }), "topology.k");
    EXPECT_EQ(findKey([] {
                  CountFabricParts(
                      Descriptor::FromText("experts: {policy: micro-moe}\n", "test.yaml")
                          .MakeExperiment(0));
              }),
              "experts");
}

} // namespace ns3::rails
