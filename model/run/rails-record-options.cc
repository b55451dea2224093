// SPDX-License-Identifier: GPL-2.0-only
#include "rails-record-options.h"

#include "ns3/automatic-switch.h"
#include "ns3/boolean.h"
#include "ns3/component-documentation.h"
#include "ns3/range-checker.h"

#include <cstddef>
#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(RecordOptions);

namespace
{

/// \return a number with commas: "2,400,000"
std::string
FormatThousands(uint64_t number)
{
    std::string text = std::to_string(number);
    for (auto end = static_cast<std::ptrdiff_t>(text.size()) - 3; end > 0; end -= 3)
    {
        text.insert(static_cast<std::size_t>(end), ",");
    }
    return text;
}

} // namespace

TypeId
RecordOptions::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::RecordOptions").SetParent<Object>(),
                         "What a run writes down besides its summary.")
            .SetGroupName("Rails")
            .AddConstructor<RecordOptions>()
            .AddAttribute("Queues",
                          "Whether the time that queues spend at each length is recorded "
                          "(queues.csv). automatic: when the engine has queues.",
                          AutomaticSwitchValue(AutomaticSwitch()),
                          MakeAutomaticSwitchAccessor(&RecordOptions::m_queues),
                          MakeAutomaticSwitchChecker())
            .AddAttribute("QueueMeans",
                          "Whether the mean length of every queue is recorded, from the start "
                          "until no NIC has anything new to send (queue_mean_bytes in links.csv).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RecordOptions::m_queueMeans),
                          MakeBooleanChecker())
            .AddAttribute("Messages",
                          "Whether every message is written down (messages.csv). automatic: unless "
                          "there are more than 1000000.",
                          AutomaticSwitchValue(AutomaticSwitch()),
                          MakeAutomaticSwitchAccessor(&RecordOptions::m_messages),
                          MakeAutomaticSwitchChecker())
            .AddAttribute("Links",
                          "Whether the counters of every port are written down (links.csv).",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RecordOptions::m_links),
                          MakeBooleanChecker())
            .AddAttribute("Circuits",
                          "Whether it is written down which circuits there are when, and what they "
                          "carry (circuits.csv). automatic: where there are optical switches, "
                          "unless that takes more than 100000 lines.",
                          AutomaticSwitchValue(AutomaticSwitch()),
                          MakeAutomaticSwitchAccessor(&RecordOptions::m_circuits),
                          MakeAutomaticSwitchChecker())
            .AddAttribute("Placement",
                          "Whether it is written down which GPUs of a training have which experts, "
                          "and how many tokens they compute there (placement.csv).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RecordOptions::m_placement),
                          MakeBooleanChecker())
            .AddAttribute("Explain",
                          "Whether it is recorded what every port did and waited for, which says "
                          "why the run took longer than its bound (explain in result.json).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RecordOptions::m_explain),
                          MakeBooleanChecker())
            .AddAttribute("Punctual",
                          "Whether every node does everything at its very time instead of a little "
                          "behind the simulator's: slower, with the same results; for tests, and "
                          "for trace sinks that read the simulator's time.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RecordOptions::m_punctual),
                          MakeBooleanChecker())
            .AddAttribute("Pcap",
                          "Whether the frames of every NIC are captured (a pcap file each).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RecordOptions::m_pcap),
                          MakeBooleanChecker())
            .AddAttribute("Timeline",
                          "Whether the messages, pauses and queues of the run are written down "
                          "over time, for Perfetto or chrome://tracing (timeline.json).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RecordOptions::m_timeline),
                          MakeBooleanChecker())
            .AddAttribute("TimelineResolution",
                          "Time of which only the longest length of a queue is shown in the "
                          "timeline; 0s: every change. automatic: by queue, the shortest that "
                          "makes do with 1024 values.",
                          TimeValue(Time::Max()),
                          MakeTimeAccessor(&RecordOptions::m_timelineResolution),
                          MakeTimeRange(0, kNever, {"automatic"}));
    return tid;
}

std::string
RecordOptions::ExplainMissingMessages(uint64_t messages) const
{
    const bool isDropped = m_messages.IsAutomatic() && !WantsMessages(messages);
    return isDropped ? "messages.csv is not written: " + FormatThousands(messages) +
                           " messages; set record.messages to true"
                     : "";
}

} // namespace ns3::rails
