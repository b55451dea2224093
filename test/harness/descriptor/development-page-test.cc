// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/generated-page.h"
#include "../../support/source-folder.h"
#include "../run/experiment-fixtures.h"

#include "ns3/rails-schema.h"
#include "ns3/rails-slot.h"

#include <filesystem>
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
    test::GeneratedPage("doc/development.rst")
        .Expect("components", MakeTable(test::GetSourceFolder()));
}

} // namespace ns3::rails
