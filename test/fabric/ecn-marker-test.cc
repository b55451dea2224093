// SPDX-License-Identifier: GPL-2.0-only
#include "../support/bit-rates.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/ecn-marker.h"
#include "ns3/rails-error.h"
#include "ns3/rng-seed-manager.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

namespace
{

using ns3::rails::test::kGbps;
constexpr uint64_t kReference = 400 * kGbps;

/// Kmin 400 kB, Kmax 1600 kB, Pmax 0.2 at 400 Gbps.
Ptr<EcnMarker>
MakeMarker(uint64_t seed = 1)
{
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(seed);
    Ptr<EcnMarker> marker = CreateObject<EcnMarker>();
    marker->AssignStreams(3);
    return marker;
}

/// \return marks among so many frames
uint32_t
CountMarks(EcnMarker& marker, uint64_t queueBytes, uint64_t rateBps, uint32_t frames)
{
    uint32_t marks = 0;
    for (uint32_t i = 0; i < frames; ++i)
    {
        marks += marker.ShouldMark(queueBytes, rateBps) ? 1 : 0;
    }
    return marks;
}

TEST(EcnMarker, NeverMarksUpToKminAndAlwaysBeyondKmax)
{
    Ptr<EcnMarker> marker = MakeMarker();
    EXPECT_EQ(CountMarks(*marker, 0, kReference, 1000), 0U);
    EXPECT_EQ(CountMarks(*marker, 400'000, kReference, 1000), 0U);
    EXPECT_EQ(CountMarks(*marker, 1'600'001, kReference, 1000), 1000U);
}

TEST(EcnMarker, MarksInBetweenWithTheProbabilityOfTheStraightLine)
{
    constexpr uint32_t kFrames = 100'000;
    for (uint64_t seed = 1; seed <= 5; ++seed)
    {
        Ptr<EcnMarker> marker = MakeMarker(seed);
        // A quarter, half, all of the way from Kmin to Kmax.
        for (const auto& [queue, probability] :
             {std::pair<uint64_t, double>{700'000, 0.05}, {1'000'000, 0.1}, {1'600'000, 0.2}})
        {
            const double marks = CountMarks(*marker, queue, kReference, kFrames);
            const double error = std::sqrt(kFrames * probability * (1 - probability));
            EXPECT_NEAR(marks, kFrames * probability, 4 * error)
                << "seed " << seed << ", queue " << queue;
        }
    }
}

TEST(EcnMarker, ThresholdsGrowWithTheRateOfThePort)
{
    Ptr<EcnMarker> marker = MakeMarker();
    EXPECT_EQ(CountMarks(*marker, 100'000, 100 * kGbps, 1000), 0U);
    EXPECT_EQ(CountMarks(*marker, 400'001, 100 * kGbps, 1000), 1000U);
    EXPECT_EQ(CountMarks(*marker, 800'000, 800 * kGbps, 1000), 0U);
    EXPECT_EQ(CountMarks(*marker, 3'200'001, 800 * kGbps, 1000), 1000U);
    const double marks = CountMarks(*marker, 250'000, 100 * kGbps, 100'000);
    EXPECT_NEAR(marks, 10'000, 4 * std::sqrt(9000));
}

TEST(EcnMarker, SeedAndStreamDecide)
{
    const auto draw = [](uint64_t seed, int64_t stream) {
        Ptr<EcnMarker> marker = MakeMarker(seed);
        marker->AssignStreams(stream);
        std::vector<bool> marks;
        for (int i = 0; i < 200; ++i)
        {
            marks.push_back(marker->ShouldMark(1'500'000, kReference));
        }
        return marks;
    };
    EXPECT_EQ(draw(1, 3), draw(1, 3));
    EXPECT_NE(draw(1, 3), draw(2, 3));
    EXPECT_NE(draw(1, 3), draw(1, 4));
}

TEST(EcnMarker, AForkHasTheThresholdsAndItsOwnRandomNumbers)
{
    Ptr<EcnMarker> marker = MakeMarker();
    marker->SetAttribute("Kmin", ByteSizeValue(ByteSize(10)));
    marker->SetAttribute("Kmax", ByteSizeValue(ByteSize(20)));
    marker->SetAttribute("Pmax", DoubleValue(0.9));
    marker->SetAttribute("ReferenceRate", DataRateValue(DataRate(kGbps)));
    Ptr<EcnMarker> fork = marker->Fork();
    fork->AssignStreams(4);
    EXPECT_EQ(CountMarks(*fork, 10, kGbps, 1000), 0U);
    EXPECT_EQ(CountMarks(*fork, 21, kGbps, 1000), 1000U);
    EXPECT_NEAR(CountMarks(*fork, 20, kGbps, 10'000), 9000, 4 * 30);
    EXPECT_EQ(CountMarks(*fork, 20, 2 * kGbps, 1000), 0U);
}

TEST(EcnMarker, ContradictoryThresholdsAreRefused)
{
    Ptr<EcnMarker> marker = CreateObject<EcnMarker>();
    EXPECT_NO_THROW(marker->Check());
    marker->SetAttribute("Kmin", ByteSizeValue(ByteSize(1'600'001)));
    EXPECT_THROW(marker->Check(), ConfigurationError);
    marker->SetAttribute("Kmin", ByteSizeValue(ByteSize(0)));
    EXPECT_NO_THROW(marker->Check());
    marker->SetAttribute("ReferenceRate", DataRateValue(DataRate(uint64_t{0})));
    EXPECT_THROW(marker->Check(), ConfigurationError);
}

TEST(EcnMarker, EqualThresholdsMarkEverythingBeyondAndNothingElse)
{
    Ptr<EcnMarker> marker = CreateObject<EcnMarker>();
    marker->SetAttribute("Kmin", ByteSizeValue(ByteSize(1000)));
    marker->SetAttribute("Kmax", ByteSizeValue(ByteSize(1000)));
    marker->SetAttribute("ReferenceRate", DataRateValue(DataRate(kReference)));
    EXPECT_NO_THROW(marker->Check());
    EXPECT_EQ(CountMarks(*marker, 1000, kReference, 100), 0U);
    EXPECT_EQ(CountMarks(*marker, 1001, kReference, 100), 100U);
}

} // namespace
