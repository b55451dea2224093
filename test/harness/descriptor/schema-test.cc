// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/component-documentation.h"
#include "ns3/component-registry.h"
#include "ns3/object.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

namespace
{

/// A base class of components that nobody else has.
class SchemaTestPart : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::SchemaTestPart").SetParent<Object>();
        return tid;
    }
};

class EarlySchemaTestPart : public SchemaTestPart
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::EarlySchemaTestPart")
                                .SetParent<SchemaTestPart>()
                                .AddConstructor<EarlySchemaTestPart>()
                                .AddAttribute("ManyThings",
                                              "How many.",
                                              UintegerValue(3),
                                              MakeUintegerAccessor(&EarlySchemaTestPart::m_many),
                                              MakeUintegerChecker<uint32_t>());
        return tid;
    }

  private:
    uint32_t m_many;
};

class LateSchemaTestPart : public EarlySchemaTestPart
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::LateSchemaTestPart")
                                .SetParent<EarlySchemaTestPart>()
                                .AddConstructor<LateSchemaTestPart>();
        return tid;
    }
};

/// Has another name for a key of those derived from it.
class NamedSchemaTestPart : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = AddAliases(TypeId("ns3::NamedSchemaTestPart").SetParent<Object>(),
                                       {{"SeveralThings", "ManyThings"}});
        return tid;
    }
};

class ManySchemaTestPart : public NamedSchemaTestPart
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ManySchemaTestPart")
                                .SetParent<NamedSchemaTestPart>()
                                .AddAttribute("ManyThings",
                                              "How many.",
                                              UintegerValue(3),
                                              MakeUintegerAccessor(&ManySchemaTestPart::m_many),
                                              MakeUintegerChecker<uint32_t>());
        return tid;
    }

  private:
    uint32_t m_many;
};

class SeveralSchemaTestPart : public ManySchemaTestPart
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::SeveralSchemaTestPart")
                .SetParent<ManySchemaTestPart>()
                .AddAttribute("SeveralThings",
                              "Something else.",
                              UintegerValue(3),
                              MakeUintegerAccessor(&SeveralSchemaTestPart::m_several),
                              MakeUintegerChecker<uint32_t>());
        return tid;
    }

  private:
    uint32_t m_several;
};

TEST(Schema, KeyHasTheOtherNameThatAParentDeclares)
{
    EXPECT_TRUE(GetComponentKeys(NamedSchemaTestPart::GetTypeId()).empty());
    const std::vector<ComponentKey>& keys = GetComponentKeys(ManySchemaTestPart::GetTypeId());
    ASSERT_EQ(keys.size(), 1U);
    EXPECT_EQ(keys.front().name, "many_things");
    EXPECT_EQ(keys.front().alias, "several_things");
}

TEST(Schema, KeyOfThatNameGoesBeforeTheOtherName)
{
    const std::vector<ComponentKey>& keys = GetComponentKeys(SeveralSchemaTestPart::GetTypeId());
    ASSERT_EQ(keys.size(), 2U);
    EXPECT_EQ(keys.front().name, "many_things");
    EXPECT_EQ(keys.front().alias, "");
    EXPECT_EQ(keys.back().name, "several_things");
}

TEST(Schema, KnowsClassesThatAreRegisteredLater)
{
    EarlySchemaTestPart::GetTypeId();
    const TypeId base = SchemaTestPart::GetTypeId();
    const std::vector<ComponentType>& before = GetComponentTypes(base);
    ASSERT_EQ(before.size(), 1u);
    EXPECT_EQ(&GetComponentTypes(base), &before) << "what is known is not looked for again";
    LateSchemaTestPart::GetTypeId();
    const std::vector<ComponentType>& after = GetComponentTypes(base);
    ASSERT_EQ(after.size(), 2u);
    EXPECT_EQ(after[0].name, "early");
    EXPECT_EQ(after[1].name, "late");
    ASSERT_EQ(before.size(), 1u) << "somebody may be reading it";
    EXPECT_EQ(before[0].name, "early");
}

TEST(Schema, KeysAreThoseOfAClassAndItsParents)
{
    const std::vector<ComponentKey>& keys = GetComponentKeys(LateSchemaTestPart::GetTypeId());
    ASSERT_EQ(keys.size(), 1u);
    EXPECT_EQ(keys[0].name, "many_things");
    EXPECT_EQ(keys[0].kind->GetName(keys[0].attribute), "count");
    EXPECT_EQ(&GetComponentKeys(LateSchemaTestPart::GetTypeId()), &keys);
    EXPECT_TRUE(GetComponentKeys(SchemaTestPart::GetTypeId()).empty());
}

} // namespace
