// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rails-chrome-trace.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

using namespace ns3::rails;

namespace
{

std::string
Write(const ChromeTrace& trace)
{
    std::ostringstream text;
    trace.Write(text);
    return text.str();
}

TEST(ChromeTraceTest, IsAnObjectEvenWhenNothingHappened)
{
    const nlohmann::json json = nlohmann::json::parse(Write(ChromeTrace()));
    EXPECT_EQ(json["displayTimeUnit"], "ns");
    EXPECT_TRUE(json["traceEvents"].is_array());
}

TEST(ChromeTraceTest, TimesAreMicrosecondsAndExactToThePicosecond)
{
    ChromeTrace trace;
    const ChromeTrace::Id track = trace.AddTrack(trace.AddProcess("a"), "b");
    const ChromeTrace::Id label = trace.AddLabel("c", "d");
    trace.AddInstant(track, 0, label);
    trace.AddInstant(track, 1, label);
    trace.AddInstant(track, 1'000'000, label);
    trace.AddInstant(track, 80'000'123'450, label);
    const std::string text = Write(trace);
    EXPECT_NE(text.find("\"ts\":0,"), std::string::npos);
    EXPECT_NE(text.find("\"ts\":0.000001,"), std::string::npos);
    EXPECT_NE(text.find("\"ts\":1,"), std::string::npos);
    EXPECT_NE(text.find("\"ts\":80000.12345,"), std::string::npos);
}

TEST(ChromeTraceTest, EventsOfAnInstantStayInTheOrderOfTheirTrack)
{
    ChromeTrace trace;
    const ChromeTrace::Id process = trace.AddProcess("a");
    const ChromeTrace::Id first = trace.AddTrack(process, "first");
    const ChromeTrace::Id label = trace.AddLabel("slice", "d");
    trace.AddSlice(first, 5, 10, label);
    trace.AddSlice(first, 10, 10, label);
    trace.AddSlice(first, 10, 15, label);
    trace.AddInstant(trace.AddTrack(process, "second"), 7, label);
    trace.SortByTime();
    std::string phases;
    const nlohmann::json events = nlohmann::json::parse(Write(trace))["traceEvents"];
    for (const nlohmann::json& event : events)
    {
        phases += event["ph"] == "M" ? "" : event["ph"].get<std::string>();
    }
    EXPECT_EQ(phases, "BiEBEBE");
}

TEST(ChromeTraceTest, NamesMayHoldAnything)
{
    const std::string name = "quote \" backslash \\ newline \n bad UTF-8 \xff";
    ChromeTrace trace;
    const ChromeTrace::Id process = trace.AddProcess(name);
    trace.AddInstant(trace.AddTrack(process, name),
                     1,
                     trace.AddLabel(name, name, {{"key \"", name}}));
    trace.AddValue(trace.AddCounter(process, name, name), 2, 3);
    const nlohmann::json events = nlohmann::json::parse(Write(trace))["traceEvents"];
    const std::string read = "quote \" backslash \\ newline \n bad UTF-8 \xef\xbf\xbd";
    EXPECT_EQ(events[events.size() - 2]["name"], read);
    EXPECT_EQ(events[events.size() - 2]["args"]["key \""], read);
    EXPECT_EQ(events.back()["name"], read);
    EXPECT_EQ(events.back()["args"][read], 3);
}

TEST(ChromeTraceTest, ProcessesAndTracksShareNoNumberAndNoneIsZero)
{
    ChromeTrace trace;
    const ChromeTrace::Id first = trace.AddProcess("a");
    trace.AddTrack(first, "b");
    trace.AddTrack(trace.AddProcess("c"), "d");
    std::set<uint32_t> pids;
    std::set<uint32_t> tids;
    const nlohmann::json events = nlohmann::json::parse(Write(trace))["traceEvents"];
    for (const nlohmann::json& event : events)
    {
        pids.insert(event["pid"].get<uint32_t>());
        if (event["name"] == "thread_name")
        {
            EXPECT_TRUE(tids.insert(event["tid"].get<uint32_t>()).second);
        }
    }
    EXPECT_EQ(pids, (std::set<uint32_t>{1, 2}));
    EXPECT_EQ(tids, (std::set<uint32_t>{3, 4}));
}

} // namespace
