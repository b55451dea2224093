// SPDX-License-Identifier: GPL-2.0-only
#include "scheduled-failure.h"

#include "ns3/component-documentation.h"
#include "ns3/enum.h"
#include "ns3/optional-accessor.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::rails
{

namespace
{

constexpr uint64_t kMostFlaps = 100'000;
const char* const kStaysDown =
    "a GPU or server that fails ends the run, so it takes at and state: down alone";
const char* const kCable = "'cable' picks one of parallel cables, with link: [END, END] only";
constexpr TimePs kLatest = kNever / 4; // all of it must fit the simulator's time

} // namespace

NS_OBJECT_ENSURE_REGISTERED(ScheduledFailure);

TypeId
ScheduledFailure::GetTypeId()
{
    // EnumValue is a template in newer releases of ns-3 only.
    using StateValue = decltype(EnumValue(STATE_DOWN));

    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::ScheduledFailure").SetParent<Object>(),
                         "What fails, comes back or slows down at a given time, or comes and goes.")
            .SetGroupName("Rails")
            .AddConstructor<ScheduledFailure>()
            .AddAttribute("From",
                          "When it goes down for the first time, if it comes and goes.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<TimeValue>(&ScheduledFailure::m_from),
                          MakeTimeRange())
            .AddAttribute("Every",
                          "From one failure to the next.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<TimeValue>(&ScheduledFailure::m_every),
                          MakeTimeRange(1))
            .AddAttribute("DownFor",
                          "How long each failure lasts; shorter than 'every'.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<TimeValue>(&ScheduledFailure::m_downFor),
                          MakeTimeRange(1))
            .AddAttribute("Times",
                          "How often it fails.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<UintegerValue>(&ScheduledFailure::m_times),
                          MakeCountRange<uint64_t>(1, kMostFlaps))
            .AddAttribute("At",
                          "When it happens.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<TimeValue>(&ScheduledFailure::m_at),
                          MakeTimeRange())
            .AddAttribute("Link",
                          "Its two ends, such as [leaf0, spine1]: all cables between them; or a "
                          "NIC, [server0-nic1]: its cable. One of link, switch, nic, gpu and "
                          "server is required.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<NameListValue>(&ScheduledFailure::m_link),
                          MakeNameListChecker(1, 2))
            .AddAttribute("Switch",
                          "Name of a switch: all its cables.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<StringValue>(&ScheduledFailure::m_switch),
                          MakeStringChecker())
            .AddAttribute("Nic",
                          "Name of a NIC, such as server0-nic1: its cable.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<StringValue>(&ScheduledFailure::m_nic),
                          MakeStringChecker())
            .AddAttribute("Gpu",
                          "Number of a GPU of the cluster, from 0: the run ends in that instant "
                          "with status 3 and says what is lost.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<UintegerValue>(&ScheduledFailure::m_gpu),
                          MakeCountRange<uint32_t>())
            .AddAttribute("Server",
                          "Number of a server, from 0: all its GPUs, likewise.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<UintegerValue>(&ScheduledFailure::m_server),
                          MakeCountRange<uint32_t>())
            .AddAttribute("Cable",
                          "Which of parallel cables between the two ends of 'link', from 0; all "
                          "of them without it.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<UintegerValue>(&ScheduledFailure::m_cable),
                          MakeCountRange<uint16_t>())
            .AddAttribute("State",
                          "What it is from then on. Either this or 'rate'.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<StateValue>(&ScheduledFailure::m_state),
                          MakeEnumChecker(STATE_DOWN, "down", STATE_UP, "up"))
            .AddAttribute("Rate",
                          "Rate of its cables from then on; of one that carries nothing the state "
                          "is down.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<DataRateValue>(&ScheduledFailure::m_rate),
                          MakeRateRange(1));
    return tid;
}

std::vector<KeyRule>
ScheduledFailure::GetKeyRules() const
{
    using Demand = KeyRule::Demand;
    const std::vector<std::string> flap{"from", "every", "down_for", "times"};
    const std::string needed = "a failure of this kind needs '%'";
    return {{Demand::OneOf,
             {"link", "switch", "nic", "gpu", "server"},
             "nothing is named that fails; add link: [END, END], switch: NAME, nic: NAME, "
             "gpu: NUMBER or server: NUMBER",
             "a failure has one of link, switch, nic, gpu and server, this one has two"},
            {Demand::None,
             {"rate", "from", "every", "down_for", "times"},
             kStaysDown,
             "",
             {"gpu", "server"}},
            {Demand::None, {"cable"}, kCable, "", {}, {"link"}},
            {Demand::None,
             {"at", "state", "rate"},
             "'%' does not go with from, every, down_for and times",
             "",
             flap},
            {Demand::All, flap, needed, "", flap},
            {Demand::All, {"at"}, needed, "", {}, flap},
            {Demand::All,
             {"state"},
             "the failure of a GPU or a server needs 'state: down'",
             "",
             {"gpu", "server"}},
            {Demand::OneOf,
             {"state", "rate"},
             "a failure needs one of state: down, state: up and rate: RATE",
             "a failure needs one of state: down, state: up and rate: RATE",
             {},
             {"from", "every", "down_for", "times", "gpu", "server"}}};
}

void
ScheduledFailure::CheckValues() const
{
    if (m_cable && m_link->Get().size() != 2)
    {
        throw ConfigurationError("cable", kCable);
    }
    if ((m_gpu || m_server) && m_state == STATE_UP)
    {
        throw ConfigurationError("state", kStaysDown);
    }
    const FailureEntry entry = Get();
    if (entry.at > kLatest)
    {
        throw ConfigurationError(m_at ? "at" : "from", "this is too late");
    }
    if (entry.change != FailureEntry::Change::Flap)
    {
        return;
    }
    if (entry.downFor >= entry.every)
    {
        throw ConfigurationError("down_for",
                                 "down_for must be shorter than every, or nothing ever comes back");
    }
    if (entry.every > (kLatest - entry.at) / static_cast<TimePs>(entry.times))
    {
        throw ConfigurationError("times", "this lasts too long");
    }
}

FailureEntry
ScheduledFailure::Get() const
{
    FailureEntry entry;
    if (m_link)
    {
        entry.names = m_link->Get();
    }
    else if (m_gpu || m_server)
    {
        entry.target = m_gpu ? FailureEntry::Target::Gpu : FailureEntry::Target::Server;
        entry.number = m_gpu ? *m_gpu : *m_server;
    }
    else
    {
        entry.target = m_switch ? FailureEntry::Target::Switch : FailureEntry::Target::Nic;
        entry.names = {m_switch ? *m_switch : *m_nic};
    }
    entry.cable = m_cable;
    if (m_from)
    {
        entry.change = FailureEntry::Change::Flap;
        entry.at = m_from->GetPicoSeconds();
        entry.every = m_every->GetPicoSeconds();
        entry.downFor = m_downFor->GetPicoSeconds();
        entry.times = *m_times;
        return entry;
    }
    entry.at = m_at->GetPicoSeconds();
    if (m_rate)
    {
        entry.change = FailureEntry::Change::Rate;
        entry.rateBps = m_rate->GetBitRate();
    }
    else
    {
        entry.change =
            m_state == STATE_DOWN ? FailureEntry::Change::Down : FailureEntry::Change::Up;
    }
    return entry;
}

} // namespace ns3::rails
