// SPDX-License-Identifier: GPL-2.0-only
#include "../run/experiment-fixtures.h"

#include "ns3/boolean.h"
#include "ns3/component-list.h"
#include "ns3/component-path.h"
#include "ns3/component-registry.h"
#include "ns3/rails-catalogue.h"
#include "ns3/rails-json-schema.h"
#include "ns3/rails-shell-completion.h"
#include "ns3/rails-starter-descriptor.h"
#include "ns3/row-balancer.h"
#include "ns3/uinteger.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

// That the schema and the reader of descriptors agree is the business of test/schema.
class JsonSchemaTest : public ExperimentTest
{
  protected:
    /// \return the schema of a key of a type
    static nlohmann::json GetKey(const std::string& definition, const std::string& key)
    {
        return GetSchema().at("$defs").at(definition).at("properties").at(key);
    }

    static const nlohmann::json& GetSchema()
    {
        static const nlohmann::json schema(MakeJsonSchema());
        return schema;
    }

    static bool Matches(const nlohmann::json& schema, const std::string& text)
    {
        return std::regex_match(text, std::regex(schema.at("pattern").get<std::string>()));
    }
};

TEST_F(JsonSchemaTest, HasEverySectionAndNothingElse)
{
    std::vector<std::string> expected{"name", "seed", "sweep"};
    for (const Section& section : GetSections())
    {
        expected.push_back(section.name);
    }
    std::vector<std::string> found;
    for (const auto& [name, schema] : GetSchema().at("properties").items())
    {
        found.push_back(name);
    }
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected);
    EXPECT_EQ(GetSchema().at("additionalProperties"), false);
}

TEST_F(JsonSchemaTest, HasEveryKeyOfEveryTypeAndNoOther)
{
    std::set<TypeId> known; // a definition is named after the first place of its types
    for (const ComponentPath& slot : FindComponentPaths())
    {
        if (!known.insert(slot.base).second)
        {
            continue;
        }
        for (const ComponentType& type : GetComponentTypes(slot.base))
        {
            const nlohmann::json& definition =
                GetSchema().at("$defs").at(slot.path + "=" + type.name);
            const std::vector<ComponentKey> keys = GetComponentKeys(type.id);
            std::size_t others = HasComponentTypes(slot.base) ? 2 : 1; // type and label
            for (const ComponentKey& key : keys)
            {
                EXPECT_TRUE(definition.at("properties").contains(key.name))
                    << slot.path << "=" << type.name << " " << key.name;
                others += key.alias.empty() ? 0 : 1;
            }
            EXPECT_EQ(definition.at("properties").size(), keys.size() + others)
                << slot.path << "=" << type.name;
            EXPECT_EQ(definition.at("additionalProperties"), false);
        }
    }
}

TEST_F(JsonSchemaTest, OtherNameOfAKeyHasTheSameValues)
{
    nlohmann::json other = GetKey("topology=rail", "gpus_per_server");
    nlohmann::json declared = GetKey("topology=rail", "gpus_per_domain");
    EXPECT_EQ(other.at("description"),
              "Another name of gpus_per_domain. " + declared.at("description").get<std::string>());
    other.erase("description");
    declared.erase("description");
    EXPECT_EQ(other, declared);
}

TEST_F(JsonSchemaTest, SweepProposesEveryDottedKey)
{
    const nlohmann::json& axes = GetSchema().at("$defs").at("sweep").at("properties");
    const nlohmann::json& points = axes.at("points").at("items").at("properties");
    for (const DottedKey& key : ListDottedKeys())
    {
        for (const std::string& path : key.GetPaths())
        {
            EXPECT_TRUE(axes.contains(path)) << path;
            EXPECT_TRUE(points.contains(path)) << path;
        }
    }
    EXPECT_TRUE(axes.contains("topology.servers"));
    for (const std::string path : {"seed", "balance", "balance.type", "balance.host.type"})
    {
        EXPECT_TRUE(axes.contains(path)) << path;
    }
    EXPECT_FALSE(axes.contains("name"));
}

TEST_F(JsonSchemaTest, CountsAndNumbersHaveTheLimitsOfTheirAttributes)
{
    EXPECT_EQ(GetKey("topology=rail", "domains").at("type"), "integer");
    EXPECT_EQ(GetKey("topology=rail", "domains").at("minimum"), 1);
    EXPECT_EQ(GetKey("topology=rail", "domains").at("maximum"), 65536);
    EXPECT_EQ(GetKey("topology=rail", "domains").at("default"), 8);
    EXPECT_EQ(GetKey("switch.ecn=ecn-marker", "pmax").at("type"), "number");
    EXPECT_EQ(GetKey("switch.ecn=ecn-marker", "pmax").at("minimum"), 0);
    EXPECT_EQ(GetKey("switch.ecn=ecn-marker", "pmax").at("maximum"), 1);
}

TEST_F(JsonSchemaTest, QuantitiesAreTextsWithTheUnitsOfTheirDimension)
{
    const nlohmann::json rate = GetKey("topology=rail", "nic_rate");
    for (const std::string good : {"400Gbps", "12.5Gbps", "0bps", "1.500Kbps", "100.0bps"})
    {
        EXPECT_TRUE(Matches(rate, good)) << good;
    }
    for (const std::string bad :
         {"400", "400 Gbps", "400gbps", "400GBps", "04Gbps", "-1Gbps", ".5Gbps", "1.0005Kbps"})
    {
        EXPECT_FALSE(Matches(rate, bad)) << bad;
    }
    const nlohmann::json time = GetKey("watchdog=watchdog-options", "storm_after");
    EXPECT_TRUE(Matches(time, "0.5us"));
    for (const std::string zero : {"0s", "0.0ms"})
    {
        EXPECT_FALSE(Matches(time, zero)) << zero;
    }
}

TEST_F(JsonSchemaTest, WordsForSpecialValuesAreKnown)
{
    const nlohmann::json chunk = GetKey("balance=rails", "chunk");
    EXPECT_EQ(chunk.at("examples")[0], "whole");
    for (const std::string good : {"whole", "250KB"})
    {
        EXPECT_TRUE(Matches(chunk, good)) << good;
    }
    for (const std::string bad : {"0B", "wholes", "hole", "whole 250KB"})
    {
        EXPECT_FALSE(Matches(chunk, bad)) << bad;
    }
    EXPECT_NE(chunk.at("patternErrorMessage").get<std::string>().find("'whole'"),
              std::string::npos);
    const nlohmann::json rings = GetKey("workload=ring", "rings");
    EXPECT_EQ(rings.at("then").at("enum")[0], "automatic");
    EXPECT_EQ(rings.at("else").at("maximum"), 1024);
    const nlohmann::json recompute = GetKey("workload=training", "recompute");
    EXPECT_EQ(recompute.at("else").at("enum"), nlohmann::json::parse(R"(["none", "full"])"));
    EXPECT_EQ(recompute.at("then").at("items").at("enum")[0], "mla_up_proj");
    const nlohmann::json layout = GetKey("workload.parallel=parallel-layout", "layout");
    EXPECT_EQ(layout.at("then").at("items").at("type"), "integer");
    EXPECT_EQ(GetKey("balance=rails", "tie").at("enum"),
              nlohmann::json::parse(R"(["lowest", "rotated"])"));
}

TEST_F(JsonSchemaTest, DescriptionHasMeaningKindDefaultAndSource)
{
    const std::string text = GetKey("switch=switch-profile", "alpha").at("description");
    for (const std::string part :
         {"Share of the free buffer", "number; 1e-06 to 1024", "Default: 1", "Source: Choudhury"})
    {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    }
}

/// A component of a program of its own.
class StarBalancer : public RowBalancer
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("lab::StarBalancer")
                                .SetParent<RowBalancer>()
                                .AddConstructor<StarBalancer>()
                                .AddAttribute("Rays",
                                              "How many rays it has. (made up)",
                                              UintegerValue(5),
                                              MakeUintegerAccessor(&StarBalancer::m_rays),
                                              MakeUintegerChecker<uint32_t>(3, 12))
                                .AddAttribute("Bright",
                                              "Whether it shines.",
                                              BooleanValue(false),
                                              MakeBooleanAccessor(&StarBalancer::m_bright),
                                              MakeBooleanChecker())
                                .AddAttribute("Moons",
                                              "Planners that go around it, by their names.",
                                              ComponentListValue(),
                                              MakeComponentListAccessor(&StarBalancer::m_moons),
                                              MakeComponentListChecker<Balancer>("moon", true));
        return tid;
    }

    std::vector<Piece> Plan(const ServerView& /* view */) override
    {
        return {};
    }

  private:
    std::vector<std::pair<std::string, Ptr<Balancer>>> m_moons;
    uint32_t m_rays{0};
    bool m_bright{false};
};

/// Exits with the number of things that do not know a component that was just registered.
[[noreturn]] void
LookForNewComponent()
{
    StarBalancer::GetTypeId();
    int missing = 0;
    const auto expect = [&](const std::string& text, const std::string& part) {
        if (text.find(part) == std::string::npos)
        {
            std::cerr << "expected " << part << " in\n" << text;
            ++missing;
        }
    };
    const nlohmann::json rays =
        MakeJsonSchema().at("$defs").at("balance=star").at("properties").at("rays");
    expect(rays.dump(), "How many rays");
    missing +=
        rays.at("minimum") == 3 && rays.at("maximum") == 12 && rays.at("default") == 5 ? 0 : 1;
    const nlohmann::json moon = MakeJsonSchema()
                                    .at("$defs")
                                    .at("balance=star")
                                    .at("properties")
                                    .at("moons")
                                    .at("additionalProperties");
    expect(moon.at("$ref").dump(), "#/$defs/balance");
    expect(moon.at("allOf").dump(), R"({"required":["type"],"type":"object"})");
    expect(DescribeName("star"), "  rays: 5");
    expect(DescribeName("star"), "  moons: {}\n      Planners that go around it");
    const std::string starter = MakeStarterDescriptor({"rail", "ring", "star"}, nullptr);
    expect(starter, "\n  type: star\n");
    expect(starter, "\n  #rays: 5 ");
    expect(starter, "\n  #moons: {} ");
    const CLI::App app;
    const std::string completion = MakeShellCompletion(app, "bash");
    expect(completion, " balance.rays ");
    expect(completion, "'balance.bright') printf '%s\\n' 'false true'");
    std::exit(missing);
}

TEST_F(JsonSchemaTest, NewComponentIsKnownToEverythingThatHelpsToWrite)
{
    // In a process of its own, so that no other test meets it.
    EXPECT_EXIT(LookForNewComponent(), testing::ExitedWithCode(0), "");
}

} // namespace ns3::rails
