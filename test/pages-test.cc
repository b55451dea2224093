// SPDX-License-Identifier: GPL-2.0-only
#include "support/pages.h"
#include "support/source-folder.h"

#include <cctype>
#include <cstddef>
#include <filesystem>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace ns3::rails::test
{

namespace
{

namespace fs = std::filesystem;

/// \return what a page has in code type (`` `x` `` or ``` ``x`` ```) of a form
std::vector<std::smatch>
FindNames(const std::string& text, const std::regex& form)
{
    return {std::sregex_iterator(text.begin(), text.end(), form), {}};
}

/// \return whether a path exists: as it is, without the ending of a source, or as a pattern with *
bool
Exists(const std::string& path)
{
    const fs::path whole = fs::path(GetSourceFolder()) / path;
    if (path.find('*') == std::string::npos)
    {
        return fs::exists(whole) || fs::exists(whole.string() + ".cc") ||
               fs::exists(whole.string() + ".h");
    }
    if (!fs::is_directory(whole.parent_path()))
    {
        return false;
    }
    const std::regex name(std::regex_replace(whole.filename().string(), std::regex(R"(\*)"), ".*") +
                          R"((\.cc)?)");
    for (const fs::directory_entry& entry : fs::directory_iterator(whole.parent_path()))
    {
        if (std::regex_match(entry.path().filename().string(), name))
        {
            return true;
        }
    }
    return false;
}

/// \return where the word begins that ends before a place of a text
std::size_t
FindWord(const std::string& text, std::size_t end)
{
    while (end > 0 &&
           (std::isalnum(static_cast<unsigned char>(text[end - 1])) || text[end - 1] == '_'))
    {
        --end;
    }
    return end;
}

/// \return the names of all functions that the sources of the module declare or define, with and
/// without the class before them
std::set<std::string>
ListFunctions()
{
    std::set<std::string> names;
    for (const char* folder : {"model", "helper", "harness"})
    {
        for (const fs::directory_entry& entry :
             fs::recursive_directory_iterator(fs::path(GetSourceFolder()) / folder))
        {
            if (entry.path().extension() != ".h" && entry.path().extension() != ".cc")
            {
                continue;
            }
            const std::string text = ReadPage(entry.path().string());
            for (std::size_t end = text.find('('); end != std::string::npos;
                 end = text.find('(', end + 1))
            {
                const std::size_t begin = FindWord(text, end);
                names.insert(text.substr(begin, end - begin));
                if (begin > 2 && text.compare(begin - 2, 2, "::") == 0)
                {
                    const std::size_t before = FindWord(text, begin - 2);
                    names.insert(text.substr(before, end - before));
                }
            }
        }
    }
    return names;
}

} // namespace

TEST(Pages, FilesThatTheyNameExist)
{
    static const std::regex form(
        R"(`((model|helper|harness|examples|experiments|plots|bench|test|setup|doc)/[\w./*-]*)`)");
    std::size_t found = 0;
    for (const std::string& page : ListPages())
    {
        const std::string text = ReadPage(page);
        for (const std::smatch& match : FindNames(text, form))
        {
            ++found;
            EXPECT_TRUE(Exists(match[1])) << page << " names " << match[1];
        }
    }
    EXPECT_GT(found, 50U);
    EXPECT_FALSE(Exists("model/experiment/frames"));
    EXPECT_FALSE(Exists("model/balance/*-planner"));
}

TEST(Pages, FunctionsThatTheyNameExist)
{
    static const std::regex form(R"(`(\w+::)*?((\w+::)?\w+)\(\)`)");
    const std::set<std::string> functions = ListFunctions();
    std::size_t found = 0;
    for (const std::string& page : ListPages())
    {
        const std::string text = ReadPage(page);
        for (const std::smatch& match : FindNames(text, form))
        {
            ++found;
            EXPECT_EQ(functions.count(match[2]), 1U) << page << " names " << match[0];
        }
    }
    EXPECT_GT(found, 50U);
    EXPECT_EQ(functions.count("ChooseAtSending"), 0U);
    EXPECT_EQ(functions.count("Port::Admit"), 0U); // the switch does
}

TEST(Pages, WhatTheyLinkToExists)
{
    static const std::regex rst(R"(<([\w./-]+\.(rst|md|png|svg|csv))>`_|figure:: ([\w./-]+))");
    static const std::regex markdown(R"(\]\(([\w./-]+)(#[\w-]+)?\))");
    std::size_t found = 0;
    for (const std::string& page : ListPages())
    {
        const std::string text = ReadPage(page);
        const fs::path folder = (fs::path(GetSourceFolder()) / page).parent_path();
        const bool isRst = fs::path(page).extension() == ".rst";
        for (const std::smatch& match : FindNames(text, isRst ? rst : markdown))
        {
            ++found;
            const std::string target = isRst && match[3].matched ? match[3] : match[1];
            EXPECT_TRUE(fs::exists(folder / target)) << page << " links to " << target;
        }
    }
    EXPECT_GT(found, 100U);
}

TEST(Pages, TheOverviewLeadsToEach)
{
    const std::string overview = ReadPage("doc/rails.rst");
    for (const std::string& page : ListPages())
    {
        if (fs::path(page).parent_path() == "doc" && page != "doc/rails.rst")
        {
            const std::string name = fs::path(page).filename().string();
            EXPECT_NE(overview.find("<" + name + ">"), std::string::npos)
                << "doc/rails.rst leaves out " << name;
        }
    }
}

} // namespace ns3::rails::test
