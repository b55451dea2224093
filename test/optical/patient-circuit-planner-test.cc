// SPDX-License-Identifier: GPL-2.0-only
#include "circuit-fixtures.h"

#include "ns3/patient-circuit-planner.h"
#include "ns3/pointer.h"
#include "ns3/rails-error.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <limits>

namespace ns3::rails::test
{

namespace
{

// Three servers of one port; 0 and 1 have a circuit, and 0 has most for 2.
const Square kForTwo{{0, 1'000'000, 9'000'000}, {1'000'000, 0, 0}, {3'000'000, 0, 0}};

/// \return a region of three servers in which 0 and 1 have a circuit
CircuitRegion
MakeJoined(uint64_t packetRate, TimePs delay)
{
    CircuitRegion region = MakeRegion(3, 1);
    region.standing.Join(0, 1);
    region.packetRate = packetRate;
    region.delay = delay;
    return region;
}

TEST(PatientCircuitPlanner, EstimatesTheSlowestPairOrPacketNic)
{
    const CircuitDemand demand = MakeDemand(kForTwo);
    // 100 Gbps: 1 MB by the circuit takes 80 us; 9 MB by packets of 50 Gbps 1440 us.
    EXPECT_DOUBLE_EQ(
        EstimateExchange(MakeJoined(50'000'000'000, 0), MakeJoined(0, 0).standing, demand),
        1440e-6);
    CircuitMap other(3);
    other.Join(0, 2);
    EXPECT_DOUBLE_EQ(EstimateExchange(MakeJoined(50'000'000'000, 0), other, demand), 720e-6)
        << "9 MB by the circuit, and 1 MB by packets in 160 us";
    EXPECT_EQ(EstimateExchange(MakeJoined(0, 0), other, demand),
              std::numeric_limits<double>::infinity())
        << "nothing carries what has no circuit";
    EXPECT_EQ(EstimateExchange(MakeJoined(0, 0), other, CircuitDemand(3)), 0);
}

TEST(PatientCircuitPlanner, MovesWhenWhatItSavesIsMoreThanTheDarkTime)
{
    const CircuitDemand demand = MakeDemand(kForTwo);
    const Ptr<CircuitPlanner> planner = MakePlanner("patient");
    const auto plan = [&](TimePs delay) {
        return planner->Plan(MakeJoined(50'000'000'000, delay), demand).slots.at(0).circuits;
    };
    // Two exchanges of 1440 us in place of two of 720 us.
    EXPECT_EQ(plan(1'439'000'000).Count(0, 2), 1U);
    EXPECT_EQ(plan(1'441'000'000), MakeJoined(0, 0).standing);
    planner->SetAttribute("Exchanges", UintegerValue(1));
    EXPECT_EQ(plan(719'000'000).Count(0, 2), 1U);
    EXPECT_EQ(plan(721'000'000), MakeJoined(0, 0).standing);
    EXPECT_EQ(planner->Plan(MakeJoined(50'000'000'000, 0), CircuitDemand(3)).slots.at(0).circuits,
              MakeJoined(0, 0).standing)
        << "nothing to send";
}

TEST(PatientCircuitPlanner, RefusesPlannersThatDoNotFit)
{
    for (const char* const name : {"static", "birkhoff", "patient"})
    {
        const Ptr<CircuitPlanner> planner = MakePlanner("patient");
        planner->SetAttribute("Proposed", PointerValue(MakePlanner(name)));
        EXPECT_THROW(planner->Check(MakeRegion(3, 1)), ConfigurationError) << name;
    }
    MakePlanner("patient")->Check(MakeRegion(3, 1));
}

} // namespace

} // namespace ns3::rails::test
