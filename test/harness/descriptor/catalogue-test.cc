// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/sanitized.h"
#include "../run/experiment-fixtures.h"

#include "ns3/component-documentation.h"
#include "ns3/component-path.h"
#include "ns3/component-registry.h"
#include "ns3/rails-catalogue.h"
#include "ns3/rails-key-help.h"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

namespace ns3::rails
{

class CatalogueTest : public ExperimentTest
{
  protected:
    static void ExpectParts(const std::string& text, const std::vector<std::string>& parts)
    {
        for (const std::string& part : parts)
        {
            EXPECT_NE(text.find(part), std::string::npos) << "expected " << part << " in\n" << text;
        }
    }
};

TEST_F(CatalogueTest, ListHasEverySectionAndType)
{
    const std::string list = ListComponents();
    for (const Section& section : GetSections())
    {
        ExpectParts(list, {"\n" + section.name + "\n"});
        for (const ComponentType& type : GetComponentTypes(GetSectionBase(section)))
        {
            if (HasComponentTypes(GetSectionBase(section)))
            {
                ExpectParts(list, {"\n  " + type.name + " "});
            }
        }
    }
    ExpectParts(list,
                {"transport.congestion_control\n",
                 "workload.matrix\n",
                 "workload.matrix.popularity\n",
                 "switch.ecn\n",
                 "\nseed\n",
                 "\nsweep\n"});
}

TEST_F(CatalogueTest, TypeIsDescribedWithUnitsDefaultRangeMeaningAndSource)
{
    const std::string page = DescribeName("dcqcn");
    ExpectParts(page,
                {"transport.congestion_control: {type: dcqcn}",
                 "ns3::rails::DcqcnCongestionControl",
                 "  cnp_interval: ",
                 "time (ps, ns, us, ms, s)",
                 "Source: "});
    ExpectParts(DescribeName("rails"),
                {"balance: {type: rails}",
                 "  chunk: automatic",
                 "bytes (B, KB, MB",
                 "at least 1B, or whole",
                 "  tie: rotated",
                 "word: lowest, rotated"});
}

TEST_F(CatalogueTest, SectionIsDescribedByItsKeysOrItsTypes)
{
    ExpectParts(DescribeName("switch"), {"  buffer: 64MiB", "  alpha: 1", "  headroom: formula"});
    ExpectParts(DescribeName("ecn"), {"switch.ecn\n", "  pmax: 0.2", "number; 0 to 1"});
    ExpectParts(DescribeName("balance"), {"balance: {type: ...}", "  rail-source "});
    ExpectParts(DescribeName("workload"), {"  all-to-all "});
    ExpectParts(DescribeName("watchdog"), {"  no_progress_after: 50ms", "at least 1ns"});
    ExpectParts(DescribeName("sweep"), {"list of its values"});
}

TEST_F(CatalogueTest, NameThatMeansSeveralThingsIsDescribedAsAll)
{
    ExpectParts(
        DescribeName("uniform"),
        {"workload.matrix: {type: uniform}", "workload.matrix.popularity: {type: uniform}"});
    const std::string one = DescribeName("matrix.uniform");
    EXPECT_EQ(one.find("popularity: {type"), std::string::npos) << one;
}

TEST_F(CatalogueTest, KeyIsDescribedWhereItIs)
{
    ExpectParts(DescribeName("mtu"), {"transport\n", "  mtu: 4096B", "64B to 64KiB"});
}

TEST_F(CatalogueTest, KeyIsDescribedByItsOtherNameToo)
{
    const std::string page = DescribeName("topology.gpus_per_server");
    EXPECT_EQ(page, DescribeName("topology.gpus_per_domain"));
    ExpectParts(page, {"  gpus_per_domain: 8", "Other name: gpus_per_server\n"});
    EXPECT_EQ(DescribeName("mtu").find("Other name"), std::string::npos);
}

TEST_F(CatalogueTest, UnknownNameIsRefusedWithTheNearest)
{
    try
    {
        DescribeName("rail-sorce");
        FAIL() << "nothing was thrown";
    }
    catch (const UnknownNameError& error)
    {
        ExpectParts(error.what(), {"describe rail-sorce: error: ", "did you mean 'rail-source'?"});
    }
}

TEST_F(CatalogueTest, EveryComponentSaysWhatItIs)
{
    for (const ComponentPath& slot : FindComponentPaths())
    {
        EXPECT_GT(slot.meaning.size(), 20U) << slot.path;
        ExpectParts(DescribeName(slot.path),
                    {slot.path + (HasComponentTypes(slot.base) ? ":" : "\n")});
        for (const ComponentType& type : GetComponentTypes(slot.base))
        {
            const std::string about = GetDocumentation(type.id);
            EXPECT_GT(about.size(), 20U) << slot.path << " of type " << type.name;
            EXPECT_TRUE(about.back() == '.' || about.back() == ')') << about;
            const std::string name =
                HasComponentTypes(slot.base) ? slot.path + "." + type.name : slot.path;
            ExpectParts(DescribeName(name), {type.id.GetName(), about.substr(0, 20)});
        }
    }
}

TEST_F(CatalogueTest, EveryKeyHasItsMeaningAndItsKind)
{
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId id = TypeId::GetRegistered(i);
        if (id.GetName().rfind("ns3::rails::", 0) != 0)
        {
            continue;
        }
        for (const ComponentKey& key : GetComponentKeys(id))
        {
            const std::string what = id.GetName() + " " + key.name;
            const std::string& help = key.attribute.help;
            EXPECT_GT(help.size(), 15U) << what;
            EXPECT_TRUE(help.back() == '.' || help.back() == ')') << what << ": " << help;
            EXPECT_GT(KeyHelp::Split(help).meaning.size(), 15U) << what;
            EXPECT_FALSE(key.Is(ValueKind::Shape::Unknown)) << what;
            EXPECT_FALSE(key.kind->GetName(key.attribute).empty()) << what;
        }
    }
}

TEST_F(CatalogueTest, EveryKeyHasItsPage)
{
    RAILS_LONG_CASE();
    const std::vector<DottedKey> keys = ListDottedKeys();
    EXPECT_GT(keys.size(), 150U);
    std::set<std::string> slots; // one that holds itself, as balance.other, is a key like any other
    for (const ComponentPath& slot : FindComponentPaths())
    {
        slots.insert(slot.path);
    }
    for (const DottedKey& key : keys)
    {
        const std::string name = key.path.substr(key.path.rfind('.') + 1);
        const std::string page = DescribeName(key.path);
        const bool inner = slots.count(key.path) > 0;
        ExpectParts(page, {inner ? key.path : "  " + name + ": "});
        for (const DottedKey::Owner& owner : key.owners)
        {
            if (!inner && HasComponentTypes(owner.slot.base))
            {
                ExpectParts(page, {owner.slot.path + ": {type: " + owner.type.name + "}"});
            }
        }
    }
}

TEST_F(CatalogueTest, KeysOutsideOfComponentsHaveTheirPages)
{
    for (const std::string name : {"name", "seed", "sweep", "zip", "points", "repeat"})
    {
        EXPECT_GT(DescribeName(name).size(), 60U) << name;
    }
    ExpectParts(DescribeName("sweep.zip"), {"sweep.zip\n", "equal length"});
    ExpectParts(DescribeName("balance.type"), {"balance: {type: ...}", "  rails "});
}

TEST_F(CatalogueTest, KeysAndTypesOfEntriesOfListsHaveTheirPages)
{
    RAILS_LONG_CASE();
    std::size_t keys = 0;
    for (const ComponentPath& list : FindEntryPaths())
    {
        const std::string begin = list.path + (list.isNamed ? ": {NAME: {" : ": [{");
        for (const ComponentType& type : GetComponentTypes(list.base))
        {
            const bool typed = HasComponentTypes(list.base);
            if (typed)
            {
                ExpectParts(
                    DescribeName(list.path + "." + type.name),
                    {begin + "type: " + type.name + "}", GetDocumentation(type.id).substr(0, 20)});
            }
            for (const ComponentKey& key : GetComponentKeys(type.id))
            {
                ++keys;
                ExpectParts(
                    DescribeName(list.path + "." + key.name),
                    {begin + (typed ? "type: " + type.name + ", " : "") + key.name + ": ...}",
                     KeyHelp::Split(key.attribute.help).meaning.substr(0, 20),
                     key.kind->GetName(key.attribute)});
            }
        }
    }
    EXPECT_GE(keys, 13U); // those of a failure, and the duration of two phases
}

TEST(Schema, KeysAreAttributesInSnakeCase)
{
    EXPECT_EQ(MakeKeyName("MessageGap"), "message_gap");
    EXPECT_EQ(MakeKeyName("GpusPerDomain"), "gpus_per_domain");
    EXPECT_EQ(MakeKeyName("NvlinkRate"), "nvlink_rate");
    EXPECT_EQ(MakeKeyName("TopK"), "top_k");
    EXPECT_EQ(MakeKeyName("Mtu"), "mtu");
    EXPECT_EQ(MakeKeyName("MTU"), "mtu");
    EXPECT_EQ(MakeKeyName("QpPer"), "qp_per");
    EXPECT_EQ(MakeKeyName("UseECNBits"), "use_ecn_bits");
}

TEST(Schema, TypesAreClassesWithoutTheNameOfTheirBase)
{
    const auto name = [](const std::string& id, const std::string& base) {
        return MakeTypeName("ns3::rails::" + id, "ns3::rails::" + base);
    };
    EXPECT_EQ(name("RailSourceBalancer", "Balancer"), "rail-source");
    EXPECT_EQ(name("GoBackNLossRecovery", "LossRecovery"), "go-back-n");
    EXPECT_EQ(name("DcqcnCongestionControl", "CongestionControl"), "dcqcn");
    EXPECT_EQ(name("AllToAllWorkload", "Workload"), "all-to-all");
    EXPECT_EQ(MakeTypeName("mine::EagerBalancer", "ns3::rails::Balancer"), "eager");
    EXPECT_EQ(MakeTypeName("ns3::MyScheme", "ns3::rails::Balancer"), "my-scheme");
    EXPECT_EQ(name("Balancer", "Balancer"), "balancer");
}

} // namespace ns3::rails
