// SPDX-License-Identifier: GPL-2.0-only
#include "../support/bit-rates.h"
#include "../support/sanitized.h"

#include "ns3/boolean.h"
#include "ns3/component-maker.h"
#include "ns3/config.h"
#include "ns3/congestion-control.h"
#include "ns3/data-rate.h"
#include "ns3/dcqcn-congestion-control.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/object-factory.h"
#include "ns3/rails-error.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

namespace
{

using Dcqcn = DcqcnCongestionControl;

using ns3::rails::test::kGbps;
constexpr uint64_t kMbps = 1'000'000;
constexpr uint64_t kDcqcnLine = 100 * kGbps;

TimePs
Us(double microseconds)
{
    return NanoSeconds(std::llround(microseconds * 1000)).GetTimeStep();
}

Ptr<Dcqcn>
Make(Dcqcn::Preset preset)
{
    Ptr<Dcqcn> dcqcn = CreateObject<Dcqcn>();
    dcqcn->SetPreset(preset);
    return dcqcn;
}

Ptr<Dcqcn>
Started(Dcqcn::Preset preset, uint64_t lineRate = kDcqcnLine)
{
    Ptr<Dcqcn> dcqcn = Make(preset);
    dcqcn->Start(0, lineRate);
    return dcqcn;
}

std::string
Read(Ptr<Object> object, const std::string& attribute)
{
    TypeId::AttributeInformation info;
    EXPECT_TRUE(object->GetInstanceTypeId().LookupAttributeByName(attribute, &info)) << attribute;
    Ptr<AttributeValue> value = info.checker->Create();
    object->GetAttribute(attribute, *value);
    return value->SerializeToString(info.checker);
}

Time
ReadTime(Ptr<Object> object, const std::string& attribute)
{
    TimeValue value;
    object->GetAttribute(attribute, value);
    return value.Get();
}

double
ReadDouble(Ptr<Object> object, const std::string& attribute)
{
    DoubleValue value;
    object->GetAttribute(attribute, value);
    return value.Get();
}

uint64_t
ReadRate(Ptr<Object> object, const std::string& attribute)
{
    DataRateValue value;
    object->GetAttribute(attribute, value);
    return value.Get().GetBitRate();
}

ByteSize
ReadBytes(Ptr<Object> object, const std::string& attribute)
{
    ByteSizeValue value;
    object->GetAttribute(attribute, value);
    return value.Get();
}

uint64_t
ReadCount(Ptr<Object> object, const std::string& attribute)
{
    UintegerValue value;
    object->GetAttribute(attribute, value);
    return value.Get();
}

bool
ReadSwitch(Ptr<Object> object, const std::string& attribute)
{
    BooleanValue value;
    object->GetAttribute(attribute, value);
    return value.Get();
}

} // namespace

// Parameters

TEST(DcqcnPreset, PaperHasTheValuesOfThePaper)
{
    Ptr<Dcqcn> dcqcn = Make(Dcqcn::PAPER);
    EXPECT_EQ(Read(dcqcn, "Preset"), "paper");
    EXPECT_EQ(ReadTime(dcqcn, "AlphaTimer"), MicroSeconds(55));
    EXPECT_EQ(ReadDouble(dcqcn, "Gain"), 1.0 / 256);
    EXPECT_EQ(ReadDouble(dcqcn, "InitialAlpha"), 1);
    EXPECT_EQ(ReadTime(dcqcn, "DecreaseInterval"), MicroSeconds(50));
    EXPECT_TRUE(ReadSwitch(dcqcn, "ClampTargetRate"));
    EXPECT_EQ(ReadRate(dcqcn, "MinimumRate"), 10 * kMbps);
    EXPECT_EQ(ReadTime(dcqcn, "IncreaseTimer"), MicroSeconds(55));
    EXPECT_EQ(ReadBytes(dcqcn, "ByteCounter"), ByteSize(10'000'000));
    EXPECT_EQ(ReadCount(dcqcn, "FastRecoverySteps"), 5U);
    EXPECT_EQ(ReadRate(dcqcn, "AdditiveIncrease"), 40 * kMbps);
    EXPECT_EQ(ReadRate(dcqcn, "HyperIncrease"), 200 * kMbps);
    EXPECT_EQ(ReadRate(dcqcn, "IncreaseReferenceRate"), 0U);
    EXPECT_EQ(ReadTime(dcqcn, "CnpInterval"), MicroSeconds(50));
    EXPECT_EQ(dcqcn->GetCnpInterval(), Us(50));
    EXPECT_TRUE(dcqcn->GetTraits().usesEcn);
}

TEST(DcqcnPreset, ActsAsADefaultAndWhereAnObjectIsMade)
{
    const std::string name = "ns3::rails::DcqcnCongestionControl";
    ObjectFactory factory("ns3::rails::DcqcnCongestionControl",
                          "Preset",
                          StringValue("paper"),
                          "AlphaTimer",
                          TimeValue(MicroSeconds(77)));
    const Ptr<Dcqcn> made = factory.Create<Dcqcn>();
    EXPECT_EQ(Read(made, "IncreaseTimer"), Read(Make(Dcqcn::PAPER), "IncreaseTimer"));
    const Ptr<Dcqcn> same = Make(Dcqcn::PAPER);
    same->SetAttribute("AlphaTimer", TimeValue(MicroSeconds(77)));
    EXPECT_EQ(Read(made, "AlphaTimer"), Read(same, "AlphaTimer"));
    Config::SetDefault(name + "::Preset", StringValue("hpcc"));
    const Ptr<Dcqcn> standard = CreateObject<Dcqcn>();
    Config::SetDefault(name + "::Preset", StringValue("mellanox"));
    for (const char* attribute : {"Preset", "AlphaTimer", "ByteCounter", "CnpInterval"})
    {
        EXPECT_EQ(Read(standard, attribute), Read(Make(Dcqcn::HPCC), attribute)) << attribute;
    }
}

TEST(DcqcnPreset, MellanoxHasTheValuesOfRecentNics)
{
    Ptr<Dcqcn> dcqcn = Make(Dcqcn::MELLANOX);
    EXPECT_EQ(Read(dcqcn, "Preset"), "mellanox");
    EXPECT_EQ(ReadTime(dcqcn, "AlphaTimer"), MicroSeconds(1));
    EXPECT_EQ(ReadDouble(dcqcn, "Gain"), 1.0 / 256);
    EXPECT_EQ(ReadDouble(dcqcn, "InitialAlpha"), 1);
    EXPECT_EQ(ReadTime(dcqcn, "DecreaseInterval"), MicroSeconds(4));
    EXPECT_FALSE(ReadSwitch(dcqcn, "ClampTargetRate"));
    EXPECT_EQ(ReadRate(dcqcn, "MinimumRate"), 100 * kMbps);
    EXPECT_EQ(ReadTime(dcqcn, "IncreaseTimer"), MicroSeconds(300));
    EXPECT_TRUE(ReadBytes(dcqcn, "ByteCounter").IsSpecial());
    EXPECT_EQ(ReadCount(dcqcn, "FastRecoverySteps"), 1U);
    EXPECT_EQ(ReadRate(dcqcn, "AdditiveIncrease"), 5 * kMbps);
    EXPECT_EQ(ReadRate(dcqcn, "HyperIncrease"), 50 * kMbps);
    EXPECT_EQ(ReadRate(dcqcn, "IncreaseReferenceRate"), 25 * kGbps);
    EXPECT_EQ(ReadTime(dcqcn, "CnpInterval"), MicroSeconds(4));
    EXPECT_EQ(dcqcn->GetCnpInterval(), Us(4));
}

TEST(DcqcnPreset, HpccHasTheValuesOfItsSimulator)
{
    Ptr<Dcqcn> dcqcn = Make(Dcqcn::HPCC);
    EXPECT_EQ(Read(dcqcn, "Preset"), "hpcc");
    EXPECT_EQ(ReadTime(dcqcn, "AlphaTimer"), MicroSeconds(1));
    EXPECT_EQ(ReadDouble(dcqcn, "Gain"), 1.0 / 256);
    EXPECT_EQ(ReadDouble(dcqcn, "InitialAlpha"), 1);
    EXPECT_EQ(ReadTime(dcqcn, "DecreaseInterval"), MicroSeconds(4));
    EXPECT_FALSE(ReadSwitch(dcqcn, "ClampTargetRate"));
    EXPECT_EQ(ReadRate(dcqcn, "MinimumRate"), 100 * kMbps);
    EXPECT_EQ(ReadTime(dcqcn, "IncreaseTimer"), MicroSeconds(900));
    EXPECT_TRUE(ReadBytes(dcqcn, "ByteCounter").IsSpecial());
    EXPECT_EQ(ReadCount(dcqcn, "FastRecoverySteps"), 1U);
    EXPECT_EQ(ReadRate(dcqcn, "AdditiveIncrease"), 50 * kMbps);
    EXPECT_EQ(ReadRate(dcqcn, "HyperIncrease"), 100 * kMbps);
    EXPECT_EQ(ReadRate(dcqcn, "IncreaseReferenceRate"), 0U);
    EXPECT_EQ(ReadTime(dcqcn, "CnpInterval"), Time(0));
    EXPECT_EQ(dcqcn->GetCnpInterval(), 0);
}

TEST(DcqcnPreset, HpccTakesFixedStepsAtEveryRate)
{
    for (const uint64_t line : {100 * kGbps, 400 * kGbps})
    {
        Ptr<Dcqcn> dcqcn = Started(Dcqcn::HPCC, line);
        dcqcn->OnCnp(0);
        EXPECT_EQ(dcqcn->GetRateBps(0), line / 2) << "alpha starts at 1";
        EXPECT_EQ(dcqcn->GetRateBps(Us(899)), line / 2);
        EXPECT_EQ(dcqcn->GetRateBps(Us(900)), line / 4 * 3)
            << "fast recovery: half-way to the line";
        dcqcn->OnCnp(Us(900));
        const uint64_t target = line / 4 * 3; // an increase came before this decrease
        // 900 periods without CNP have passed.
        const double alpha = std::pow(255.0 / 256, 900);
        uint64_t rate = dcqcn->GetRateBps(Us(900));
        EXPECT_NEAR(static_cast<double>(rate), static_cast<double>(target) * (1 - alpha / 2), 2);
        EXPECT_EQ(dcqcn->GetTargetRateBps(Us(900)), target);
        const uint64_t targets[] = {target, target + 50 * kMbps, target + 150 * kMbps};
        for (int step = 0; step < 3; ++step)
        {
            rate = (rate + targets[step] + 1) / 2;
            EXPECT_EQ(dcqcn->GetRateBps(Us(1800 + 900 * step)), rate) << "step " << step;
            EXPECT_EQ(dcqcn->GetTargetRateBps(Us(1800 + 900 * step)), targets[step]);
        }
    }
}

TEST(DcqcnPreset, PacedNotificationsStarveAlphaWhereOneForEachFrameHoldsIt)
{
    // Marks all the time. A CNP for each frame, every 0.4 us, comes before alpha can decay: it
    // stays 1, and each decrease halves. With one every 4 us alpha decays four times in between,
    // and the CNP weighs what is left by 255/256: it settles where a = a * (255/256)^5 + 1/256, at
    // 0.2016.
    const auto getAlpha = [](TimePs interval) {
        Ptr<Dcqcn> dcqcn = Started(Dcqcn::HPCC);
        TimePs now = 0;
        for (; now < Us(10'000); now += interval)
        {
            dcqcn->OnCnp(now);
        }
        return dcqcn->GetAlpha(now - interval);
    };
    EXPECT_EQ(getAlpha(Us(0.4)), 1);
    EXPECT_NEAR(getAlpha(Us(4)), (1.0 / 256) / (1 - std::pow(255.0 / 256, 5)), 1e-9);
    Ptr<Dcqcn> dcqcn = Started(Dcqcn::HPCC);
    for (TimePs now = 0; now <= Us(40); now += Us(0.4))
    {
        dcqcn->OnCnp(now);
    }
    EXPECT_EQ(dcqcn->GetRateBps(Us(40)), 100 * kMbps) << "eleven halvings of 100 Gbps, cut off";
}

/// \return the attributes that have a value, in their order
std::vector<TypeId::AttributeInformation>
GetParameters()
{
    std::vector<TypeId::AttributeInformation> parameters;
    const TypeId tid = Dcqcn::GetTypeId();
    for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
    {
        if ((tid.GetAttribute(i).flags & TypeId::ATTR_GET) != 0)
        {
            parameters.push_back(tid.GetAttribute(i));
        }
    }
    return parameters;
}

TEST(DcqcnPreset, FreshObjectTheInitialValuesAndTheDefaultPresetAgree)
{
    Ptr<Dcqcn> fresh = CreateObject<Dcqcn>();
    Ptr<Dcqcn> preset = Make(Dcqcn::PAPER);
    preset->SetPreset(Dcqcn::MELLANOX);
    ASSERT_EQ(GetParameters().size(), 14U);
    for (const TypeId::AttributeInformation& info : GetParameters())
    {
        EXPECT_EQ(Read(fresh, info.name), Read(preset, info.name)) << info.name;
        EXPECT_EQ(Read(fresh, info.name), info.initialValue->SerializeToString(info.checker))
            << info.name;
    }
}

TEST(DcqcnPreset, IsDeclaredFirstSoThatExplicitValuesInThatOrderWin)
{
    EXPECT_EQ(GetParameters().front().name, "Preset");
    Ptr<Dcqcn> dcqcn = CreateObject<Dcqcn>();
    dcqcn->SetAttribute("Preset", StringValue("paper"));
    dcqcn->SetAttribute("AlphaTimer", TimeValue(MicroSeconds(7)));
    EXPECT_EQ(ReadTime(dcqcn, "AlphaTimer"), MicroSeconds(7));
    EXPECT_EQ(ReadTime(dcqcn, "IncreaseTimer"), MicroSeconds(55));
}

TEST(DcqcnPreset, IsNotTakenAtConstructionWhereOtherInitialValuesWouldUndoIt)
{
    EXPECT_FALSE(Dcqcn::GetTypeId().GetAttribute(0).flags & TypeId::ATTR_CONSTRUCT);
}

TEST(DcqcnPreset, ForkKeepsItsParametersWhenThePrototypeChanges)
{
    Ptr<Dcqcn> prototype = Make(Dcqcn::PAPER);
    Ptr<CongestionControl> fork = prototype->Fork();
    prototype->SetPreset(Dcqcn::MELLANOX);
    EXPECT_EQ(Read(fork, "Preset"), "paper");
    EXPECT_EQ(ReadTime(fork, "AlphaTimer"), MicroSeconds(55));
}

TEST(DcqcnPreset, ZeroMinimumRateIsRefused)
{
    Ptr<Dcqcn> dcqcn = CreateObject<Dcqcn>();
    EXPECT_NO_THROW(dcqcn->Check());
    dcqcn->SetAttribute("MinimumRate", DataRateValue(DataRate(0)));
    try
    {
        dcqcn->Check();
        FAIL() << "a minimum rate of zero was accepted";
    }
    catch (const ConfigurationError& error)
    {
        EXPECT_EQ(error.GetKey(), "minimum_rate");
    }
}

// Start and decrease

TEST(Dcqcn, StartsAtLineRateWithNothingPending)
{
    Ptr<Dcqcn> dcqcn = Started(Dcqcn::MELLANOX, 400 * kGbps);
    dcqcn->OnSent(Us(1), 4178);
    EXPECT_EQ(dcqcn->GetRateBps(Us(1)), 400 * kGbps);
    EXPECT_EQ(dcqcn->GetNextChange(Us(1)), kNever);
    EXPECT_EQ(dcqcn->GetWindowBytes(), std::numeric_limits<uint64_t>::max());
}

TEST(Dcqcn, FirstCnpHalvesTheRateHoweverLateItComes)
{
    Ptr<Dcqcn> dcqcn = Started(Dcqcn::PAPER);
    dcqcn->OnCnp(Us(1'000'000));
    EXPECT_EQ(dcqcn->GetRateBps(Us(1'000'000)), 50 * kGbps);
    EXPECT_EQ(dcqcn->GetTargetRateBps(Us(1'000'000)), 100 * kGbps);
    EXPECT_EQ(dcqcn->GetAlpha(Us(1'000'000)), 1);
}

TEST(Dcqcn, CnpUsesAlphaBeforeItRaisesIt)
{
    Ptr<Dcqcn> dcqcn = Make(Dcqcn::PAPER);
    dcqcn->SetAttribute("InitialAlpha", DoubleValue(0.5));
    dcqcn->Start(0, kDcqcnLine);
    dcqcn->OnCnp(0);
    EXPECT_EQ(dcqcn->GetRateBps(0), 75 * kGbps);
    EXPECT_EQ(dcqcn->GetAlpha(0), 0.501953125); // 255/256 * 1/2 + 1/256 = 257/512
    dcqcn->OnCnp(Us(50));
    EXPECT_EQ(dcqcn->GetRateBps(Us(50)), 56'176'757'812U); // 75e9 * (1 - 257/1024), rounded down
    EXPECT_EQ(dcqcn->GetAlpha(Us(50)), 257.0 / 512 * 255 / 256 + 1.0 / 256);
}

TEST(Dcqcn, AlphaDecaysOncePerAlphaTimer)
{
    Ptr<Dcqcn> dcqcn = Started(Dcqcn::PAPER);
    dcqcn->OnCnp(Us(10));
    EXPECT_EQ(dcqcn->GetAlpha(Us(64.999)), 1);
    EXPECT_EQ(dcqcn->GetAlpha(Us(65)), 255.0 / 256);
    EXPECT_EQ(dcqcn->GetAlpha(Us(119.999)), 255.0 / 256);
    EXPECT_EQ(dcqcn->GetAlpha(Us(120)), 65025.0 / 65536);
    EXPECT_EQ(dcqcn->GetAlpha(Us(175)), 16581375.0 / 16777216);
    const double far = dcqcn->GetAlpha(Us(10 + 55 * 5000.0));
    EXPECT_NEAR(far / std::pow(255.0 / 256, 5000), 1, 1e-10);
}

TEST(Dcqcn, CnpRestartsTheAlphaTimer)
{
    Ptr<Dcqcn> dcqcn = Started(Dcqcn::PAPER);
    for (const double at : {0.0, 50.0, 100.0, 150.0})
    {
        dcqcn->OnCnp(Us(at));
    }
    EXPECT_EQ(dcqcn->GetAlpha(Us(204.999)), 1);
    EXPECT_EQ(dcqcn->GetAlpha(Us(205)), 255.0 / 256);
}

TEST(Dcqcn, CnpInsideTheIntervalDecreasesOnceAtItsEnd)
{
    Ptr<Dcqcn> dcqcn = Started(Dcqcn::PAPER);
    dcqcn->OnCnp(0);
    dcqcn->OnCnp(Us(20));
    dcqcn->OnCnp(Us(30));
    EXPECT_EQ(dcqcn->GetRateBps(Us(49.999)), 50 * kGbps);
    EXPECT_EQ(dcqcn->GetNextChange(Us(49.999)), Us(50));
    EXPECT_EQ(dcqcn->GetRateBps(Us(50)), 25 * kGbps);
    EXPECT_EQ(dcqcn->GetTargetRateBps(Us(50)), 50 * kGbps);
    EXPECT_EQ(dcqcn->GetNextChange(Us(50)), Us(105));
    // Alpha has decayed once, 55 us after the last CNP: 25e9 * (1 - 255/512).
    dcqcn->OnCnp(Us(100));
    EXPECT_EQ(dcqcn->GetRateBps(Us(100)), 12'548'828'125U);
}

TEST(Dcqcn, DecreaseGoesBeforeAnIncreaseOfTheSameInstant)
{
    Ptr<Dcqcn> dcqcn = Make(Dcqcn::PAPER);
    dcqcn->SetAttribute("IncreaseTimer", TimeValue(MicroSeconds(50)));
    dcqcn->Start(0, kDcqcnLine);
    dcqcn->OnCnp(0);
    dcqcn->OnCnp(Us(10));
    EXPECT_EQ(dcqcn->GetRateBps(Us(50)), 25 * kGbps);
    EXPECT_EQ(dcqcn->GetTargetRateBps(Us(50)), 50 * kGbps);
}

TEST(Dcqcn, CnpInsideTheIntervalRaisesAlphaAtOnce)
{
    Ptr<Dcqcn> dcqcn = Make(Dcqcn::PAPER);
    dcqcn->SetAttribute("InitialAlpha", DoubleValue(0));
    dcqcn->Start(0, kDcqcnLine);
    dcqcn->OnCnp(0);
    EXPECT_EQ(dcqcn->GetRateBps(0), kDcqcnLine);
    EXPECT_EQ(dcqcn->GetAlpha(0), 1.0 / 256);
    dcqcn->OnCnp(Us(10));
    EXPECT_EQ(dcqcn->GetAlpha(Us(10)), 511.0 / 65536);
    // The decrease at 50 us uses alpha as it is then: 1e11 * (1 - 511/131072).
    EXPECT_EQ(dcqcn->GetRateBps(Us(50)), 99'610'137'939U);
}

TEST(Dcqcn, DecreaseIsDueAtOnceAfterTheInterval)
{
    Ptr<Dcqcn> dcqcn = Started(Dcqcn::MELLANOX);
    dcqcn->OnCnp(0);
    EXPECT_EQ(dcqcn->GetRateBps(Us(4)), 50 * kGbps);
    const double alpha = std::pow(255.0 / 256, 4);
    dcqcn->OnCnp(Us(4));
    EXPECT_NEAR(dcqcn->GetRateBps(Us(4)), 50e9 * (1 - alpha / 2), 1);
    EXPECT_NEAR(dcqcn->GetAlpha(Us(4)), alpha * 255 / 256 + 1.0 / 256, 1e-15);
}

TEST(Dcqcn, RateNeverFallsBelowTheMinimum)
{
    Ptr<Dcqcn> dcqcn = Started(Dcqcn::MELLANOX);
    for (int i = 0; i < 400; ++i)
    {
        dcqcn->OnCnp(Us(4 * i));
        EXPECT_GE(dcqcn->GetRateBps(Us(4 * i)), 100 * kMbps);
    }
    EXPECT_EQ(dcqcn->GetRateBps(Us(1600)), 100 * kMbps);
}

TEST(Dcqcn, NicSlowerThanTheMinimumRateStaysAtLineRate)
{
    Ptr<Dcqcn> dcqcn = Started(Dcqcn::MELLANOX, 50 * kMbps);
    dcqcn->OnCnp(0);
    EXPECT_EQ(dcqcn->GetRateBps(0), 50 * kMbps);
    EXPECT_EQ(dcqcn->GetNextChange(0), kNever);
}

TEST(Dcqcn, UnclampedTargetSurvivesDecreasesInARowClampedDoesNot)
{
    Ptr<Dcqcn> mellanox = Started(Dcqcn::MELLANOX);
    mellanox->OnCnp(0);
    mellanox->OnCnp(Us(4));
    EXPECT_EQ(mellanox->GetTargetRateBps(Us(4)), 100 * kGbps);
    mellanox->GetRateBps(Us(304)); // an increase lies between
    const uint64_t before = mellanox->GetRateBps(Us(304));
    mellanox->OnCnp(Us(305));
    EXPECT_EQ(mellanox->GetTargetRateBps(Us(305)), before);

    Ptr<Dcqcn> paper = Started(Dcqcn::PAPER);
    paper->OnCnp(0);
    paper->OnCnp(Us(50));
    EXPECT_EQ(paper->GetTargetRateBps(Us(50)), 50 * kGbps);
}

// Increase

TEST(Dcqcn, FiveTimerPeriodsAreFastRecoveryThenAdditive)
{
    Ptr<Dcqcn> dcqcn = Started(Dcqcn::PAPER);
    dcqcn->OnCnp(0);
    dcqcn->OnCnp(Us(50)); // rate 25, target 50 Gbps
    const std::vector<uint64_t> rates{37'500'000'000,
                                      43'750'000'000,
                                      46'875'000'000,
                                      48'437'500'000,
                                      49'218'750'000,
                                      49'629'375'000,  // target 50.04
                                      49'854'687'500,  // target 50.08
                                      49'987'343'750}; // target 50.12
    TimePs at = Us(50);
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        const uint64_t before = dcqcn->GetRateBps(at);
        EXPECT_EQ(dcqcn->GetNextChange(at), at + Us(55)) << i;
        at += Us(55);
        EXPECT_EQ(dcqcn->GetRateBps(at - 1), before) << i;
        EXPECT_EQ(dcqcn->GetRateBps(at), rates[i]) << i;
        EXPECT_EQ(dcqcn->GetTargetRateBps(at), 50 * kGbps + (i < 5 ? 0 : (i - 4) * 40 * kMbps));
    }
}

TEST(Dcqcn, TimerAloneNeverReachesHyperIncreaseWhileTheByteCounterIsBehind)
{
    Ptr<Dcqcn> dcqcn = Started(Dcqcn::PAPER);
    dcqcn->OnCnp(0);
    dcqcn->OnCnp(Us(50));
    EXPECT_EQ(dcqcn->GetTargetRateBps(Us(50 + 55 * 30)), 50 * kGbps + 25 * 40 * kMbps);
}

TEST(Dcqcn, ByteCounterRaisesTheRateOncePerPeriod)
{
    Ptr<Dcqcn> dcqcn = Started(Dcqcn::PAPER);
    dcqcn->OnCnp(0);
    dcqcn->OnSent(Us(1), 9'999'999);
    EXPECT_EQ(dcqcn->GetRateBps(Us(1)), 50 * kGbps);
    dcqcn->OnSent(Us(2), 1);
    EXPECT_EQ(dcqcn->GetRateBps(Us(2)), 75 * kGbps);
    dcqcn->OnSent(Us(3), 10'000'001); // one byte of it counts for the next period
    EXPECT_EQ(dcqcn->GetRateBps(Us(3)), 87'500 * kMbps);
    dcqcn->OnSent(Us(4), 9'999'999);
    EXPECT_EQ(dcqcn->GetRateBps(Us(4)), 93'750 * kMbps);
    EXPECT_EQ(dcqcn->GetNextChange(Us(4)), Us(55)) << "the byte counter moved the timer";
}

TEST(Dcqcn, DecreaseRestartsTimerAndByteCounter)
{
    Ptr<Dcqcn> dcqcn = Started(Dcqcn::PAPER);
    dcqcn->OnCnp(0);
    dcqcn->OnSent(Us(1), 9'999'999);
    dcqcn->OnCnp(Us(54));
    EXPECT_EQ(dcqcn->GetRateBps(Us(54)), 25 * kGbps);
    dcqcn->OnSent(Us(54), 9'999'999);
    EXPECT_EQ(dcqcn->GetRateBps(Us(108.999)), 25 * kGbps);
    EXPECT_EQ(dcqcn->GetRateBps(Us(109)), 37'500 * kMbps);
    dcqcn->OnSent(Us(109), 1);
    EXPECT_EQ(dcqcn->GetRateBps(Us(109)), 43'750 * kMbps);
}

TEST(Dcqcn, EitherCounterEndsFastRecoveryAndBothBeginHyperIncrease)
{
    Ptr<Dcqcn> dcqcn = Started(Dcqcn::PAPER);
    dcqcn->OnCnp(0);
    dcqcn->OnCnp(Us(50)); // target 50 Gbps
    for (int i = 0; i < 5; ++i)
    {
        dcqcn->OnSent(Us(51), 10'000'000);
    }
    EXPECT_EQ(dcqcn->GetTargetRateBps(Us(51)), 50 * kGbps);
    dcqcn->OnSent(Us(51), 10'000'000); // sixth byte period, no timer period: additive
    EXPECT_EQ(dcqcn->GetTargetRateBps(Us(51)), 50'040 * kMbps);
    // Six timer periods: additive, as the timer has not passed five.
    EXPECT_EQ(dcqcn->GetTargetRateBps(Us(50 + 55 * 6)), 50'280 * kMbps);
    // Both have completed six.
    EXPECT_EQ(dcqcn->GetTargetRateBps(Us(50 + 55 * 7)), 50'480 * kMbps);
    dcqcn->OnSent(Us(50 + 55 * 7), 10'000'000);
    EXPECT_EQ(dcqcn->GetTargetRateBps(Us(50 + 55 * 7)), 50'680 * kMbps);
}

TEST(Dcqcn, OneFastRecoveryStepWithoutByteCounterThenAdditiveThenHyper)
{
    Ptr<Dcqcn> dcqcn = Make(Dcqcn::MELLANOX);
    dcqcn->SetAttribute("ClampTargetRate", BooleanValue(true));
    dcqcn->SetAttribute("Gain", DoubleValue(0)); // alpha stays 1
    dcqcn->Start(0, kDcqcnLine);
    dcqcn->OnCnp(0);
    dcqcn->OnCnp(Us(4)); // rate 25, target 50 Gbps
    dcqcn->OnSent(Us(5), 1'000'000'000);
    EXPECT_EQ(dcqcn->GetRateBps(Us(5)), 25 * kGbps);
    EXPECT_EQ(dcqcn->GetRateBps(Us(304)), 37'500 * kMbps);
    EXPECT_EQ(dcqcn->GetTargetRateBps(Us(304)), 50 * kGbps);
    EXPECT_EQ(dcqcn->GetTargetRateBps(Us(604)), 50'020 * kMbps); // 5 Mb/s * 100/25
    EXPECT_EQ(dcqcn->GetRateBps(Us(604)), 43'760 * kMbps);
    EXPECT_EQ(dcqcn->GetTargetRateBps(Us(904)), 50'220 * kMbps); // 50 Mb/s * 100/25
    EXPECT_EQ(dcqcn->GetRateBps(Us(904)), 46'990 * kMbps);
    EXPECT_EQ(dcqcn->GetTargetRateBps(Us(1204)), 50'420 * kMbps);
}

TEST(Dcqcn, IncreaseGrowsWithTheNicRateUnlessTheReferenceIsZero)
{
    const auto step = [](uint64_t line, uint64_t reference) {
        Ptr<Dcqcn> dcqcn = Make(Dcqcn::MELLANOX);
        dcqcn->SetAttribute("IncreaseReferenceRate", DataRateValue(DataRate(reference)));
        dcqcn->SetAttribute("FastRecoverySteps", UintegerValue(0));
        dcqcn->SetAttribute("ClampTargetRate", BooleanValue(true));
        dcqcn->Start(0, line);
        dcqcn->OnCnp(0);
        dcqcn->OnCnp(Us(4));
        const uint64_t before = dcqcn->GetTargetRateBps(Us(4));
        return dcqcn->GetTargetRateBps(Us(304)) - before;
    };
    EXPECT_EQ(step(25 * kGbps, 25 * kGbps), 5 * kMbps);
    EXPECT_EQ(step(400 * kGbps, 25 * kGbps), 80 * kMbps);
    EXPECT_EQ(step(10 * kGbps, 25 * kGbps), 2 * kMbps);
    EXPECT_EQ(step(400 * kGbps, 0), 5 * kMbps);
}

TEST(Dcqcn, RecoversToExactlyLineRateAndThenHasNothingPending)
{
    Ptr<Dcqcn> dcqcn = Started(Dcqcn::MELLANOX, 400 * kGbps);
    dcqcn->OnCnp(0);
    TimePs at = 0;
    int changes = 0;
    for (TimePs next = dcqcn->GetNextChange(at); next != kNever; next = dcqcn->GetNextChange(at))
    {
        ASSERT_GT(next, at);
        ASSERT_LT(++changes, 100);
        const uint64_t before = dcqcn->GetRateBps(at);
        at = next;
        EXPECT_GT(dcqcn->GetRateBps(at), before);
    }
    EXPECT_EQ(dcqcn->GetRateBps(at), 400 * kGbps);
    // Alpha is not forgotten at line rate: the next decrease is a small one.
    const double alpha = dcqcn->GetAlpha(at + Us(100));
    EXPECT_LT(alpha, 0.01);
    dcqcn->OnCnp(at + Us(100));
    EXPECT_NEAR(dcqcn->GetRateBps(at + Us(100)), 400e9 * (1 - alpha / 2), 1);
    EXPECT_EQ(dcqcn->GetTargetRateBps(at + Us(100)), 400 * kGbps);
}

TEST(Dcqcn, ForkOfAUsedOneIsNew)
{
    Ptr<Dcqcn> used = Started(Dcqcn::PAPER);
    used->OnCnp(Us(10));
    used->OnCnp(Us(20));
    Ptr<CongestionControl> fork = used->Fork();
    fork->Start(Us(30), kDcqcnLine);
    EXPECT_EQ(fork->GetRateBps(Us(30)), kDcqcnLine);
    EXPECT_EQ(fork->GetNextChange(Us(30)), kNever);
    fork->OnCnp(Us(31));
    EXPECT_EQ(fork->GetRateBps(Us(31)), 50 * kGbps);
    EXPECT_EQ(used->GetRateBps(Us(59)), 50 * kGbps);
    EXPECT_EQ(used->GetRateBps(Us(60)), 25 * kGbps);
}

TEST(Dcqcn, NoneStaysAtLineRateAndUsesNoMarks)
{
    Ptr<CongestionControl> none = MakeComponent<CongestionControl>("NoneCongestionControl")->Fork();
    none->Start(0, kDcqcnLine);
    none->OnCnp(Us(1));
    none->OnSent(Us(1), 4178);
    none->OnAck(Us(2), {true, Us(1)});
    EXPECT_EQ(none->GetRateBps(Us(2)), kDcqcnLine);
    EXPECT_EQ(none->GetNextChange(Us(2)), kNever);
    EXPECT_FALSE(none->GetTraits().usesEcn);
}

// Against a model with real timers

namespace
{

/// What both models are made from.
struct Setting
{
    double gain;
    TimePs alphaTimer;
    TimePs decreaseInterval;
    TimePs increaseTimer;
    uint64_t byteCounter; // 0: none
    int fastRecovery;
    double additive; // bit/s at this line rate
    double hyper;
    double minimum;
    bool clamp;
    double line;
};

/// DCQCN with an event for each timer, rates in floating point, alpha decayed step by step.
class EventDrivenDcqcn
{
  public:
    explicit EventDrivenDcqcn(const Setting& setting)
        : m_set(setting),
          m_rate(setting.line),
          m_target(setting.line)
    {
    }

    EventDrivenDcqcn(const EventDrivenDcqcn&) = delete;
    EventDrivenDcqcn& operator=(const EventDrivenDcqcn&) = delete;

    void RunUntil(TimePs now)
    {
        while (!m_events.empty() && m_events.begin()->first.first <= now)
        {
            const auto event = m_events.begin()->second;
            m_now = m_events.begin()->first.first;
            m_events.erase(m_events.begin());
            event();
        }
        m_now = now;
    }

    void Cnp()
    {
        if (m_gated)
        {
            m_remembered = true;
        }
        else
        {
            CutRate();
        }
        m_alpha = (1 - m_set.gain) * m_alpha + m_set.gain;
        Restart(m_alphaTimer);
    }

    void Send(uint64_t bytes)
    {
        if (m_set.byteCounter == 0 || AtLine())
        {
            return;
        }
        for (m_sent += bytes; m_sent >= m_set.byteCounter && !AtLine(); m_sent -= m_set.byteCounter)
        {
            Raise();
            ++m_byteCount;
        }
    }

    double GetRate() const
    {
        return AtLine() ? m_set.line : m_rate;
    }

    double GetAlpha() const
    {
        return m_alpha;
    }

  private:
    /// What goes first at one instant.
    enum Order
    {
        ALPHA,
        DECREASE,
        INCREASE
    };

    /// A timer that can begin anew; what an earlier start left in the list is void then.
    struct Timer
    {
        Order order;
        TimePs period;
        std::function<void()> tick;
        uint64_t start{0};
    };

    void Restart(Timer& timer)
    {
        ++timer.start;
        Continue(timer);
    }

    void Continue(Timer& timer)
    {
        m_events.emplace(std::pair(m_now + timer.period, timer.order),
                         [this, &timer, start = timer.start] {
                             if (timer.start == start)
                             {
                                 timer.tick();
                                 Continue(timer);
                             }
                         });
    }

    void CutRate()
    {
        if (m_set.clamp || m_timerCount + m_byteCount > 0)
        {
            m_target = m_rate;
        }
        m_rate = std::max(m_rate * (1 - m_alpha / 2), m_set.minimum);
        m_timerCount = 0;
        m_byteCount = 0;
        m_sent = 0;
        Restart(m_increaseTimer);
        m_gated = true;
        m_events.emplace(std::pair(m_now + m_set.decreaseInterval, DECREASE), [this] {
            m_gated = false;
            if (m_remembered)
            {
                m_remembered = false;
                CutRate();
            }
        });
    }

    void Raise()
    {
        const int timers = m_timerCount;
        const int bytes = m_set.byteCounter == 0 ? timers : m_byteCount;
        if (timers > m_set.fastRecovery && bytes > m_set.fastRecovery)
        {
            m_target += m_set.hyper;
        }
        else if (timers >= m_set.fastRecovery || bytes >= m_set.fastRecovery)
        {
            m_target += m_set.additive;
        }
        m_target = std::min(m_target, m_set.line);
        m_rate = (m_rate + m_target) / 2;
        if (AtLine())
        {
            m_rate = m_set.line;
        }
    }

    bool AtLine() const
    {
        return m_rate > m_set.line - 0.5;
    }

    Setting m_set;
    TimePs m_now{0};
    std::multimap<std::pair<TimePs, Order>, std::function<void()>> m_events;
    double m_rate;
    double m_target;
    double m_alpha{1};
    uint64_t m_sent{0};
    int m_timerCount{0};
    int m_byteCount{0};
    bool m_gated{false};
    bool m_remembered{false};
    Timer m_alphaTimer{ALPHA, m_set.alphaTimer, [this] { m_alpha *= 1 - m_set.gain; }};
    Timer m_increaseTimer{INCREASE, m_set.increaseTimer, [this] {
                              if (!AtLine())
                              {
                                  Raise();
                                  ++m_timerCount;
                              }
                          }};
};

Ptr<Dcqcn>
MakeLazy(const Setting& setting)
{
    Ptr<Dcqcn> dcqcn = CreateObject<Dcqcn>();
    const auto rate = [](double bps) {
        return DataRateValue(DataRate(static_cast<uint64_t>(bps)));
    };
    const auto time = [](TimePs steps) { return TimeValue(TimeStep(steps)); };
    dcqcn->SetAttribute("Gain", DoubleValue(setting.gain));
    dcqcn->SetAttribute("AlphaTimer", time(setting.alphaTimer));
    dcqcn->SetAttribute("DecreaseInterval", time(setting.decreaseInterval));
    dcqcn->SetAttribute("IncreaseTimer", time(setting.increaseTimer));
    dcqcn->SetAttribute("ByteCounter",
                        ByteSizeValue(setting.byteCounter == 0 ? ByteSize::Special()
                                                               : ByteSize(setting.byteCounter)));
    dcqcn->SetAttribute("FastRecoverySteps", UintegerValue(setting.fastRecovery));
    dcqcn->SetAttribute("AdditiveIncrease", rate(setting.additive));
    dcqcn->SetAttribute("HyperIncrease", rate(setting.hyper));
    dcqcn->SetAttribute("IncreaseReferenceRate", rate(0));
    dcqcn->SetAttribute("MinimumRate", rate(setting.minimum));
    dcqcn->SetAttribute("ClampTargetRate", BooleanValue(setting.clamp));
    dcqcn->Start(0, static_cast<uint64_t>(setting.line));
    return dcqcn;
}

Setting
RandomSetting(std::mt19937_64& random)
{
    const auto among = [&random](std::vector<double> values) {
        return values[random() % values.size()];
    };
    Setting setting{};
    setting.gain = among({1.0 / 256, 1.0 / 16});
    setting.alphaTimer = Us(among({1, 55}));
    setting.decreaseInterval = Us(among({4, 50}));
    setting.increaseTimer = Us(among({7, 55, 300}));
    setting.byteCounter = static_cast<uint64_t>(among({0, 100'000, 1'000'000}));
    setting.fastRecovery = static_cast<int>(among({0, 1, 5}));
    setting.additive = among({5e6, 40e6, 1e9});
    setting.hyper = among({50e6, 200e6, 5e9});
    setting.minimum = among({10e6, 1e9});
    setting.clamp = random() % 2 == 0;
    setting.line = among({25e9, 400e9});
    return setting;
}

} // namespace

TEST(Dcqcn, LazyStateEqualsAnEventDrivenModelOnRandomSequences)
{
    std::mt19937_64 random(20250711);
    for (int round = 0; round < (test::IsSanitized() ? 10 : 60); ++round)
    {
        const Setting setting = RandomSetting(random);
        Ptr<Dcqcn> lazy = MakeLazy(setting);
        EventDrivenDcqcn reference(setting);
        TimePs now = 0;
        int belowLine = 0;
        for (int step = 0; step < 3000; ++step)
        {
            const uint64_t kind = random() % 100;
            const double gap = kind < 2 ? 5'000 : (kind < 30 ? 20 : 0.7);
            now += Us(gap * static_cast<double>(random() % 1000 + 1) / 1000);
            reference.RunUntil(now);
            if (random() % 10 == 0)
            {
                lazy->OnCnp(now);
                reference.Cnp();
            }
            else
            {
                lazy->OnSent(now, 41'780);
                reference.Send(41'780);
            }
            if (random() % 3 == 0)
            {
                const auto rate = static_cast<double>(lazy->GetRateBps(now));
                ASSERT_NEAR(rate, reference.GetRate(), 1e-8 * setting.line)
                    << "round " << round << ", step " << step;
                ASSERT_NEAR(lazy->GetAlpha(now), reference.GetAlpha(), 1e-10)
                    << "round " << round << ", step " << step;
                belowLine += rate < setting.line ? 1 : 0;
            }
        }
        EXPECT_GT(belowLine, 100) << "round " << round << " exercised nothing";
    }
}

TEST(Dcqcn, AskingForTheRateChangesNothing)
{
    std::mt19937_64 random(7);
    for (const Dcqcn::Preset preset : {Dcqcn::PAPER, Dcqcn::MELLANOX})
    {
        Ptr<Dcqcn> asked = Started(preset);
        Ptr<Dcqcn> silent = Started(preset);
        TimePs now = 0;
        for (int step = 0; step < 5000; ++step)
        {
            now += Us(static_cast<double>(random() % 20'000) / 1000);
            asked->GetNextChange(now);
            asked->GetRateBps(now);
            asked->GetAlpha(now);
            if (random() % 8 == 0)
            {
                asked->OnCnp(now);
                silent->OnCnp(now);
            }
            else
            {
                asked->OnSent(now, 400'000);
                silent->OnSent(now, 400'000);
            }
        }
        EXPECT_EQ(asked->GetRateBps(now), silent->GetRateBps(now));
        EXPECT_EQ(asked->GetTargetRateBps(now), silent->GetTargetRateBps(now));
        EXPECT_EQ(asked->GetAlpha(now), silent->GetAlpha(now));
    }
}

TEST(Dcqcn, RateHoldsUntilTheNextChange)
{
    std::mt19937_64 random(11);
    Ptr<Dcqcn> dcqcn = Started(Dcqcn::PAPER);
    TimePs now = 0;
    for (int step = 0; step < 500; ++step)
    {
        dcqcn->OnCnp(now);
        const uint64_t rate = dcqcn->GetRateBps(now);
        const TimePs next = dcqcn->GetNextChange(now);
        ASSERT_GT(next, now);
        if (next == kNever)
        {
            now += Us(10);
            continue;
        }
        EXPECT_EQ(dcqcn->GetRateBps(next - 1), rate);
        now = next + Us(static_cast<double>(random() % 100));
    }
}
