// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/source-folder.h"
#include "../run/experiment-fixtures.h"

#include "ns3/rails-schema.h"
#include "ns3/rails-slot.h"

#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <string>

namespace ns3::rails
{

/// The page doc/descriptor.rst.
class DescriptorPageTest : public ExperimentTest
{
  protected:
    void SetUp() override
    {
        std::istringstream page(ReadFile(test::GetSourceFolder() + "/doc/descriptor.rst"));
        std::string heading;
        std::string last;
        for (std::string line; std::getline(page, line); last = line)
        {
            const bool underline = line.size() > 2 && line.size() == last.size() &&
                                   line.find_first_not_of(line[0]) == std::string::npos &&
                                   std::string("=-~^").find(line[0]) != std::string::npos;
            heading = underline ? last : heading;
            m_parts[heading] += line + "\n";
        }
    }

    /// \return true when a part of the page names something
    bool Names(const std::string& heading, const std::string& name) const
    {
        const auto part = m_parts.find(heading);
        return part != m_parts.end() && part->second.find("``" + name + "``") != std::string::npos;
    }

    std::map<std::string, std::string> m_parts; //!< by heading
};

TEST_F(DescriptorPageTest, EveryComponentHasAPartWithItsTypesAndKeys)
{
    for (const Slot& slot : FindSlots())
    {
        EXPECT_EQ(m_parts.count(slot.path), 1U) << slot.path << " has no part";
        for (const ComponentType& type : GetComponentTypes(slot.base))
        {
            if (HasComponentTypes(slot.base))
            {
                EXPECT_TRUE(Names(slot.path, type.name)) << slot.path << " of type " << type.name;
            }
            for (const ComponentKey& key : GetComponentKeys(type.id))
            {
                EXPECT_TRUE(Names(slot.path, key.name)) << slot.path << " " << key.name;
            }
        }
    }
}

TEST_F(DescriptorPageTest, KeysOutsideOfComponentsAreThere)
{
    for (const PlainKey& key : GetPlainKeys())
    {
        const std::string name = key.path.substr(key.path.rfind('.') + 1);
        EXPECT_TRUE(Names(name == key.path ? "Top level" : "sweep", name)) << key.path;
    }
}

TEST_F(DescriptorPageTest, KeysAndTypesOfEntriesOfListsAreThere)
{
    for (const Slot& list : FindEntrySlots())
    {
        const std::string part = list.path.substr(0, list.path.rfind('.'));
        for (const ComponentType& type : GetComponentTypes(list.base))
        {
            if (HasComponentTypes(list.base))
            {
                EXPECT_TRUE(Names(part, type.name)) << list.path << " of type " << type.name;
            }
            for (const ComponentKey& key : GetComponentKeys(type.id))
            {
                EXPECT_TRUE(Names(part, key.name)) << list.path << " " << key.name;
            }
        }
    }
}

} // namespace ns3::rails
