// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/generated-page.h"
#include "../../support/source-folder.h"
#include "../run/experiment-fixtures.h"

#include "ns3/component-path.h"
#include "ns3/component-registry.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <gtest/gtest.h>
#include <regex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

/// A class that components derive from, as its header has it.
struct BaseClass
{
    std::string header;     //!< "balancer.h"
    std::string abstract;   //!< functions that have to be implemented: "``Plan()``"
    std::string overridden; //!< those that may be
    std::string traits;     //!< fields of its Traits
};

/// Adds a name to a list of names in code.
void
AddName(std::string& list, const std::string& name)
{
    list += (list.empty() ? "``" : ", ``") + name + "``";
}

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
            BaseClass base{entry.path().filename().string(), "", "", ""};
            for (std::sregex_iterator it(text.begin(), text.end(), function), end; it != end; ++it)
            {
                const bool isAbstract = it->str().find("= 0;") != std::string::npos;
                AddName(isAbstract ? base.abstract : base.overridden, it->str(1) + "()");
            }
            if (const std::size_t traits = text.find("struct Traits"); traits != std::string::npos)
            {
                text = text.substr(traits, text.find("};\n\n", traits) - traits);
                const std::regex field(R"((\w+)\{[^\n{}]*\};)");
                for (std::sregex_iterator it(text.begin(), text.end(), field), end; it != end; ++it)
                {
                    AddName(base.traits, it->str(1));
                }
            }
            return base;
        }
    }
    throw std::runtime_error("no header has class " + name);
}

/// \return the table of the classes that components derive from, a row each
std::string
MakeTable(const std::filesystem::path& root)
{
    std::string table = ".. list-table::\n"
                        "   :header-rows: 1\n\n"
                        "   * - Sections\n"
                        "     - Base class\n"
                        "     - To implement\n"
                        "     - May be overridden\n"
                        "     - ``Traits``\n";
    std::vector<std::pair<TypeId, std::string>> bases;
    for (const ComponentPath& slot : FindComponentPaths())
    {
        if (!HasComponentTypes(slot.base))
        {
            continue;
        }
        auto known = std::find_if(bases.begin(), bases.end(), [&slot](const auto& base) {
            return base.first == slot.base;
        });
        if (known == bases.end())
        {
            known = bases.insert(known, {slot.base, ""});
        }
        AddName(known->second, slot.path);
    }
    for (const auto& [type, sections] : bases)
    {
        const std::string id = type.GetName();
        const std::string name = id.substr(id.rfind(':') + 1);
        const BaseClass base = ReadBaseClass(root, name);
        table += "   * - " + sections + "\n     - ``" + name + "``, ``ns3/" + base.header +
                 "``\n     - " + base.abstract + "\n     - " + base.overridden + "\n     - " +
                 base.traits + "\n";
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
