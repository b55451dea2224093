// SPDX-License-Identifier: GPL-2.0-only
#include "circuit-fixtures.h"

#include <gtest/gtest.h>
#include <stdexcept>

namespace ns3::rails::test
{

namespace
{

/// \return all kinds of planners that can be made: new ones are tested as they come
std::vector<TypeId>
FindPlanners()
{
    std::vector<TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId id = TypeId::GetRegistered(i);
        if (id.IsChildOf(CircuitPlanner::GetTypeId()) && id.HasConstructor())
        {
            types.push_back(id);
        }
    }
    return types;
}

Ptr<CircuitPlanner>
Make(const TypeId& type)
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    const Ptr<CircuitPlanner> planner = factory.Create<CircuitPlanner>();
    planner->AssignStreams(1);
    return planner;
}

TEST(EveryCircuitPlanner, TakesNoMorePortsThanThereAre)
{
    ASSERT_GE(FindPlanners().size(), 4U);
    for (const TypeId& type : FindPlanners())
    {
        const Ptr<CircuitPlanner> planner = Make(type);
        for (uint32_t seed = 0; seed < 40; ++seed)
        {
            const uint32_t servers = 1 + seed % 9;
            CircuitRegion region = MakeRegion(servers, seed % 7);
            region.ports[seed % servers] = seed % 3;
            const CircuitDemand demand = DrawDemand(servers, 0.1 * (seed % 10), seed);
            planner->Check(region);
            for (const CircuitSlot& slot : planner->Plan(region, demand).slots)
            {
                EXPECT_GT(slot.duration, 0) << type.GetName() << ", seed " << seed;
                for (uint32_t server = 0; server < servers; ++server)
                {
                    EXPECT_LE(slot.circuits.CountLeaving(server), region.ports[server])
                        << type.GetName() << ", seed " << seed;
                    EXPECT_LE(slot.circuits.CountArriving(server), region.ports[server])
                        << type.GetName() << ", seed " << seed;
                }
            }
        }
    }
}

TEST(EveryCircuitPlanner, AnswersTheSameWhateverItWasAskedBefore)
{
    const CircuitDemand demand = MakeDemand(kPublicTokens);
    const CircuitRegion region = MakeRegion(8, 4);
    for (const TypeId& type : FindPlanners())
    {
        const Ptr<CircuitPlanner> asked = Make(type);
        CircuitRegion other = MakeRegion(5, 3);
        other.index = 7;
        asked->Plan(other, DrawDemand(5, 0, 1));
        const CircuitPlan first = asked->Plan(region, demand);
        const CircuitPlan anew = Make(type)->Plan(region, demand);
        ASSERT_EQ(first.slots.size(), anew.slots.size()) << type.GetName();
        for (std::size_t i = 0; i < first.slots.size(); ++i)
        {
            EXPECT_EQ(first.slots[i].circuits, anew.slots[i].circuits) << type.GetName();
        }
    }
}

TEST(EveryCircuitPlanner, DeclaresWhatPlanningTakes)
{
    for (const TypeId& type : FindPlanners())
    {
        const Ptr<CircuitPlanner> planner = Make(type);
        const auto plan = [&] {
            return planner->Plan(MakeRegion(8, 6), MakeDemand(kPublicTokens));
        };
        EXPECT_EQ(plan().planningTime, 0) << type.GetName();
        planner->SetAttribute("PlanningTime", TimeValue(PicoSeconds(1'500'000)));
        EXPECT_EQ(plan().planningTime, 1'500'000) << type.GetName();
    }
}

TEST(EveryCircuitPlanner, IsAskedOfTheRegionThatTheDemandIsOf)
{
    for (const TypeId& type : FindPlanners())
    {
        EXPECT_THROW(Make(type)->Plan(MakeRegion(4, 2), CircuitDemand(5)), std::invalid_argument);
    }
}

} // namespace

} // namespace ns3::rails::test
