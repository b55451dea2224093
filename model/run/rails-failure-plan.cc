// SPDX-License-Identifier: GPL-2.0-only
#include "rails-failure-plan.h"

#include "ns3/component-documentation.h"
#include "ns3/component-list.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/pointer.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"
#include "ns3/word-accessor.h"

#include <utility>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(RandomFailures);
NS_OBJECT_ENSURE_REGISTERED(FailurePlan);

TypeId
RandomFailures::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::RandomFailures").SetParent<Object>(),
                         "What fails at the start, each cable, switch and server for itself, drawn "
                         "from the seed; drawn again, all of them, until every two servers with "
                         "traffic have a path. (arXiv 2507.21372, section on failures; the "
                         "second draw is our choice)")
            .SetGroupName("Rails")
            .AddConstructor<RandomFailures>()
            .AddAttribute("Probability",
                          "That a cable of the class fails; both directions together. "
                          "(0 to 0.02 in arXiv 2507.21372)",
                          DoubleValue(0),
                          MakeDoubleAccessor(&RandomFailures::m_probability),
                          MakeNumberRange(0, 1))
            .AddAttribute("PortClass",
                          "Only cables whose lower port is of this class (port_class of "
                          "links.csv: leaf_up, ...) can fail; all when empty.",
                          StringValue(""),
                          MakeStringAccessor(&RandomFailures::m_portClass),
                          MakeStringChecker())
            .AddAttribute(
                "Class",
                "Which cables can fail: fabric, those between switches; nic, those of "
                "NICs; all, both.",
                EnumValue(CABLES_FABRIC),
                MakeWordAccessor(&RandomFailures::m_cables),
                MakeEnumChecker(CABLES_FABRIC, "fabric", CABLES_NIC, "nic", CABLES_ALL, "all"))
            .AddAttribute("Switches",
                          "That a switch fails: all its cables.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&RandomFailures::m_switches),
                          MakeNumberRange(0, 1))
            .AddAttribute("Servers",
                          "That a server fails: the cables of all its NICs. Of those with traffic "
                          "none does, since a draw is taken again that leaves some without a path.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&RandomFailures::m_servers),
                          MakeNumberRange(0, 1));
    return tid;
}

FailureDraw
RandomFailures::Get() const
{
    return {m_probability, m_cables, m_portClass, m_switches, m_servers};
}

TypeId
FailurePlan::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::FailurePlan").SetParent<Object>(),
                         "What fails and comes back, and when the routing has heard of it.")
            .SetGroupName("Rails")
            .AddConstructor<FailurePlan>()
            .AddAttribute("Convergence",
                          "Time from a change to the instant in which all next hops and weights "
                          "are those of what is left; at 0s in the instant of the change. (G of "
                          "arXiv 2507.21372, where it is an axis; the default is our choice)",
                          TimeValue(MicroSeconds(kUsualConvergenceUs)),
                          MakeTimeAccessor(&FailurePlan::m_convergence),
                          MakeTimeRange(0, kNever, {"never"}))
            .AddAttribute("Queued",
                          "Frames that wait at a port whose link is down: dropped, the port "
                          "serves its queue and each frame is lost, so that the queue looks "
                          "short; held, they wait until the link is back. (dropped: public "
                          "simulator of arXiv 2507.21372)",
                          EnumValue(QUEUED_DROPPED),
                          MakeWordAccessor(&FailurePlan::m_queued),
                          MakeEnumChecker(QUEUED_DROPPED, "dropped", QUEUED_HELD, "held"))
            .AddAttribute("InFlight",
                          "Frames on the wire, or being sent, when a link goes down.",
                          EnumValue(IN_FLIGHT_DELIVERED),
                          MakeWordAccessor(&FailurePlan::m_inFlight),
                          MakeEnumChecker(IN_FLIGHT_DELIVERED, "delivered", IN_FLIGHT_LOST, "lost"))
            .AddAttribute("Schedule",
                          "List of {at, link: [END, END] | switch | nic, cable, state: down | up, "
                          "or rate}, of {from, every, down_for, times, link | switch | nic, "
                          "cable}, or of {at, gpu | server, state: down}; in any order.",
                          ComponentListValue(),
                          MakeComponentListAccessor(&FailurePlan::m_schedule),
                          MakeComponentListChecker<ScheduledFailure>("failure"))
            .AddAttribute("Random",
                          "Cables, switches and servers that fail at random at the start.",
                          StringValue("ns3::rails::RandomFailures"),
                          MakePointerAccessor(&FailurePlan::m_random),
                          MakePointerChecker<RandomFailures>());
    return tid;
}

bool
FailurePlan::IsEmpty() const
{
    return MakeSchedule().IsEmpty();
}

FailureSchedule
FailurePlan::MakeSchedule() const
{
    std::vector<FailureEntry> entries;
    for (const Ptr<ScheduledFailure>& failure : m_schedule)
    {
        entries.push_back(failure->Get());
    }
    return {std::move(entries),
            m_random->Get(),
            Converges() ? m_convergence.GetPicoSeconds() : kNever,
            {m_inFlight == IN_FLIGHT_LOST, m_queued == QUEUED_HELD}};
}

bool
FailurePlan::Converges() const
{
    return m_convergence != Time::Max();
}

} // namespace ns3::rails
