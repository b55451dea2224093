// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/generated-page.h"
#include "../../support/pages.h"
#include "../run/experiment-fixtures.h"
#include "component-places.h"

#include "ns3/component-documentation.h"
#include "ns3/component-path.h"
#include "ns3/component-registry.h"
#include "ns3/rails-key-help.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

/// What a page may no longer deny.
struct Claim
{
    std::string words;    //!< a regular expression, whatever the case
    std::string provider; //!< what a descriptor says for it: a section, a key, or "PLACE: TYPE"
};

const std::vector<Claim> kClaims{
    {"overlap of comput", "workload: graph"},
    {"only rings", "workload: graph"},
    {"gpus that compute|computing gpus|compute (and memory )?of gpus", "workload.compute: flops"},
    {"memory of gpus", "workload.memory"},
    {"other (tenants|jobs|traffic)", "workload: jobs"},
    {"capacity factor|dropped tokens", "workload.experts.capacity_factor"},
    {"planning (takes|costs) no time", "balance.planning_time"},
    {"(all cables|every cable) ha(ve|s) the same (rate|delay)", "topology.cables"},
    {"(cables|switches|nics) (do not|never) fail|no failures", "failures"},
    {"optical (circuits|switches) are not|no optical", "optical"},
    {"no pcie|pcie is not", "topology.intra: pcie"},
};

/// \return a text in one line, blanks between words
std::string
Flatten(const std::string& text)
{
    std::string flat;
    for (const char letter : text)
    {
        const char here = letter == '\n' ? ' ' : letter;
        if (here != ' ' || flat.empty() || flat.back() != ' ')
        {
            flat += here;
        }
    }
    return flat;
}

/// \return the paragraphs and items of a page's text
std::vector<std::string>
SplitParagraphs(const std::string& text)
{
    std::vector<std::string> paragraphs{""};
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
    {
        if (line.empty() || line.compare(0, 2, "- ") == 0 || line[0] == '|')
        {
            paragraphs.emplace_back();
        }
        paragraphs.back() += line + "\n";
    }
    return paragraphs;
}

/// \return whether a paragraph is the title of a section, in whose text nothing is but what is left
/// out
bool
BeginsDenials(const std::string& paragraph)
{
    static const std::regex title(R"(\n?(Scope and [Ll]imitations|Limits|Not modelled|What is not )"
                                  R"(modelled|What is left out)\n[-~=]+\n$)");
    return std::regex_search(paragraph, title);
}

/// \return whether a paragraph is the title of a section
bool
IsTitle(const std::string& paragraph)
{
    static const std::regex title(R"((^|\n)\S[^\n]*\n([-~=])\2\2+\n$)");
    return (paragraph.size() < 200 && std::regex_search(paragraph, title)) ||
           paragraph.compare(0, 3, "\n##") == 0;
}

/// \return what a page says that there is not: the entries of sections on that, sentences with "not
/// modelled", and the last column of tables with that heading
std::vector<std::string>
FindDenials(const std::string& page)
{
    static const std::regex sentence(R"([^.:]*\b(not modelled|What is not:)[^.]*)");
    std::vector<std::string> denials;
    bool denies = false;
    bool isTable = false;
    for (const std::string& paragraph : SplitParagraphs(page))
    {
        const std::string text = Flatten(paragraph);
        denies = IsTitle(paragraph) ? BeginsDenials(paragraph) : denies;
        isTable = text.find("| not modelled |") != std::string::npos || (isTable && text[0] == '|');
        if (denies && text.find("What is modelled:") == std::string::npos)
        {
            denials.push_back(text);
        }
        else if (isTable)
        {
            const std::size_t end = text.rfind('|');
            denials.push_back(text.substr(text.rfind('|', end - 1)));
        }
        else if (std::smatch match; (text.find("not modelled") != std::string::npos ||
                                     text.find("What is not:") != std::string::npos) &&
                                    std::regex_search(text, match, sentence))
        {
            denials.push_back(match[0]);
        }
    }
    return denials;
}

/// \return whether a descriptor has a section, a key or a type
bool
IsProvided(const std::string& provider)
{
    const std::size_t colon = provider.find(": ");
    const std::string path = provider.substr(0, colon);
    for (const ComponentPath& slot : FindComponentPaths())
    {
        if (slot.path == path)
        {
            const std::vector<std::string> types = GetComponentTypeNames(slot.base);
            return colon == std::string::npos ||
                   std::count(types.begin(), types.end(), provider.substr(colon + 2)) > 0;
        }
    }
    const std::vector<DottedKey> keys = ListDottedKeys();
    return colon == std::string::npos &&
           std::any_of(keys.begin(), keys.end(), [&path](const DottedKey& key) {
               return key.path == path;
           });
}

/// \return a line for each claim that a page denies although a descriptor can ask for it
std::string
FindFalseDenials(const std::string& page)
{
    std::string lines;
    const std::vector<std::string> denials = FindDenials(page);
    for (const Claim& claim : kClaims)
    {
        const std::regex words(claim.words, std::regex::icase);
        for (const std::string& denial : denials)
        {
            if (std::regex_search(denial, words))
            {
                lines += claim.provider + " does: " + denial + "\n";
            }
        }
    }
    return lines;
}

/// \return a table of all places with types
std::string
MakeComponents()
{
    std::string table = ".. list-table::\n"
                        "   :header-rows: 1\n"
                        "   :widths: 20 30 50\n\n"
                        "   * - Key\n"
                        "     - What it says\n"
                        "     - Types\n";
    for (const ComponentPath& place : FindPlaces())
    {
        if (!HasComponentTypes(place.base))
        {
            continue;
        }
        std::string types;
        for (const std::string& type : GetComponentTypeNames(place.base))
        {
            types += (types.empty() ? "``" : ", ``") + type + "``";
        }
        table +=
            "   * - ``" + place.path + "``\n     - " + place.meaning + "\n     - " + types + "\n";
    }
    return table;
}

/// \return all places with types in Markdown, a line for each type that says what it is
std::string
MakeFeatures()
{
    std::string text;
    for (const ComponentPath& place : FindPlaces())
    {
        if (!HasComponentTypes(place.base))
        {
            continue;
        }
        std::string names;
        std::string rows;
        for (const ComponentType& type : GetComponentTypes(place.base))
        {
            const std::string about = KeyHelp::Split(GetDocumentation(type.id)).GetFirstSentence();
            names += (names.empty() ? "`" : ", `") + type.name + "`";
            rows += about.empty() ? "" : "| `" + type.name + "` | " + about + " |\n";
        }
        text += (text.empty() ? "## `" : "\n## `") + place.path + "`\n\n" +
                KeyHelp::Split(place.meaning).meaning + "\n\n" +
                (rows.empty() ? names + "\n" : "| type | what it is |\n|---|---|\n" + rows);
    }
    return text;
}

/// \return a table of what a class of the module tells to those who listen
std::string
MakeTraceSources()
{
    std::vector<std::string> rows;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId id = TypeId::GetRegistered(i);
        if (id.GetName().rfind("ns3::rails::", 0) != 0)
        {
            continue;
        }
        for (std::size_t j = 0; j < id.GetTraceSourceN(); ++j)
        {
            const TypeId::TraceSourceInformation source = id.GetTraceSource(j);
            const std::string ours = "ns3::rails::";
            EXPECT_EQ(source.callback.rfind(ours, 0), 0U) << source.callback;
            rows.push_back("   * - ``" + id.GetName().substr(ours.size()) + "``\n     - ``" +
                           source.name + "``\n     - ``" + source.callback.substr(ours.size()) +
                           "``\n     - " + source.help + "\n");
        }
    }
    std::sort(rows.begin(), rows.end());
    std::string table = ".. list-table::\n"
                        "   :header-rows: 1\n"
                        "   :widths: 13 17 28 42\n\n"
                        "   * - Class\n"
                        "     - Trace source\n"
                        "     - Signature\n"
                        "     - Fired\n";
    for (const std::string& row : rows)
    {
        table += row;
    }
    return table;
}

} // namespace

/// What pages say that there is and that there is not.
class ScopePageTest : public ExperimentTest
{
};

TEST_F(ScopePageTest, NoPageDeniesWhatADescriptorCanAskFor)
{
    for (const std::string& page : test::ListPages())
    {
        EXPECT_EQ(FindFalseDenials(test::ReadPage(page)), "") << page;
    }
}

TEST_F(ScopePageTest, DenialsAreFoundInSectionsSentencesAndTables)
{
    EXPECT_EQ(FindFalseDenials("Scope and limitations\n-----\n\n- Frames.\n- Planning takes\n  no "
                               "time.\n\nUsage\n-----\n\nOther jobs.\n"),
              "balance.planning_time does: - Planning takes no time. \n");
    EXPECT_EQ(FindFalseDenials("A text. Compute and memory\nof GPUs are not modelled. Another.\n"),
              "workload.compute: flops does:  Compute and memory of GPUs are not modelled\n"
              "workload.memory does:  Compute and memory of GPUs are not modelled\n");
    EXPECT_EQ(FindFalseDenials("| | modelled | not modelled |\n|---|---|---|\n"
                               "| a | other jobs | probes |\n| b | c | other tenants |\n"),
              "workload: jobs does: | other tenants | \n");
}

TEST_F(ScopePageTest, WhatNoPageMayDenyIsThere)
{
    for (const Claim& claim : kClaims)
    {
        EXPECT_TRUE(IsProvided(claim.provider)) << claim.provider;
    }
    EXPECT_FALSE(IsProvided("workload: nothing"));
    EXPECT_FALSE(IsProvided("workload.nothing"));
}

TEST_F(ScopePageTest, TheReadmeCountsComponentsRightly)
{
    const std::string readme = Flatten(test::ReadPage("README.md"));
    const std::map<std::string, std::vector<std::string>> places{
        {"schemes", {"balance"}},
        {"load balancers", {"balance.host", "balance.switch"}},
        {"published models", {"workload.model"}},
        {"policies", {"workload.experts"}},
    };
    for (const auto& [what, paths] : places)
    {
        std::size_t count = 0;
        for (const ComponentPath& slot : FindComponentPaths())
        {
            const bool isMeant = std::count(paths.begin(), paths.end(), slot.path) > 0;
            count += isMeant ? GetComponentTypes(slot.base).size() : 0;
        }
        std::smatch match;
        ASSERT_TRUE(std::regex_search(readme, match, std::regex("(\\d+) " + what))) << what;
        EXPECT_EQ(std::stoul(match[1]), count) << what;
    }
}

TEST_F(ScopePageTest, TheOverviewHasAllComponentsAndTraceSources)
{
    test::GeneratedPage("doc/rails.rst").Expect("components", MakeComponents());
    test::GeneratedPage("doc/ns3.rst").Expect("trace sources", MakeTraceSources());
}

TEST_F(ScopePageTest, TheListOfFeaturesHasAllComponents)
{
    test::GeneratedPage("FEATURES.md").Expect("components", MakeFeatures());
}

} // namespace ns3::rails
