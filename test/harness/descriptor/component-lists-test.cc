// SPDX-License-Identifier: GPL-2.0-only
#include "../run/experiment-fixtures.h"

#include "ns3/component-list.h"
#include "ns3/key-rule.h"
#include "ns3/optional-accessor.h"
#include "ns3/rails-component-reader.h"
#include "ns3/rails-effective-config.h"
#include "ns3/rails-error.h"
#include "ns3/rails-override.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/value-list.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace test
{

/// An entry without types, with a list and a key that need not be given.
class WagonGroup : public Object, public KeyRules
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::rails::test::WagonGroup")
                .SetParent<Object>()
                .AddConstructor<WagonGroup>()
                .AddAttribute("Wagons",
                              "Numbers of the wagons.",
                              CountListValue(),
                              MakeCountListAccessor(&WagonGroup::m_wagons),
                              MakeCountListChecker())
                .AddAttribute("Track",
                              "Name of the track.",
                              EmptyAttributeValue(),
                              MakeOptionalAccessor<StringValue>(&WagonGroup::m_track),
                              MakeStringChecker())
                .AddAttribute("Length",
                              "How long it is altogether.",
                              UintegerValue(7),
                              MakeUintegerAccessor(&WagonGroup::m_length),
                              MakeUintegerChecker<uint32_t>(1, 9));
        return tid;
    }

    std::vector<KeyRule> GetKeyRules() const override
    {
        return {{KeyRule::Demand::All, {"wagons"}, "it needs '%'"}};
    }

    void CheckValues() const override
    {
        if (m_length < m_wagons.Get().size())
        {
            throw ConfigurationError("length", "it is too short for its wagons");
        }
    }

    CountList m_wagons;
    std::optional<std::string> m_track;
    uint32_t m_length{0};
};

/// An entry that is chosen by its type.
class Track : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rails::test::Track").SetParent<Object>();
        return tid;
    }
};

class StraightTrack : public Track
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rails::test::StraightTrack")
                                .SetParent<Track>()
                                .AddConstructor<StraightTrack>();
        return tid;
    }
};

class CurvedTrack : public Track
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rails::test::CurvedTrack")
                                .SetParent<Track>()
                                .AddConstructor<CurvedTrack>()
                                .AddAttribute("Radius",
                                              "Radius of the curve.",
                                              UintegerValue(100),
                                              MakeUintegerAccessor(&CurvedTrack::m_radius),
                                              MakeUintegerChecker<uint32_t>(50));
        return tid;
    }

    uint32_t m_radius{0};
};

class ForkedTrack : public Track
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rails::test::ForkedTrack")
                                .SetParent<Track>()
                                .AddConstructor<ForkedTrack>()
                                .AddAttribute("Left",
                                              "What is to the left.",
                                              StringValue("nothing"),
                                              MakeStringAccessor(&ForkedTrack::m_left),
                                              MakeStringChecker())
                                .AddAttribute("Right",
                                              "What is to the right.",
                                              StringValue("nothing"),
                                              MakeStringAccessor(&ForkedTrack::m_right),
                                              MakeStringChecker());
        return tid;
    }

    std::string m_left;
    std::string m_right;
};

/// A component with a list of each kind, which can be inside its like.
class Yard : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rails::test::Yard")
                                .SetParent<Object>()
                                .AddConstructor<Yard>()
                                .AddAttribute("Groups",
                                              "Groups of wagons.",
                                              ComponentListValue(),
                                              MakeComponentListAccessor(&Yard::m_groups),
                                              MakeComponentListChecker<WagonGroup>("group"))
                                .AddAttribute("Route",
                                              "Tracks, one after the other.",
                                              StringValue("ns3::rails::test::StraightTrack"),
                                              MakeComponentListAccessor(&Yard::m_route),
                                              MakeComponentListChecker<Track>("track"))
                                .AddAttribute("Tracks",
                                              "Tracks by their names.",
                                              ComponentListValue(),
                                              MakeComponentListAccessor(&Yard::m_tracks),
                                              MakeComponentListChecker<Track>("track", true))
                                .AddAttribute("Yards",
                                              "Further yards by their names.",
                                              ComponentListValue(),
                                              MakeComponentListAccessor(&Yard::m_yards),
                                              MakeComponentListChecker<Yard>("yard", true));
        return tid;
    }

    std::vector<Ptr<WagonGroup>> m_groups;
    std::vector<Ptr<Track>> m_route;
    std::vector<std::pair<std::string, Ptr<Track>>> m_tracks;
    std::vector<std::pair<std::string, Ptr<Yard>>> m_yards;
};

NS_OBJECT_ENSURE_REGISTERED(WagonGroup);
NS_OBJECT_ENSURE_REGISTERED(Track);
NS_OBJECT_ENSURE_REGISTERED(StraightTrack);
NS_OBJECT_ENSURE_REGISTERED(CurvedTrack);
NS_OBJECT_ENSURE_REGISTERED(ForkedTrack);
NS_OBJECT_ENSURE_REGISTERED(Yard);

} // namespace test

using test::CurvedTrack;
using test::Yard;

class ComponentListsTest : public ExperimentTest
{
  protected:
    /// \return the component; m_errors has what was wrong
    Ptr<Yard> ReadYard(const std::string& text)
    {
        const YamlNode node = ParseYaml(text, "f");
        DiagnosticList diagnostics;
        const Ptr<Object> read =
            ComponentReader("", diagnostics).Read(Yard::GetTypeId(), "yard", &node, node.place);
        m_errors.clear();
        try
        {
            diagnostics.ThrowIfAny();
        }
        catch (const DescriptorError& error)
        {
            m_errors = error.what();
        }
        return DynamicCast<Yard>(read);
    }

    /// Expects that something is wrong, with the first words of the first message.
    void ExpectError(const std::string& text, const std::string& message)
    {
        ReadYard(text);
        EXPECT_EQ(m_errors.substr(0, message.size()), message) << text;
    }

    std::string Describe(const std::string& text)
    {
        const Ptr<Yard> yard = ReadYard(text);
        EXPECT_EQ(m_errors, "");
        return yard ? DescribeComponent(*yard, Yard::GetTypeId()).dump() : "";
    }

    std::string m_errors;
};

TEST_F(ComponentListsTest, EntriesWithoutTypesAreMapsOfTheirKeys)
{
    const Ptr<Yard> yard =
        ReadYard("groups: [{wagons: [0, 3], track: main}, {wagons: [], length: 2}]");
    ASSERT_EQ(m_errors, "");
    ASSERT_EQ(yard->m_groups.size(), 2U);
    EXPECT_EQ(yard->m_groups[0]->m_wagons.Get(), (std::vector<uint32_t>{0, 3}));
    EXPECT_EQ(yard->m_groups[0]->m_track, "main");
    EXPECT_EQ(yard->m_groups[0]->m_length, 7U);
    EXPECT_FALSE(yard->m_groups[1]->m_track);
}

TEST_F(ComponentListsTest, EntriesWithTypesHaveShortForms)
{
    const Ptr<Yard> yard = ReadYard("route: [straight, curved, curved: 80, {type: curved, radius: "
                                    "90}, {type: ns3::rails::test::StraightTrack}]");
    ASSERT_EQ(m_errors, "");
    ASSERT_EQ(yard->m_route.size(), 5U);
    EXPECT_EQ(DynamicCast<CurvedTrack>(yard->m_route[1])->m_radius, 100U);
    EXPECT_EQ(DynamicCast<CurvedTrack>(yard->m_route[2])->m_radius, 80U);
    EXPECT_EQ(DynamicCast<CurvedTrack>(yard->m_route[3])->m_radius, 90U);
}

TEST_F(ComponentListsTest, EntriesByNameAreComponentsOfTheirTypes)
{
    const Ptr<Yard> yard =
        ReadYard("{tracks: {north: {type: curved, radius: 60}, east: straight}, yards: {inner: "
                 "{route: [], tracks: {west: curved}}}}");
    ASSERT_EQ(m_errors, "");
    ASSERT_EQ(yard->m_tracks.size(), 2U);
    EXPECT_EQ(yard->m_tracks[0].first, "north");
    EXPECT_EQ(DynamicCast<CurvedTrack>(yard->m_tracks[0].second)->m_radius, 60U);
    EXPECT_EQ(yard->m_tracks[1].first, "east");
    ASSERT_EQ(yard->m_yards.size(), 1U);
    EXPECT_EQ(yard->m_yards[0].second->m_tracks[0].first, "west");
    EXPECT_TRUE(yard->m_yards[0].second->m_route.empty());
}

TEST_F(ComponentListsTest, WhatIsPrintedIsReadAgain)
{
    const std::string text = R"({"groups":[{"wagons":[1,2],"track":"main","length":7},)"
                             R"({"wagons":[3],"length":2}],)"
                             R"("route":["straight",{"curved":80},)"
                             R"({"type":"forked","left":"a","right":"nothing"}],)"
                             R"("tracks":{"north":{"type":"curved","radius":60},)"
                             R"("east":{"type":"straight"}},"yards":{}})";
    EXPECT_EQ(Describe("{groups: [{wagons: [1, 2], track: main}, {wagons: [3], length: 2}], "
                       "route: [straight, curved: 80, {type: forked, left: a}], "
                       "tracks: {north: {type: curved, radius: 60}, east: straight}}"),
              text);
    EXPECT_EQ(Describe(text), text);
    EXPECT_EQ(Describe("{}"), R"({"groups":[],"route":["straight"],"tracks":{},"yards":{}})");
}

TEST_F(ComponentListsTest, MistakesAreNamedWithTheirPlaces)
{
    ExpectError("groups: 3", "f:1:9: error: expected a list of groups, found '3'");
    ExpectError("groups: {}", "f:1:9: error: expected a list of groups, found a map");
    ExpectError("groups:", "f:1:1: error: 'groups' has no value; expected a list of groups");
    ExpectError("groups: [3]",
                "f:1:10: error: expected a group (a map of wagons, track, length), found '3'");
    ExpectError("groups: [{wagons: [], trak: x}]",
                "f:1:23: error: unknown key 'trak' of a group; did you mean 'track'?");
    ExpectError("groups: [{wagons: [], length: 10}]",
                "f:1:31: error: '10' is out of range; allowed: 1 to 9");
    ExpectError("groups: [{wagons: [0.5]}]", "f:1:20: error: '0.5' is not a count");
    ExpectError("groups: [{wagons: [4294967296]}]", "f:1:20: error: '4294967296' is too large");
    ExpectError("groups: [{wagons: 1}]", "f:1:19: error: expected a list of counts, found '1'");
    ExpectError("groups: [{wagons: []}, {length: 1}]", "f:1:24: error: it needs 'wagons'");
    ExpectError("groups: [{wagons: [1, 2], length: 1}]",
                "f:1:27: error: it is too short for its wagons");
    ExpectError("route: straight",
                "f:1:8: error: expected a list of tracks (curved: COUNT, forked, straight), found "
                "'straight'");
    ExpectError("route: [[]]",
                "f:1:9: error: expected a track (curved: COUNT, forked, straight), found a list");
    ExpectError("route: [strait]",
                "f:1:9: error: unknown track 'strait'; did you mean 'straight'?");
    ExpectError("route: [curvy: 80]",
                "f:1:9: error: unknown track 'curvy'; did you mean 'curved'?");
    ExpectError("route: [{type: curvd}]",
                "f:1:16: error: unknown type 'curvd' of 'yard.route.0'; did you mean 'curved'?");
    ExpectError("route: [curved: 40]", "f:1:17: error: '40' is out of range; allowed: 50 to");
    ExpectError("route: [straight: 40]",
                "f:1:19: error: 'straight' has no keys; write straight alone");
    ExpectError("route: [forked: 40]",
                "f:1:17: error: 'forked' has several keys; write {type: forked, ...}");
    ExpectError("tracks: []",
                "f:1:9: error: expected a map of tracks by their names, found a list");
    ExpectError("tracks: {north: {radius: 60}}",
                "f:1:10: error: required key 'yard.tracks.north.type' is missing");
    ExpectError("tracks: {north: {type: curved, radus: 60}}",
                "f:1:32: error: unknown key 'radus' of curved; did you mean 'radius'?");
}

TEST_F(ComponentListsTest, AllMistakesOfAListAreNamed)
{
    ReadYard("route: [strait, curved: 40, straight, curvd]");
    EXPECT_EQ(std::count(m_errors.begin(), m_errors.end(), '\n'), 2) << m_errors;
}

TEST_F(ComponentListsTest, WholeListsAreSetAndVaried)
{
    const std::string sweep = kSmallDescriptor +
                              "sweep: {workload.phases: [[dispatch], [dispatch, gap: 1us, "
                              "combine]]}\n";
    const Descriptor varied = Read(sweep);
    ASSERT_EQ(varied.GetPointCount(), 2U);
    EXPECT_NE(varied.MakeExperiment(1).resolvedConfig.find(
                  R"("phases":["dispatch",{"gap":"1us"},"combine"])"),
              std::string::npos);
    const Descriptor set = Read(kSmallDescriptor, {"workload.phases=[combine, compute: 2ms]"});
    EXPECT_NE(
        set.MakeExperiment(0).resolvedConfig.find(R"("phases":["combine",{"compute":"2ms"}])"),
        std::string::npos);
    EXPECT_EQ(FindErrors(kSmallDescriptor, {"workload.phases=[dispach]"}),
              "--set workload.phases.0: error: unknown phase 'dispach'; did you mean 'dispatch'? "
              "Known: combine, compute, dispatch, gap; one of your own needs --with DIR");
}

TEST_F(ComponentListsTest, PhasesWithoutTrafficNeedTheirTime)
{
    const auto find = [](const std::string& phases) {
        return FindErrors(kSmallDescriptor, {"workload.phases=" + phases});
    };
    EXPECT_EQ(find("[dispatch, compute]"),
              "--set workload.phases.1: error: 'compute' needs its time: compute: 2ms");
    EXPECT_EQ(find("[{type: gap}, dispatch]"),
              "--set workload.phases.0: error: 'gap' needs its time: gap: 2ms");
    EXPECT_NE(find("[gap: 2, dispatch]").find("the unit is missing"), std::string::npos);
    EXPECT_NE(find("[gap: 2ms]").find("at least one dispatch or combine"), std::string::npos);
    EXPECT_EQ(find("[{type: gap, duration: 1us}, dispatch]"), "");
}

} // namespace ns3::rails
