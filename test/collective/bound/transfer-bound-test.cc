// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/cluster-speeds.h"
#include "../collective-fixtures.h"

#include "ns3/data-rate.h"
#include "ns3/intra-topology.h"
#include "ns3/transfer-bound.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

namespace
{

TEST(TransferBound, AMessageTakesWhatAPhaseOfItAloneTakesAtTheLeast)
{
    const ClusterShape shape{2, 4};
    const ClusterSpeeds speeds = test::MakeSpeeds(4);
    const TransferBound transfers(shape, speeds);
    for (const uint32_t destination : {1, 5})
    {
        for (const uint64_t bytes : {1, 4096, 100'000, 50'000'000})
        {
            TrafficMatrix matrix(shape);
            matrix.Add(0, destination, bytes);
            const LowerBound phase(MakeOneExchange(matrix), speeds);
            const TimePs time = transfers.GetMessageTime(0, destination, bytes);
            EXPECT_LE(time, phase.GetTime()) << destination << " " << bytes;
            EXPECT_GE(time, phase.GetTime() * 4 / 5) << destination << " " << bytes;
        }
    }
}

TEST(TransferBound, WhatAGpuGetsComesThroughItsOwnPorts)
{
    const TransferBound transfers({2, 1}, test::MakeSpeeds(1));
    const TimePs time = transfers.GetReceivingTime(1, 4'096'000);
    EXPECT_GE(time, TimePs{4'096'000} * 20) << "by its NIC: NVLink leads to nobody";
    EXPECT_LE(time, TimePs{4'096'000} * 21);
    EXPECT_EQ(transfers.GetReceivingTime(1, 0), 0);
    const TransferBound two({2, 2}, test::MakeSpeeds(2));
    const TimePs both = two.GetReceivingTime(1, 4'096'000);
    EXPECT_GE(both, TimePs{4'096'000} * 2) << "by NVLink and the NIC together: 4 Tbps";
    EXPECT_LE(both, TimePs{4'096'000} * 3);
}

TEST(TransferBound, AMessageCrossesPcieToANic)
{
    const ClusterShape shape{2, 8};
    ClusterSpeeds speeds = test::MakeSpeeds(8);
    const auto intra =
        Make<IntraTopology>("NvswitchIntraTopology", "PcieRate", DataRateValue(DataRate("50Gbps")));
    speeds.interior = intra->Lay({8, 8}, {3'600'000'000'000, 25'000, 16384});
    const TransferBound transfers(shape, speeds);
    TrafficMatrix matrix(shape);
    matrix.Add(0, 8, 50'000'000);
    const LowerBound phase(MakeOneExchange(matrix), speeds);
    EXPECT_EQ(transfers.GetMessageTime(0, 8, 50'000'000), phase.GetTime());
    EXPECT_EQ(phase.GetBinding(), "pcie") << "1 ms by all PCIe ports of its server";
}

} // namespace
