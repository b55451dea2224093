// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rails-section-memory.h"
#include "ns3/switch-profile.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace ns3::rails::test
{

namespace
{

std::string
MakeKey(const std::string& text)
{
    const YamlNode node = ParseYaml(text, "test.yaml");
    return SectionMemory::MakeKey("section", &node);
}

TEST(SectionMemory, KeyTellsApartWhatAReaderWould)
{
    std::set<std::string> keys{SectionMemory::MakeKey("section", nullptr)};
    for (const char* text : {"ab",
                             "'ab'",
                             "[ab]",
                             "[a, b]",
                             "[[a], b]",
                             "[[a, b]]",
                             "{ab: }",
                             "{a: b}",
                             "{a: 'b'}",
                             "{a: [b]}",
                             "{a: {b: c}}",
                             "{a: {b: c}, d: e}",
                             "{a: {b: c, d: e}}",
                             "{a: b1:c}",
                             "''"})
    {
        EXPECT_TRUE(keys.insert(MakeKey(text)).second) << text;
    }
    const YamlNode node = ParseYaml("ab", "test.yaml");
    EXPECT_TRUE(keys.insert(SectionMemory::MakeKey("other", &node)).second);
}

TEST(SectionMemory, KeyDoesNotDependOnWhereItWasWritten)
{
    EXPECT_EQ(MakeKey("{a: b, c: [1, 2]}"), MakeKey("# other\na:   b\nc:\n  - 1\n  - 2\n"));
}

TEST(SectionMemory, RemembersWhatWasReadButNotForEver)
{
    SectionMemory memory;
    const Ptr<SwitchProfile> profile = CreateObject<SwitchProfile>();
    EXPECT_EQ(memory.Find("a"), nullptr);
    EXPECT_EQ(memory.Add("a", {profile, {}, "{}", "{}"}).component, profile);
    ASSERT_NE(memory.Find("a"), nullptr);
    EXPECT_EQ(memory.Find("a")->component, profile);
    EXPECT_EQ(memory.Find("b"), nullptr);
    for (int i = 0; i < 10'000; ++i)
    {
        memory.Add(std::to_string(i), {});
    }
    EXPECT_EQ(memory.Find("a"), nullptr);
    EXPECT_EQ(profile->GetReferenceCount(), 1U) << "it is let go of";
}

} // namespace

} // namespace ns3::rails::test
