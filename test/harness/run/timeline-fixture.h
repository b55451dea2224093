// SPDX-License-Identifier: GPL-2.0-only
#ifndef TIMELINE_FIXTURE_H
#define TIMELINE_FIXTURE_H

#include "ns3/rails-chrome-trace.h"
#include "ns3/rails-result.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// A timeline as a viewer reads it: takes it apart and finds what viewers do not draw.
class ViewedTimeline
{
  public:
    struct Slice
    {
        std::string process;
        std::string track;
        std::string name;
        std::string category;
        double begin; // us
        double end;   // us
        nlohmann::json arguments;
    };

    struct Instant
    {
        std::string track;
        std::string name;
        double at;
    };

    struct Value
    {
        double at;
        uint64_t bytes;
    };

    explicit ViewedTimeline(const std::string& text)
    {
        const nlohmann::json json = nlohmann::json::parse(text);
        EXPECT_EQ(json["displayTimeUnit"], "ns");
        for (const nlohmann::json& event : json["traceEvents"])
        {
            Read(event);
        }
        for (const auto& [tid, open] : m_open)
        {
            EXPECT_FALSE(open) << "a slice of " << m_threads[tid] << " has no end";
        }
        // Every process and every track has a name and a place, and is used.
        for (const uint32_t pid : m_pids)
        {
            EXPECT_EQ(m_processes.count(pid), 1U) << pid;
            EXPECT_EQ(m_sorted.count(pid), 1U) << pid;
        }
        for (const uint32_t tid : m_tids)
        {
            EXPECT_EQ(m_threads.count(tid), 1U) << tid;
            EXPECT_EQ(m_sorted.count(tid), 1U) << tid;
        }
        EXPECT_EQ(m_threads.size(), m_tids.size());
    }

    std::vector<Slice> GetSlices(const std::string& category) const
    {
        std::vector<Slice> slices;
        std::copy_if(m_slices.begin(),
                     m_slices.end(),
                     std::back_inserter(slices),
                     [&](const Slice& slice) { return slice.category == category; });
        return slices;
    }

    std::vector<Instant> instants;
    std::map<std::pair<std::string, std::string>, std::vector<Value>> counters;
    double first{0};
    double last{0};

  private:
    void Read(const nlohmann::json& event)
    {
        const std::string kind = event["ph"];
        const auto pid = event["pid"].get<uint32_t>();
        EXPECT_GT(pid, 0U);
        if (kind == "M")
        {
            ReadName(event, pid);
            return;
        }
        const auto at = event["ts"].get<double>();
        first = m_pids.empty() ? at : first;
        EXPECT_GE(at, last) << "not in the order of time: " << event;
        last = at;
        m_pids.insert(pid);
        if (kind == "C")
        {
            EXPECT_FALSE(event.contains("tid"));
            const std::string name = event["name"];
            counters[{m_processes[pid], name}].push_back({at, event["args"]["bytes"]});
            return;
        }
        const auto tid = event["tid"].get<uint32_t>();
        EXPECT_GT(tid, 0U);
        m_tids.insert(tid);
        // Viewers know threads by their number alone.
        EXPECT_EQ(m_processOf.try_emplace(tid, pid).first->second, pid);
        if (kind == "i")
        {
            EXPECT_EQ(event["s"], "t");
            instants.push_back({m_threads[tid], event["name"], at});
            return;
        }
        std::optional<Slice>& open = m_open[tid];
        if (kind == "B")
        {
            EXPECT_FALSE(open) << "slices of " << m_threads[tid] << " overlap";
            open = Slice{m_processes[pid],
                         m_threads[tid],
                         event["name"],
                         event["cat"],
                         at,
                         0,
                         event.value("args", nlohmann::json::object())};
            return;
        }
        ASSERT_EQ(kind, "E");
        ASSERT_TRUE(open) << "an end without a beginning: " << event;
        open->end = at;
        m_slices.push_back(*open);
        open.reset();
    }

    void ReadName(const nlohmann::json& event, uint32_t pid)
    {
        const std::string name = event["name"];
        const auto tid = event["tid"].get<uint32_t>();
        const nlohmann::json& arguments = event["args"];
        if (name == "process_name")
        {
            m_processes[pid] = arguments["name"];
        }
        else if (name == "thread_name")
        {
            m_threads[tid] = arguments["name"];
            EXPECT_TRUE(m_tracks.emplace(pid, arguments["name"]).second)
                << "two tracks of a process have the same name";
        }
        else
        {
            EXPECT_TRUE(name == "process_sort_index" || name == "thread_sort_index");
            EXPECT_TRUE(m_orders.insert(arguments["sort_index"].get<uint32_t>()).second);
            m_sorted.insert(name == "process_sort_index" ? pid : tid);
        }
    }

    std::map<uint32_t, std::string> m_processes;
    std::map<uint32_t, std::string> m_threads;
    std::map<uint32_t, uint32_t> m_processOf;
    std::set<std::pair<uint32_t, std::string>> m_tracks;
    std::set<uint32_t> m_orders;
    std::set<uint32_t> m_sorted;
    std::set<uint32_t> m_pids;
    std::set<uint32_t> m_tids;
    std::map<uint32_t, std::optional<Slice>> m_open;
    std::vector<Slice> m_slices;
};

/// \return the timeline of a run that recorded one
inline ViewedTimeline
ReadTimeline(const Result& result)
{
    std::ostringstream text;
    result.timeline->Write(text);
    return ViewedTimeline(text.str());
}

} // namespace ns3::rails

#endif // TIMELINE_FIXTURE_H
