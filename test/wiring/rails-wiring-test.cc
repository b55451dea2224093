// SPDX-License-Identifier: GPL-2.0-only
#include "../support/bit-rates.h"
#include "../support/detour-wiring.h"

#include "ns3/rails-error.h"
#include "ns3/rails-wiring.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

namespace
{

/// Two servers of two GPUs; a leaf for each rail, and a spine above them.
class WiringTest : public testing::Test
{
  protected:
    WiringTest()
    {
        wiring.AddSwitch("leaf0");
        wiring.AddSwitch("leaf1");
        wiring.AddSwitch("spine");
        for (uint32_t nic = 0; nic < 4; ++nic)
        {
            wiring.Attach(nic, nic % 2, nic % 2, {"nic_tx", "leaf_down", 400 * kGbps, 5});
        }
        const CableKind uplink{"leaf_up", "spine_down", 800 * kGbps, 7};
        wiring.Join(0, 2, uplink, 2);
        wiring.Join(1, 2, uplink);
    }

    Wiring wiring{{2, 2}, MakeNvswitch(2)};
};

TEST_F(WiringTest, NumbersCablesNicsFirstAndPortsInTheOrderOfTheirCables)
{
    ASSERT_EQ(wiring.GetCables().size(), 7U);
    EXPECT_EQ(wiring.GetSwitches()[0].cables, (std::vector<uint32_t>{0, 2, 4, 5}));
    EXPECT_EQ(wiring.GetSwitches()[1].cables, (std::vector<uint32_t>{1, 3, 6}));
    EXPECT_EQ(wiring.GetSwitches()[2].cables, (std::vector<uint32_t>{4, 5, 6}));
    for (uint32_t at = 0; at < 3; ++at)
    {
        const std::vector<uint32_t>& cables = wiring.GetSwitches()[at].cables;
        for (uint32_t port = 0; port < cables.size(); ++port)
        {
            const Cable& cable = wiring.GetCables()[cables[port]];
            const bool isLower = !cable.isNic && cable.lower == at;
            EXPECT_EQ(isLower ? cable.lowerPort : cable.upperPort, port);
            EXPECT_EQ(isLower ? cable.lower : cable.upper, at);
        }
    }
    const Cable& nic = wiring.GetCables()[3];
    EXPECT_TRUE(nic.isNic);
    EXPECT_EQ(nic.lower, 3U);
    EXPECT_EQ(wiring.GetEdge(3), 1U);
    EXPECT_EQ(wiring.GetKind(nic).upperClass, "leaf_down");
    EXPECT_EQ(nic.rateBps, 400 * kGbps);
    EXPECT_EQ(wiring.GetCables()[6].rateBps, 800 * kGbps);
    EXPECT_EQ(wiring.GetKind(wiring.GetCables()[6]).delay, 7);
}

TEST_F(WiringTest, KnowsEdgesAndNames)
{
    EXPECT_EQ(wiring.GetEdges(), (std::vector<uint32_t>{0, 1}));
    EXPECT_TRUE(wiring.GetSwitches()[1].hasNics);
    EXPECT_EQ(wiring.GetSwitches()[1].region, 1U);
    EXPECT_FALSE(wiring.GetSwitches()[2].hasNics);
    EXPECT_EQ(wiring.FindSwitch("spine"), 2U);
    EXPECT_EQ(wiring.FindSwitch("spin"), 3U) << "there is none";
    EXPECT_EQ(wiring.GetNicName(3), "server1-nic1");
    EXPECT_EQ(wiring.FindNic("server1-nic1"), 3U);
    for (const char* wrong :
         {"server2-nic0", "server0-nic2", "server01-nic1", "server1-nic1x", "nic1", "", "-nic1"})
    {
        EXPECT_EQ(wiring.FindNic(wrong), 4U) << wrong;
    }
    using Names = std::pair<std::string, std::string>;
    EXPECT_EQ(wiring.GetEndNames(wiring.GetCables()[1]), (Names{"server0-nic1", "leaf1"}));
    EXPECT_EQ(wiring.GetEndNames(wiring.GetCables()[4]), (Names{"leaf0", "spine"}));
    EXPECT_EQ(wiring.FindCables(0, 2), (std::vector<uint32_t>{4, 5}));
    EXPECT_EQ(wiring.FindCables(2, 0), (std::vector<uint32_t>{4, 5}));
    EXPECT_TRUE(wiring.FindCables(0, 1).empty());
}

TEST_F(WiringTest, JoinsRelaysToRelaysAlone)
{
    EXPECT_FALSE(wiring.HasRelays());
    const uint32_t one = wiring.AddSwitch("relay0");
    const uint32_t other = wiring.AddSwitch("relay1");
    wiring.MakeRelay(one);
    EXPECT_TRUE(wiring.HasRelays());
    const CableKind circuit{"circuit", "circuit", 400 * kGbps};
    EXPECT_THROW(wiring.Join(one, other, circuit), std::logic_error);
    EXPECT_THROW(wiring.Join(0, one, circuit), std::logic_error);
    wiring.MakeRelay(other);
    wiring.Join(one, other, circuit);
    EXPECT_EQ(wiring.FindCables(other, one).size(), 1U);
}

TEST_F(WiringTest, RefusesMorePortsThanHaveNumbers)
{
    try
    {
        wiring.Join(0, 2, {"leaf_up", "spine_down", kGbps}, 65'535);
        ADD_FAILURE() << "accepted";
    }
    catch (const ConfigurationError& error)
    {
        EXPECT_NE(std::string(error.what()).find("leaf0 would have more than 65535 ports"),
                  std::string::npos)
            << error.what();
    }
}

/// Writes down what it is told.
class Listener : public WiringListener
{
  public:
    void BeforeChange() override
    {
        told.emplace_back("before");
    }

    void OnCableUp(uint32_t cable, const CutRules& rules) override
    {
        told.push_back("cable " + std::to_string(cable) + (rules.losesFlying ? " loses" : "") +
                       (rules.holdsQueued ? " holds" : ""));
    }

    void OnCableRate(uint32_t cable) override
    {
        told.push_back("rate " + std::to_string(cable));
    }

    void OnCircuit(uint32_t nic, const CutRules& rules) override
    {
        told.push_back("circuit of " + std::to_string(nic) + (rules.losesFlying ? " loses" : ""));
    }

    std::vector<std::string> told;
};

TEST_F(WiringTest, TellsListenersOfChangesWhenTheyAreMade)
{
    Listener listener;
    wiring.AddListener(listener);
    EXPECT_FALSE(wiring.WasCut());
    wiring.PrepareChange();
    wiring.SetRate(4, 1);
    EXPECT_FALSE(wiring.WasCut());
    wiring.SetUp(5, false, {true, false});
    wiring.SetUp(5, true, {false, true});
    EXPECT_TRUE(wiring.WasCut());
    EXPECT_EQ(listener.told,
              (std::vector<std::string>{"before", "rate 4", "cable 5 loses", "cable 5 holds"}));
    EXPECT_EQ(wiring.GetCables()[4].rateBps, 1U);
    EXPECT_EQ(wiring.GetKind(wiring.GetCables()[4]).rateBps, 800 * kGbps) << "as laid";
    EXPECT_TRUE(wiring.GetCables()[5].isUp);
    wiring.RemoveListener(listener);
    wiring.SetUp(5, false, {});
    EXPECT_FALSE(wiring.GetCables()[5].isUp);
    EXPECT_EQ(listener.told.size(), 4U);
}

/// What goes from a NIC to another must come in at a third, and go out by a fourth.
void
ExpectDetour(const Wiring& wiring, uint32_t from, uint32_t to, uint32_t in, uint32_t out)
{
    const std::optional<CircuitTable::Detour> detour = wiring.GetCircuits().FindDetour(from, to);
    ASSERT_TRUE(detour);
    EXPECT_EQ(detour->in, in);
    EXPECT_EQ(detour->out, out);
}

TEST(DetourWiring, AServerAtTheOtherEndOfACircuitPassesOnByItsNicOfTheRail)
{
    const DetourWiring detours;
    const Wiring& wiring = *detours.wiring;
    const auto nic = DetourWiring::GetNic;
    ExpectDetour(wiring, nic(0, 0), nic(2, 1), nic(1, 0), nic(1, 1));
    ExpectDetour(wiring, nic(0, 0), nic(3, 2), nic(1, 0), nic(1, 2));
    ExpectDetour(wiring, nic(2, 1), nic(0, 0), nic(1, 1), nic(1, 0));
    ExpectDetour(wiring, nic(3, 2), nic(1, 0), nic(0, 2), nic(0, 0));
}

TEST(DetourWiring, NoServerPassesOnWhereNoneIsBetween)
{
    const DetourWiring detours;
    Wiring& wiring = *detours.wiring;
    const auto nic = DetourWiring::GetNic;
    EXPECT_FALSE(wiring.GetCircuits().FindDetour(nic(0, 0), nic(1, 1)))
        << "the circuit leads to the other one";
    EXPECT_FALSE(wiring.GetCircuits().FindDetour(nic(1, 1), nic(0, 0)));
    EXPECT_FALSE(wiring.GetCircuits().FindDetour(nic(0, 0), nic(1, 0))) << "a circuit itself";
    EXPECT_FALSE(wiring.GetCircuits().FindDetour(nic(0, 0), nic(2, 0))) << "two circuits";
    EXPECT_FALSE(wiring.GetCircuits().FindDetour(nic(0, 1), nic(2, 1)))
        << "the packet fabric alone";
    wiring.GetCircuits().End(nic(1, 0), {});
    EXPECT_FALSE(wiring.GetCircuits().FindDetour(nic(0, 0), nic(2, 1))) << "no circuit";
    EXPECT_FALSE(wiring.GetCircuits().FindDetour(nic(2, 1), nic(0, 0)));
    wiring.GetCircuits().End(nic(2, 0), {});
    wiring.GetCircuits().Join(nic(0, 0), nic(2, 0));
    ExpectDetour(wiring, nic(0, 0), nic(1, 1), nic(2, 0), nic(2, 1)); // by another one now
}

TEST(DetourWiring, NoServerPassesOnByARailThatIsOpticalThere)
{
    // NIC 1 of the last server is at the optical switch.
    Wiring wiring({3, 2}, MakeNvswitch(2));
    wiring.AddSwitch("ocs");
    wiring.AddSwitch("rail");
    wiring.MakeOptical(0);
    for (const uint32_t nic : {0, 2, 4, 5})
    {
        wiring.Attach(nic, 0, 0, {"nic_tx", "optical_down", kGbps});
    }
    wiring.Attach(1, 1, 0, {"nic_tx", "leaf_down", kGbps});
    wiring.Attach(3, 1, 0, {"nic_tx", "leaf_down", kGbps});
    wiring.GetCircuits().Join(0, 4);
    EXPECT_FALSE(wiring.GetCircuits().FindDetour(0, 3));
    EXPECT_FALSE(wiring.GetCircuits().FindDetour(3, 0));
    wiring.GetCircuits().End(0, {});
    wiring.GetCircuits().Join(4, 2);
    EXPECT_TRUE(wiring.GetCircuits().FindDetour(4, 1)) << "by the server in the middle";
}

TEST(DetourWiring, ANicAtAnOpticalSwitchCarriesNothingWithoutACircuit)
{
    const DetourWiring detours;
    Wiring& wiring = *detours.wiring;
    const auto nic = DetourWiring::GetNic;
    const auto uplink = static_cast<uint32_t>(wiring.GetCables().size() - 1);
    EXPECT_TRUE(wiring.IsCarrying(nic(0, 0)));
    EXPECT_TRUE(wiring.IsCarrying(nic(1, 0)));
    EXPECT_TRUE(wiring.IsCarrying(nic(0, 1)));
    EXPECT_TRUE(wiring.IsCarrying(uplink));
    wiring.GetCircuits().End(nic(0, 0), {});
    EXPECT_FALSE(wiring.IsCarrying(nic(0, 0)));
    EXPECT_FALSE(wiring.IsCarrying(nic(1, 0))) << "the other end";
    EXPECT_TRUE(wiring.IsCarrying(nic(2, 0))) << "another circuit";
    detours.SetUp({nic(2, 0), nic(0, 1), uplink}, false);
    EXPECT_FALSE(wiring.IsCarrying(nic(2, 0)));
    EXPECT_FALSE(wiring.IsCarrying(nic(0, 1)));
    EXPECT_FALSE(wiring.IsCarrying(uplink));
}

TEST(DetourWiring, BothEndsOfACircuitAreToldOfIt)
{
    const DetourWiring detours;
    Listener listener;
    detours.wiring->AddListener(listener);
    detours.wiring->GetCircuits().End(3, {true, false});
    detours.wiring->GetCircuits().End(3, {true, false}); // it has none any more
    detours.wiring->GetCircuits().Join(0, 3);
    detours.wiring->RemoveListener(listener);
    EXPECT_EQ(listener.told,
              (std::vector<std::string>{"circuit of 3 loses",
                                        "circuit of 0 loses",
                                        "circuit of 0",
                                        "circuit of 3"}));
}

TEST(DetourWiring, LightOfOneDirectionLeadsFromOneNicToTheOtherAlone)
{
    const DetourWiring detours;
    Wiring& wiring = *detours.wiring;
    wiring.GetCircuits().End(0, {});
    wiring.GetCircuits().End(6, {});
    Listener listener;
    wiring.AddListener(listener);
    wiring.GetCircuits().JoinOneWay(0, 3);
    wiring.GetCircuits().JoinOneWay(3, 6);
    EXPECT_TRUE(wiring.GetCircuits().MayJoin(0, 3));
    EXPECT_FALSE(wiring.GetCircuits().MayJoin(3, 0));
    EXPECT_TRUE(wiring.IsCarrying(0));
    EXPECT_TRUE(wiring.IsCarrying(6)) << "it receives";
    EXPECT_FALSE(wiring.IsCarrying(9));
    EXPECT_THROW(wiring.GetCircuits().JoinOneWay(0, 9), std::logic_error) << "its light leads to 3";
    EXPECT_THROW(wiring.GetCircuits().JoinOneWay(9, 3), std::logic_error) << "which has that of 0";
    EXPECT_THROW(wiring.GetCircuits().JoinOneWay(9, 9), std::logic_error);
    EXPECT_THROW(wiring.GetCircuits().JoinOneWay(9, 10), std::logic_error)
        << "of the packet fabric";
    EXPECT_THROW(wiring.GetCircuits().JoinOneWay(1, 9), std::logic_error);
    wiring.GetCircuits().End(6, {}); // it sends by none
    wiring.GetCircuits().End(0, {true, false});
    EXPECT_FALSE(wiring.IsCarrying(0));
    EXPECT_TRUE(wiring.IsCarrying(3)) << "it sends to 6";
    wiring.GetCircuits().End(3, {});
    EXPECT_FALSE(wiring.IsCarrying(3));
    EXPECT_FALSE(wiring.IsCarrying(6));
    wiring.RemoveListener(listener);
    EXPECT_EQ(listener.told,
              (std::vector<std::string>{"circuit of 0",
                                        "circuit of 3",
                                        "circuit of 3",
                                        "circuit of 6",
                                        "circuit of 0 loses",
                                        "circuit of 3 loses",
                                        "circuit of 3",
                                        "circuit of 6"}));
}

TEST(DetourWiring, LightThereAndBackEndsBothWays)
{
    const DetourWiring detours;
    Wiring& wiring = *detours.wiring;
    wiring.GetCircuits().End(0, {});
    wiring.GetCircuits().JoinOneWay(0, 3);
    wiring.GetCircuits().JoinOneWay(3, 0);
    EXPECT_TRUE(wiring.GetCircuits().MayJoin(3, 0));
    wiring.GetCircuits().End(3, {});
    EXPECT_FALSE(wiring.IsCarrying(0));
    wiring.GetCircuits().Join(0, 3);
    EXPECT_TRUE(wiring.GetCircuits().MayJoin(0, 3));
}

TEST(DetourWiring, WhereCircuitsTakeTurnsNicsOfARailWillBeJoined)
{
    const DetourWiring detours;
    Wiring& wiring = *detours.wiring;
    EXPECT_TRUE(wiring.GetCircuits().WillJoin(0, 3));
    EXPECT_FALSE(wiring.GetCircuits().WillJoin(0, 6));
    wiring.GetCircuits().SetTimeSlotted();
    EXPECT_TRUE(wiring.GetCircuits().WillJoin(0, 6));
    EXPECT_FALSE(wiring.GetCircuits().MayJoin(0, 6)) << "not now";
    EXPECT_TRUE(detours.router->Reaches(0, 6));
}

} // namespace

} // namespace ns3::rails::test
