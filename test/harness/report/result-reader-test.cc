// SPDX-License-Identifier: GPL-2.0-only
#include "../run/experiment-fixtures.h"

#include "ns3/rails-output-folder.h"
#include "ns3/rails-result-reader.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/stat.h>

namespace ns3::rails
{

namespace
{

using nlohmann::json;

/// A folder of a result that anybody may have made.
class ResultReaderTest : public testing::Test
{
  protected:
    /// \return why a file with a text is not taken; empty when it is
    std::string FindFault(const std::string& text) const
    {
        std::string fault;
        const json value = ReadJsonFile(m_folder.Write("x.json", text), fault);
        EXPECT_EQ(value.is_discarded(), !fault.empty());
        return fault;
    }

    /// \return why a result with a member is not taken; empty when it is
    std::string FindResultFault(const std::string& key, const json& value) const
    {
        json result{{"status", 0}, {"config", {{"seed", 1}}}, {"fingerprint", ""}, {"cct_s", 1.5}};
        result[key] = value;
        m_folder.Write("result.json", result.dump());
        std::string fault;
        const bool isTaken = !ReadResultJson(m_folder.GetPath(), fault).is_discarded();
        EXPECT_EQ(isTaken, fault.empty());
        return fault;
    }

    static std::string Nest(std::size_t depth)
    {
        return std::string(depth, '[') + std::string(depth, ']');
    }

    TemporaryFolder m_folder;
};

TEST_F(ResultReaderTest, DeepNestingIsRefusedBeforeItIsParsed)
{
    EXPECT_EQ(FindFault(Nest(100)), "");
    EXPECT_EQ(FindFault(Nest(101)), "is nested more than 100 deep");
    EXPECT_EQ(FindFault("{\"a\":" + Nest(500'000) + "}"), "is nested more than 100 deep");
    EXPECT_EQ(FindFault(std::string(500'000, '[')), "is nested more than 100 deep");
    EXPECT_EQ(FindFault("[\"" + std::string(1000, '[') + "\\\"" + std::string(1000, '{') + "\"]"),
              "")
        << "brackets in a text are none";
}

TEST_F(ResultReaderTest, TextsHaveNoNul)
{
    EXPECT_EQ(FindFault(R"({"a\u0000b": 1})"), "has a NUL in a text");
    EXPECT_EQ(FindFault(R"(["\\\u0000"])"), "has a NUL in a text");
    EXPECT_EQ(FindFault(R"(["\\u0000"])"), "") << "a backslash, then letters";
    EXPECT_EQ(FindFault(std::string("[1,\0]", 5)), "is cut or no JSON");
}

TEST_F(ResultReaderTest, LongKeysAroundManyValuesAreRefused)
{
    std::string text = "{\"" + std::string(500'000, 'k') + "\":[0";
    for (int i = 0; i < 200; ++i)
    {
        text += ",0";
    }
    EXPECT_EQ(FindFault(text + "]}"), "has too many values under long keys");
    EXPECT_EQ(FindFault("{\"" + std::string(500'000, 'k') + "\":0}"), "");
}

TEST_F(ResultReaderTest, WhatIsNoTextOfJsonIsSaid)
{
    for (const std::string text :
         {"", "{", "[1e999]", "\xff", "[\"\xc3\"]", "[\"\\ud800\"]", "{}{}"})
    {
        EXPECT_EQ(FindFault(text), "is cut or no JSON") << text;
    }
}

TEST_F(ResultReaderTest, WhatIsNoRegularFileIsNotWaitedFor)
{
    const std::filesystem::path place = m_folder.GetPath() / "x.json";
    std::string fault;
    EXPECT_TRUE(ReadJsonFile(place, fault).is_discarded());
    EXPECT_EQ(fault, "is missing");
    EXPECT_EQ(mkfifo(place.c_str(), 0600), 0);
    EXPECT_TRUE(ReadJsonFile(place, fault).is_discarded());
    EXPECT_EQ(fault, "is a pipe or a device");
    std::filesystem::remove(place);
    std::filesystem::create_symlink("/dev/zero", place);
    EXPECT_TRUE(ReadJsonFile(place, fault).is_discarded());
    EXPECT_EQ(fault, "is a pipe or a device");
    std::filesystem::remove(place);
    std::filesystem::create_directory(place);
    EXPECT_TRUE(ReadJsonFile(place, fault).is_discarded());
    EXPECT_EQ(fault, "is a folder, where a file of results is expected: rename it");
}

TEST_F(ResultReaderTest, LargeFileIsNotRead)
{
    const std::string place = m_folder.Write("x.json", "[1]");
    std::filesystem::resize_file(place, std::uintmax_t{1} << 40); // with a hole
    std::string fault;
    EXPECT_TRUE(ReadJsonFile(place, fault).is_discarded());
    EXPECT_EQ(fault, "is larger than 64 MiB");
}

TEST_F(ResultReaderTest, MembersThatReadersGoByAreOfTheirKind)
{
    EXPECT_EQ(FindResultFault("status", 0), "");
    for (const json& status : {json(-1), json(1.0), json("0"), json(5), json(uint64_t{1} << 32)})
    {
        EXPECT_EQ(FindResultFault("status", status),
                  "a value of result.json is not of its kind (status)")
            << status;
    }
    for (const char* key :
         {"config", "version", "axes", "labels", "key", "engine", "seed", "notes"})
    {
        for (const json& value : {json(-1), json({1}), json({nullptr, "x"})})
        {
            EXPECT_EQ(FindResultFault(key, value),
                      std::string("a value of result.json is not of its kind (") + key + ")")
                << value;
        }
    }
    EXPECT_EQ(FindResultFault("axes", {{"balance", 1}}),
              "a value of result.json is not of its kind (axes)");
}

TEST_F(ResultReaderTest, ArtefactsAreFilesOfTheFolder)
{
    m_folder.Write("links.csv", "12345");
    const auto list = [](const json& file, const json& bytes) {
        return json::array({{{"file", file}, {"bytes", bytes}}});
    };
    EXPECT_EQ(FindResultFault("artefacts", list("links.csv", 5)), "");
    EXPECT_EQ(FindResultFault("artefacts", list("links.csv", 4)),
              "links.csv is missing, cut or no file");
    EXPECT_EQ(FindResultFault("artefacts", list("queues.csv", 4)),
              "queues.csv is missing, cut or no file");
    const std::string other = "a value of result.json is not of its kind (artefacts)";
    EXPECT_EQ(FindResultFault("artefacts", list("../links.csv", 5)), other);
    EXPECT_EQ(FindResultFault("artefacts", list("links.csv", 1e300)), other);
    EXPECT_EQ(FindResultFault("artefacts", list(nullptr, 5)), other);
    EXPECT_EQ(FindResultFault("artefacts", "links.csv"), other);
}

TEST_F(ResultReaderTest, NamesOfPointsLeadNowhereElse)
{
    EXPECT_TRUE(IsPointName("balance=rails,seed=1"));
    for (const std::string name : {"", ".", "..", "../a", "a/b", "/a", ".rails"})
    {
        EXPECT_FALSE(IsPointName(name)) << name;
    }
    EXPECT_FALSE(IsPointName(std::string("a\0b", 3)));
}

TEST_F(ResultReaderTest, MembersOfAnotherKindAreAnErrorWithTheirNames)
{
    const JsonMembers members({{"text", "a"},
                               {"texts", {"a", "b"}},
                               {"flag", true},
                               {"number", 5},
                               {"object", {{"inner", "x"}}}},
                              "sweep.json");
    EXPECT_EQ(members.GetText("text"), "a");
    EXPECT_EQ(members.GetText("none", "usual"), "usual");
    EXPECT_EQ(members.GetTexts("texts"), (std::vector<std::string>{"a", "b"}));
    EXPECT_TRUE(members.GetFlag("flag", false));
    EXPECT_EQ(members.GetNumber("number", 1U, 1, 5), 5U);
    EXPECT_EQ(members.GetNumber("none", 1U, 1, 5), 1U);
    EXPECT_EQ(members.GetMembers("object").GetText("inner"), "x");
    EXPECT_THROW(members.GetText("number"), OutputError);
    EXPECT_THROW(members.GetTexts("text"), OutputError);
    EXPECT_THROW(members.GetFlag("number", false), OutputError);
    EXPECT_THROW(members.GetMembers("texts"), OutputError);
    EXPECT_THROW(members.GetNumber("text", 1U, 1, 5), OutputError);
    EXPECT_THROW(members.GetNumber("number", 1U, 1, 4), OutputError);
    EXPECT_THROW(JsonMembers({{"n", -1}}, "x").GetNumber("n", 1U, 0, 4), OutputError);
    EXPECT_THROW(JsonMembers({{"n", 1.5}}, "x").GetNumber("n", 1U, 0, 4), OutputError);
}

} // namespace

} // namespace ns3::rails
