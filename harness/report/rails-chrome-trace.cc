// SPDX-License-Identifier: GPL-2.0-only
#include "rails-chrome-trace.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

namespace ns3::rails
{

namespace
{

using nlohmann::ordered_json;

std::string
Dump(const ordered_json& json)
{
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

/// \return the inside of an object that is not empty, so that others can write more members
std::string
DumpMembers(const ordered_json& object)
{
    const std::string text = Dump(object);
    return text.substr(1, text.size() - 2);
}

/// Writes picoseconds as microseconds, without zeros at the end.
void
WriteTime(std::ostream& os, TimePs time)
{
    constexpr TimePs kMicrosecond = 1'000'000;
    os << time / kMicrosecond;
    TimePs rest = time % kMicrosecond;
    if (rest == 0)
    {
        return;
    }
    os << '.';
    for (TimePs digit = kMicrosecond / 10; rest > 0; digit /= 10)
    {
        os << rest / digit;
        rest %= digit;
    }
}

} // namespace

ChromeTrace::Id
ChromeTrace::AddProcess(const std::string& name)
{
    m_processes.push_back(name);
    return static_cast<Id>(m_processes.size() - 1);
}

ChromeTrace::Id
ChromeTrace::AddTrack(Id process, const std::string& name)
{
    m_tracks.push_back({process, name});
    return static_cast<Id>(m_tracks.size() - 1);
}

ChromeTrace::Id
ChromeTrace::AddCounter(Id process, const std::string& name, const std::string& unit)
{
    // The text before the value.
    m_counters.push_back(
        {process, DumpMembers({{"name", name}}) + ",\"args\":{" + Dump(ordered_json(unit)) + ":"});
    return static_cast<Id>(m_counters.size() - 1);
}

ChromeTrace::Id
ChromeTrace::AddLabel(const std::string& name, const std::string& category)
{
    return AddLabel(name, category, ordered_json::object());
}

ChromeTrace::Id
ChromeTrace::AddLabel(const std::string& name,
                      const std::string& category,
                      const ordered_json& arguments)
{
    ordered_json label{{"name", name}, {"cat", category}};
    if (!arguments.empty())
    {
        label["args"] = arguments;
    }
    m_labels.push_back(DumpMembers(label));
    return static_cast<Id>(m_labels.size() - 1);
}

void
ChromeTrace::AddSlice(Id track, TimePs begin, TimePs end, Id label)
{
    m_events.push_back({begin, 0, track, label, Kind::Begin});
    m_events.push_back({end, 0, track, label, Kind::End});
}

void
ChromeTrace::AddInstant(Id track, TimePs at, Id label)
{
    m_events.push_back({at, 0, track, label, Kind::Instant});
}

void
ChromeTrace::AddValue(Id counter, TimePs at, uint64_t value)
{
    m_events.push_back({at, value, counter, 0, Kind::Value});
}

void
ChromeTrace::SortByTime()
{
    std::stable_sort(m_events.begin(), m_events.end(), [](const Event& left, const Event& right) {
        return left.at < right.at;
    });
}

// Perfetto takes process 0 and thread 0 for the idle task, a thread with the number of its process
// for its main thread, and threads for the same one when they have the same number: so none has.
uint32_t
ChromeTrace::GetPid(Id process) const
{
    return process + 1;
}

uint32_t
ChromeTrace::GetTid(Id track) const
{
    return static_cast<uint32_t>(m_processes.size()) + track + 1;
}

void
ChromeTrace::WriteNames(std::ostream& os) const
{
    const char* separator = "";
    const auto write = [&](const char* what, uint32_t pid, uint32_t tid, const std::string& name) {
        const ordered_json names{{"ph", "M"},
                                 {"pid", pid},
                                 {"tid", tid},
                                 {"name", std::string(what) + "_name"},
                                 {"args", {{"name", name}}}};
        const ordered_json order{{"ph", "M"},
                                 {"pid", pid},
                                 {"tid", tid},
                                 {"name", std::string(what) + "_sort_index"},
                                 {"args", {{"sort_index", tid}}}};
        os << separator << Dump(names) << ",\n" << Dump(order);
        separator = ",\n";
    };
    for (Id process = 0; process < m_processes.size(); ++process)
    {
        write("process", GetPid(process), GetPid(process), m_processes[process]);
    }
    for (Id track = 0; track < m_tracks.size(); ++track)
    {
        write("thread", GetPid(m_tracks[track].process), GetTid(track), m_tracks[track].name);
    }
}

void
ChromeTrace::WriteEvent(std::ostream& os, const Event& event) const
{
    const bool isValue = event.kind == Kind::Value;
    os << R"({"ph":")"
       << "BEiC"[static_cast<int>(event.kind)] << R"(","ts":)";
    WriteTime(os, event.at);
    os << R"(,"pid":)"
       << GetPid(isValue ? m_counters[event.owner].process : m_tracks[event.owner].process);
    if (isValue)
    {
        os << ',' << m_counters[event.owner].name << event.value << "}}";
        return;
    }
    os << R"(,"tid":)" << GetTid(event.owner);
    if (event.kind == Kind::Instant)
    {
        os << R"(,"s":"t")";
    }
    if (event.kind != Kind::End)
    {
        os << ',' << m_labels[event.label];
    }
    os << '}';
}

void
ChromeTrace::Write(std::ostream& os) const
{
    os << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
    WriteNames(os);
    for (const Event& event : m_events)
    {
        os << ",\n"; // there is no event without a process
        WriteEvent(os, event);
    }
    os << "\n]}\n";
}

} // namespace ns3::rails
