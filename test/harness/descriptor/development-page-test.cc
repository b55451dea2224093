// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/source-folder.h"
#include "../run/experiment-fixtures.h"

#include "ns3/rails-schema.h"
#include "ns3/rails-slot.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <stdexcept>
#include <string>

namespace ns3::rails
{

namespace
{

/// A class that components derive from, as its header has it.
struct BaseClass
{
    std::string header;     //!< "planner.h"
    std::string abstract;   //!< functions that have to be implemented: "``Plan()``"
    std::string overridden; //!< those that may be
};

/// \return what the header of a class says, from the headers of the module
BaseClass
ReadBaseClass(const std::filesystem::path& root, const std::string& name)
{
    const std::regex head("\nclass " + name + " : public [^;]*\n\\{");
    const std::regex function(R"(virtual\s[^;{]*?(\w+)\([^;{]*\)[^;{]*[;{])");
    for (const std::string layer : {"model", "helper", "harness"})
    {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / layer))
        {
            std::string text = entry.path().extension() == ".h" ? ReadFile(entry.path()) : "";
            std::smatch found;
            if (text.find("\nclass " + name) == std::string::npos || // which is quicker
                !std::regex_search(text, found, head))
            {
                continue;
            }
            text = found.suffix();
            text = std::regex_replace(text.substr(0, text.find("\n};")),
                                      std::regex(R"(/\*[^*]*(\*[^/][^*]*)*\*/|//[^\n]*)"),
                                      "");
            BaseClass base{entry.path().filename().string(), "", ""};
            for (std::sregex_iterator it(text.begin(), text.end(), function), end; it != end; ++it)
            {
                const bool isAbstract = it->str().find("= 0;") != std::string::npos;
                std::string& list = isAbstract ? base.abstract : base.overridden;
                list += (list.empty() ? "``" : ", ``") + it->str(1) + "()``";
            }
            return base;
        }
    }
    throw std::runtime_error("no header has class " + name);
}

/// \return the table of the places for components, a row each
std::string
MakeTable(const std::filesystem::path& root)
{
    std::string table = ".. list-table::\n"
                        "   :header-rows: 1\n\n"
                        "   * - Section\n"
                        "     - Base class\n"
                        "     - To implement\n"
                        "     - May be overridden\n"
                        "     - Types that there are\n";
    for (const Slot& slot : FindSlots())
    {
        if (!HasComponentTypes(slot.base))
        {
            continue;
        }
        const std::string id = slot.base.GetName();
        const std::string name = id.substr(id.rfind(':') + 1);
        const BaseClass base = ReadBaseClass(root, name);
        std::string types;
        for (const ComponentType& type : GetComponentTypes(slot.base))
        {
            types += (types.empty() ? "``" : ", ``") + type.name + "``";
        }
        table += "   * - ``" + slot.path + "``\n     - ``" + name + "``, ``ns3/" + base.header +
                 "``\n     - " + base.abstract + "\n     - " + base.overridden + "\n     - " +
                 types + "\n";
    }
    return std::regex_replace(table, std::regex(" +\n"), "\n");
}

} // namespace

/// The page doc/development.rst.
class DevelopmentPageTest : public ExperimentTest
{
};

TEST_F(DevelopmentPageTest, TableOfComponentsIsThatOfTheCatalogue)
{
    const std::filesystem::path root = test::GetSourceFolder();
    const std::filesystem::path file = root / "doc/development.rst";
    const std::string table = MakeTable(root);
    std::string page = ReadFile(file);
    const std::size_t begin = page.find(".. list-table::\n");
    const std::size_t end = page.find("\n\n", page.find("   * -", begin));
    ASSERT_NE(end, std::string::npos) << file << " has no table";
    const bool isStale = page.substr(begin, end + 1 - begin) != table;
    if (isStale && std::getenv("RAILS_WRITE_PAGES") != nullptr)
    {
        std::ofstream(file) << page.replace(begin, end + 1 - begin, table);
        return;
    }
    EXPECT_FALSE(isStale) << "the table of doc/development.rst is stale: run this test again with "
                             "RAILS_WRITE_PAGES=1 in its environment, which writes\n"
                          << table;
}

} // namespace ns3::rails
