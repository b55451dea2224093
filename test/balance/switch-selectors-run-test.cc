// SPDX-License-Identifier: GPL-2.0-only
#include "../support/test-cluster.h"

#include "ns3/port-selector.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

/// Each selector in a fabric: two leaves of 8 servers, joined by 2 spines with 4 cables each.
class SwitchSelectors : public testing::TestWithParam<std::string>
{
  protected:
    static void Run(TestCluster& test, uint64_t seed)
    {
        ObjectFactory factory("ns3::rails::" + GetParam());
        test.selector = factory.Create<PortSelector>();
        test.topology->SetAttribute("LeafPorts", UintegerValue(8));
        test.topology->SetAttribute("RailSpines", UintegerValue(2));
        test.topology->SetAttribute("UplinksPerSpine", UintegerValue(4));
        test.transport->SetAttribute("LossRecovery",
                                     StringValue("ns3::rails::SelectiveRepeatLossRecovery"));
        test.Build(seed);
        for (uint32_t source = 0; source < 16; ++source)
        {
            // Two destinations, so that frames meet and their order depends on the choices.
            test.Post(source, (source + 8) % 16, 50 * 4096);
            test.Post(source, (source % 8 * 5 + 1) % 8 + (source < 8 ? 8 : 0), 30 * 4096);
        }
        test.Run();
    }
};

TEST_P(SwitchSelectors, DeliverEverythingOverAllCables)
{
    TestCluster test(16);
    Run(test, 1);
    EXPECT_EQ(test.deliveries.size(), 32U);
    EXPECT_EQ(test.acknowledged, 32U);
    EXPECT_EQ(test.GetLosslessDrops(), 0U);
    EXPECT_EQ(test.GetBuffered(), 0U);
    const bool isPerFlow = GetParam() == "FlowletPortSelector";
    for (const Ptr<Port>& port : test.cluster->GetPorts())
    {
        const std::string& portClass = port->GetIdentity().portClass;
        if (!isPerFlow && (portClass == "leaf_up" || portClass == "rail_spine_down"))
        {
            EXPECT_GT(port->GetCountersNow().frames, 0U) << portClass << port->GetIndex();
        }
    }
}

TEST_P(SwitchSelectors, RepeatARunExactly)
{
    const auto getEnds = [](uint64_t seed) {
        TestCluster test(16);
        Run(test, seed);
        std::vector<TimePs> ends;
        for (const Message& message : test.messages)
        {
            ends.push_back(message.end);
        }
        return ends;
    };
    EXPECT_EQ(getEnds(1), getEnds(1));
    EXPECT_NE(getEnds(1), getEnds(2));
}

INSTANTIATE_TEST_SUITE_P(Of,
                         SwitchSelectors,
                         testing::Values("RoundRobinPortSelector",
                                         "RandomPortSelector",
                                         "JsqPortSelector",
                                         "AdaptivePortSelector",
                                         "DrillPortSelector",
                                         "FlowletPortSelector"),
                         [](const auto& info) { return info.param; });

} // namespace
