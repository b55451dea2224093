// SPDX-License-Identifier: GPL-2.0-only
#include "switch-fixture.h"

#include "ns3/component-maker.h"
#include "ns3/enum.h"
#include "ns3/port-selector.h"

#include <gtest/gtest.h>
#include <set>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

using Ports = std::vector<uint16_t>;

Ptr<PortSelector>
MakeRoundRobin(uint32_t reshuffle, bool ownAckCounter = false)
{
    Ptr<PortSelector> prototype = MakeComponent<PortSelector>("RoundRobinPortSelector");
    prototype->SetAttribute("Reshuffle", UintegerValue(reshuffle));
    prototype->SetAttribute("OwnAckCounter", BooleanValue(ownAckCounter));
    return prototype;
}

Ports
Take(SwitchFixture& fixture, uint32_t choices, uint32_t edge = 1)
{
    Ports ports;
    for (uint32_t i = 0; i < choices; ++i)
    {
        ports.push_back(fixture.Select(edge));
    }
    return ports;
}

Frame
MakeAck(uint32_t edge = 1)
{
    return SwitchFixture::MakeFrame(edge, 0, 100, 0, FrameKind::Ack);
}

SwitchFixture::Options
EightUplinks(bool hasNics = true, uint64_t seed = 1)
{
    SwitchFixture::Options options;
    options.uplinks = 8;
    options.hasNics = hasNics;
    options.seed = seed;
    return options;
}

TEST(RoundRobin, UsesEveryPortOnceInEachCycle)
{
    SwitchFixture fixture(MakeComponent<PortSelector>("RoundRobinPortSelector"), EightUplinks());
    for (int cycle = 0; cycle < 100; ++cycle)
    {
        EXPECT_EQ(fixture.Count(8), std::vector<uint32_t>(8, 1)) << cycle;
    }
}

TEST(RoundRobin, ShufflesAfterFiveWraparounds)
{
    SwitchFixture fixture(MakeComponent<PortSelector>("RoundRobinPortSelector"), EightUplinks());
    std::set<Ports> orders;
    for (int round = 0; round < 20; ++round)
    {
        const Ports order = Take(fixture, 8);
        for (int wraparound = 1; wraparound < 5; ++wraparound)
        {
            EXPECT_EQ(Take(fixture, 8), order);
        }
        orders.insert(order);
    }
    EXPECT_EQ(orders.size(), 20U) << "of 40320";
}

TEST(RoundRobin, ShufflesAsOftenAsAsked)
{
    SwitchFixture fixture(MakeRoundRobin(2), EightUplinks());
    for (int round = 0; round < 10; ++round)
    {
        const Ports order = Take(fixture, 8);
        EXPECT_EQ(Take(fixture, 8), order);
        EXPECT_NE(Take(fixture, 8), order);
        Take(fixture, 8);
    }
}

TEST(RoundRobin, ShufflesIntoAllOrdersAlike)
{
    SwitchFixture::Options options;
    options.uplinks = 3;
    SwitchFixture fixture(MakeRoundRobin(1), options);
    std::vector<uint32_t> counts(9);
    for (int round = 0; round < 6000; ++round)
    {
        const Ports order = Take(fixture, 3);
        ++counts[3 * (order[0] - 2) + order[1] - 2];
    }
    // Six orders: 5 degrees of freedom.
    EXPECT_EQ(counts[0] + counts[4] + counts[8], 0U);
    EXPECT_LT(ChiSquare({counts[1], counts[2], counts[3], counts[5], counts[6], counts[7]}), 25.7);
}

TEST(RoundRobin, NeverShufflesWhenSimple)
{
    SwitchFixture fixture(MakeRoundRobin(0), EightUplinks());
    const Ports order = Take(fixture, 8);
    for (int cycle = 0; cycle < 100; ++cycle)
    {
        EXPECT_EQ(Take(fixture, 8), order);
    }
}

TEST(RoundRobin, BeginsInAnOrderByLot)
{
    std::set<Ports> orders;
    for (uint64_t seed = 1; seed <= 10; ++seed)
    {
        SwitchFixture fixture(MakeRoundRobin(0), EightUplinks(true, seed));
        orders.insert(Take(fixture, 8));
    }
    EXPECT_EQ(orders.size(), 10U);
}

TEST(RoundRobin, CountsDataAndAcksTogether)
{
    SwitchFixture fixture(MakeRoundRobin(0), EightUplinks());
    const Ports order = Take(fixture, 8);
    for (int i = 0; i < 40; ++i)
    {
        EXPECT_EQ(fixture.Select(i % 3 == 0 ? MakeAck() : SwitchFixture::MakeFrame(1)),
                  order[i % 8]);
    }
}

TEST(RoundRobin, CountsAcksApartWhenAsked)
{
    SwitchFixture fixture(MakeRoundRobin(5, true), EightUplinks());
    std::vector<uint32_t> data(8);
    std::vector<uint32_t> acks(8);
    Ports order;
    for (int i = 0; i < 40; ++i)
    {
        const uint16_t port = fixture.Select();
        ++data[port - 2];
        if (i < 8)
        {
            order.push_back(port);
        }
        EXPECT_EQ(port, order[i % 8]) << "whatever the ACKs do";
        for (int ack = 0; ack < i % 3; ++ack)
        {
            ++acks[fixture.Select(MakeAck()) - 2];
        }
    }
    EXPECT_EQ(data, std::vector<uint32_t>(8, 5));
    // 39 ACKs.
    EXPECT_EQ(std::count(acks.begin(), acks.end(), 5U), 7);
    EXPECT_EQ(std::count(acks.begin(), acks.end(), 4U), 1);
}

TEST(RoundRobin, SharesOneListOverAllDestinationsAtAnEdge)
{
    SwitchFixture fixture(MakeRoundRobin(0), EightUplinks());
    const Ports order = Take(fixture, 8);
    for (uint32_t i = 0; i < 40; ++i)
    {
        EXPECT_EQ(fixture.Select(1 + i % 7), order[i % 8]);
    }
}

TEST(RoundRobin, HasAListPerGroupAndOneCounterAbove)
{
    SwitchFixture fixture(MakeRoundRobin(0), EightUplinks(false));
    fixture.SetHops(1, {2, 3, 4, 5});
    fixture.SetHops(2, {2, 3, 4, 5}, {1, 2, 3, 4});
    fixture.SetHops(3, {6, 7, 8, 9});
    fixture.TellRoutesChanged();
    const Ports first = Take(fixture, 4, 1);
    const Ports third = Take(fixture, 4, 3);
    EXPECT_EQ(std::set<uint16_t>(first.begin(), first.end()), (std::set<uint16_t>{2, 3, 4, 5}));
    EXPECT_EQ(std::set<uint16_t>(third.begin(), third.end()), (std::set<uint16_t>{6, 7, 8, 9}));
    EXPECT_EQ(Take(fixture, 4, 2), first) << "the same ports, whatever the weights";
    for (uint32_t i = 0; i < 40; ++i)
    {
        const bool toThird = i % 3 == 1;
        EXPECT_EQ(fixture.Select(toThird ? 3 : 1), (toThird ? third : first)[i % 4]);
    }
}

TEST(RoundRobin, ShufflesOnlyTheListAtHandAbove)
{
    SwitchFixture fixture(MakeRoundRobin(1), EightUplinks(false));
    fixture.SetHops(1, {2, 3, 4, 5});
    fixture.SetHops(2, {6, 7, 8, 9});
    fixture.TellRoutesChanged();
    const Ports first = Take(fixture, 4, 1);
    for (int i = 0; i < 10; ++i)
    {
        // The counter has reached 4: the frame to edge 2 finds it so.
        const uint16_t head = fixture.Select(2);
        EXPECT_GE(head, 6);
        EXPECT_EQ(Take(fixture, 3, 1), Ports(first.begin() + 1, first.end()));
    }
}

TEST(RoundRobin, HasAListPerNicAboveWhenAsked)
{
    Ptr<PortSelector> prototype = MakeRoundRobin(0);
    prototype->SetAttribute("Order", StringValue("nic"));
    SwitchFixture fixture(prototype, EightUplinks(false));
    const auto take = [&](uint32_t nic) {
        Ports ports;
        for (int i = 0; i < 8; ++i)
        {
            ports.push_back(fixture.Select(SwitchFixture::MakeFrame(1, 0, nic)));
        }
        return ports;
    };
    std::vector<Ports> orders;
    for (uint32_t nic = 0; nic < 10; ++nic)
    {
        orders.push_back(take(nic));
    }
    EXPECT_EQ(std::set<Ports>(orders.begin(), orders.end()).size(), 10U);
    for (uint32_t i = 0; i < 40; ++i)
    {
        const uint32_t nic = 7 * i % 10;
        EXPECT_EQ(fixture.Select(SwitchFixture::MakeFrame(1, 0, nic)), orders[nic][i % 8])
            << "one counter";
    }
    fixture.SetHops(1, {2, 3, 4, 5, 6, 7, 8});
    fixture.TellRoutesChanged();
    EXPECT_EQ(fixture.Count(70)[7], 0U);
    fixture.SetHops(1, fixture.GetUplinks());
    fixture.TellRoutesChanged();
    EXPECT_EQ(fixture.Count(80), std::vector<uint32_t>(8, 10)) << "a port that is back is used";
}

TEST(RoundRobin, PassesOverPortsThatDoNotLeadThere)
{
    SwitchFixture fixture(MakeRoundRobin(0), EightUplinks());
    fixture.SetHops(2, {3, 5, 9}, {4, 1, 1});
    fixture.TellRoutesChanged();
    const Ports order = Take(fixture, 8);
    Ports expected;
    for (const uint16_t port : order)
    {
        if (port == 3 || port == 5 || port == 9)
        {
            expected.push_back(port);
        }
    }
    for (int cycle = 0; cycle < 10; ++cycle)
    {
        EXPECT_EQ(Take(fixture, 3, 2), expected) << "weights are ignored";
    }
    // The counter has moved on with them: what follows comes behind the last one in the list.
    const auto last = std::find(order.begin(), order.end(), expected.back());
    EXPECT_EQ(fixture.Select(1), last + 1 == order.end() ? order.front() : *(last + 1));
}

TEST(RoundRobin, KeepsItsOrderWhenAPortGoesAndComes)
{
    SwitchFixture fixture(MakeRoundRobin(0), EightUplinks());
    const Ports order = Take(fixture, 8);
    const auto setAll = [&](const Ports& ports) {
        for (uint32_t edge = 1; edge <= 8; ++edge)
        {
            fixture.SetHops(edge, ports);
        }
        fixture.TellRoutesChanged();
    };
    setAll({2, 3, 4, 6, 7, 8, 9});
    Ports rest = order;
    rest.erase(std::find(rest.begin(), rest.end(), 5));
    // The counter stands at 8, in a list of 7.
    Ports taken = Take(fixture, 7);
    std::rotate(rest.begin(), rest.begin() + 1, rest.end());
    EXPECT_EQ(taken, rest);
    setAll(fixture.GetUplinks());
    taken = Take(fixture, 8);
    taken.erase(std::find(taken.begin(), taken.end(), 5));
    EXPECT_EQ(taken.size(), 7U);
    const auto start = std::find(rest.begin(), rest.end(), taken.front());
    std::rotate(rest.begin(), start, rest.end());
    EXPECT_EQ(taken, rest);
}

TEST(RoundRobin, FollowsAChangeOfRoutesAbove)
{
    SwitchFixture fixture(MakeComponent<PortSelector>("RoundRobinPortSelector"),
                          EightUplinks(false));
    Take(fixture, 12); // cycles of 3 from here on are whole, up to the limit of 15
    fixture.SetHops(1, {2, 3, 4});
    fixture.TellRoutesChanged();
    EXPECT_EQ(fixture.Count(300), (std::vector<uint32_t>{100, 100, 100, 0, 0, 0, 0, 0}));
    EXPECT_EQ(fixture.Count(8, 2), std::vector<uint32_t>(8, 1));
}

} // namespace
