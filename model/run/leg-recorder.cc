// SPDX-License-Identifier: GPL-2.0-only
#include "leg-recorder.h"

#include "message-ports.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::rails
{

namespace
{

TimePs
GetCarryingTime(uint64_t bytes, uint64_t rateBps)
{
    return bytes == 0 || rateBps == 0 ? 0 : LongSerialisationTime(bytes, rateBps);
}

} // namespace

void
LegTimes::Add(const LegTimes& other)
{
    messages += other.messages;
    for (std::size_t i = 0; i < times.size(); ++i)
    {
        times[i] += other.times[i];
    }
    plan.Raise(other.plan);
    routes.Raise(other.routes);
}

bool
LegRecorder::Note::Absorb(const LegNote& before)
{
    const auto& other = static_cast<const Note&>(before);
    if (open || other.open)
    {
        return false;
    }
    known.Add(other.known);
    return true;
}

LegRecorder::LegRecorder(const Wiring& wiring, ClusterSpeeds speeds, std::size_t cables)
    : m_wiring(wiring),
      m_speeds(std::move(speeds)),
      m_shape(wiring.GetShape()),
      m_interior(*m_speeds.interior),
      m_bound(m_shape, m_speeds),
      m_rates(cables)
{
}

void
LegRecorder::TakeFirstRates()
{
    for (uint32_t cable = 0; cable < m_rates.size(); ++cable)
    {
        m_rates[cable].push_back({NowPs(), GetRate(cable)});
    }
}

const Wiring&
LegRecorder::GetWiring() const
{
    return m_wiring;
}

const FrameFormat&
LegRecorder::GetFrames() const
{
    return m_speeds.frames;
}

StepLoads&
LegRecorder::GetLoads(uint32_t step)
{
    return m_steps[step].loads;
}

// What is moved.

void
LegRecorder::OnPlanned(uint32_t number, uint32_t gpu, const Demand& demand)
{
    using Place = StepLoads::Place;
    CloseDue();
    Step& step = m_steps[number];
    StepLoads& loads = step.loads;
    const auto bytes = static_cast<double>(demand.bytes);
    const uint32_t from = m_shape.GetServer(gpu);
    const uint32_t to = m_shape.GetServer(demand.destination);
    step.toCome += demand.bytes;
    step.toKnow += demand.bytes;
    loads.Add(Place::GpuOut, gpu, bytes);
    loads.Add(Place::GpuIn, demand.destination, bytes);
    m_bound.GetCuts().VisitGroups(gpu, demand.destination, [&](std::size_t group, bool leaves) {
        loads.Add(leaves ? Place::GroupOut : Place::GroupIn, static_cast<uint32_t>(group), bytes);
    });
    if (from == to)
    {
        loads.Add(Place::Inside, gpu, bytes);
        loads.Add(Place::Inside, demand.destination, bytes);
        VisitLinks(m_interior,
                   from,
                   m_shape.GetLocal(gpu),
                   m_shape.GetLocal(demand.destination),
                   [&](uint32_t link) { loads.Add(Place::OwnLink, link, bytes); });
        return;
    }
    const auto wire = static_cast<double>(m_speeds.frames.GetMessageWire(demand.bytes));
    loads.Add(Place::ServerOut, from, wire);
    loads.Add(Place::ServerIn, to, wire);
}

void
LegRecorder::OnDelivered(const Message& message)
{
    using Place = StepLoads::Place;
    CloseDue();
    Step& step = m_steps[message.step];
    StepLoads& loads = step.loads;
    const bool isInside = message.txRail == kNoRail;
    const auto add = [&](Place place, uint32_t number, uint64_t bytes) {
        loads.Add(place, number, static_cast<double>(bytes), message.start, message.end);
    };
    // Their bytes are known from the plan.
    add(Place::GpuOut, message.source, 0);
    add(Place::GpuIn, message.destination, 0);
    m_bound.GetCuts().VisitGroups(
        message.source,
        message.destination,
        [&](std::size_t group, bool leaves) {
            add(leaves ? Place::GroupOut : Place::GroupIn, static_cast<uint32_t>(group), 0);
        });
    if (isInside)
    {
        add(Place::Inside, message.source, 0);
        add(Place::Inside, message.destination, 0);
    }
    else
    {
        add(Place::ServerOut, m_shape.GetServer(message.source), 0);
        add(Place::ServerIn, m_shape.GetServer(message.destination), 0);
        AddToCables(message, loads);
    }
    VisitPorts(message,
               m_shape,
               m_interior,
               m_speeds.frames,
               [&](MessagePort port, uint32_t number, uint64_t bytes) {
                   add(StepLoads::GetPlace(port), number, bytes);
                   if (isInside)
                   {
                       add(Place::OwnLink, number, 0);
                   }
               });
    step.toCome -= std::min(step.toCome, message.bytes);
    m_due = message.step;
}

void
LegRecorder::OnAcknowledged(const Message& message)
{
    CloseDue();
    const auto found = m_steps.find(message.step);
    if (found != m_steps.end())
    {
        found->second.toKnow -= std::min(found->second.toKnow, message.bytes);
        m_due = message.step;
        CloseDue();
    }
    if (message.isDeliveryKnown)
    {
        Forget(message);
    }
}

/// Closes the step of the message that was delivered last, of which a note may have been made
/// meanwhile, if it is over.
void
LegRecorder::CloseDue()
{
    const auto found = m_due ? m_steps.find(*m_due) : m_steps.end();
    m_due.reset();
    if (found != m_steps.end() && found->second.toCome == 0 && found->second.toKnow == 0)
    {
        Close(found->second);
        m_steps.erase(found);
    }
}

void
LegRecorder::Finish()
{
    for (const auto& [number, step] : m_steps)
    {
        Close(step);
    }
    m_steps.clear();
}

// Legs.

std::shared_ptr<LegRecorder::Note>
LegRecorder::Open(const Message& message, TimePs from, TimePs to, bool isReply)
{
    auto leg = std::make_unique<OpenLeg>();
    leg->from = from;
    leg->to = to;
    leg->isReply = isReply;
    leg->source = message.source;
    leg->destination = message.destination;
    leg->txRail = message.txRail;
    leg->rxRail = message.rxRail;
    if (message.txRail != kNoRail)
    {
        leg->cables = FindCables(message);
    }
    const auto note = std::make_shared<Note>();
    note->open = std::move(leg);
    m_steps[message.step].notes.push_back(note);
    return note;
}

std::shared_ptr<LegNote>
LegRecorder::MakeNote(const Message& message, TimePs posted)
{
    return Open(message, posted, message.end, false);
}

std::shared_ptr<LegNote>
LegRecorder::MakeReplyNote(const Message& message, TimePs posted)
{
    return Open(message, posted, message.acknowledged, true);
}

std::shared_ptr<LegNote>
LegRecorder::MakeGivenNote(TimePs time)
{
    const auto note = std::make_shared<Note>();
    note->known.times.fill(time);
    return note;
}

const LegTimes&
LegRecorder::GetTimes(const GraphLeg& leg)
{
    return static_cast<const Note&>(*leg.note).known;
}

/// All that there will be of a step is known.
void
LegRecorder::Close(const Step& step) const
{
    for (const std::weak_ptr<Note>& one : step.notes)
    {
        if (const std::shared_ptr<Note> note = one.lock())
        {
            note->known = Measure(*note->open, step.loads);
            note->open.reset();
        }
    }
}

LegTimes
LegRecorder::Measure(const OpenLeg& leg, const StepLoads& loads) const
{
    LegTimes measured;
    measured.messages = 1;
    auto& times = measured.times;
    times.fill(leg.to - leg.from);
    times[0] = std::min(times[0], GetIdeal(leg, loads));
    measured.plan = GetPlan(leg, loads);
    times[1] = std::clamp(measured.plan.time, times[0], times.back());
    measured.plan.time = times[1] - times[0];
    AddCables(leg, loads, measured);
    return measured;
}

/// \return the least time for what both ends have moved in the time of a leg, whatever the plan
TimePs
LegRecorder::GetIdeal(const OpenLeg& leg, const StepLoads& loads) const
{
    using Place = StepLoads::Place;
    const uint32_t from = m_shape.GetServer(leg.source);
    const uint32_t to = m_shape.GetServer(leg.destination);
    const auto count = [&](Place place, uint32_t number) {
        return loads.Get(place, number).CountBetween(leg.from, leg.to);
    };
    TransferBound::Volumes volumes;
    volumes.sent = count(Place::GpuOut, leg.source);
    volumes.got = count(Place::GpuIn, leg.destination);
    volumes.sentWire = count(Place::ServerOut, from);
    volumes.gotWire = count(Place::ServerIn, to);
    volumes.hasInside = loads.Get(Place::Inside, leg.source).bytes > 0 ||
                        loads.Get(Place::Inside, leg.destination).bytes > 0;
    TimePs ideal = m_bound.GetTime(leg.source, leg.destination, volumes);
    m_bound.GetCuts().VisitGroups(leg.source, leg.destination, [&](std::size_t group, bool leaves) {
        const uint64_t bytes =
            count(leaves ? Place::GroupOut : Place::GroupIn, static_cast<uint32_t>(group));
        ideal = std::max(ideal, m_bound.GetGroupTime(group, leaves, bytes, true));
    });
    if (from == to)
    {
        VisitLinks(m_interior,
                   from,
                   m_shape.GetLocal(leg.source),
                   m_shape.GetLocal(leg.destination),
                   [&](uint32_t link) {
                       const uint64_t bytes = count(Place::OwnLink, link);
                       ideal = std::max(ideal,
                                        GetCarryingTime(bytes, GetLinkRate(link)) +
                                            m_bound.GetCrossingTime());
                   });
    }
    return ideal + (leg.isReply && from != to ? m_bound.GetReplyTime() : 0);
}

/// \return the longest time of all ports that a message has crossed at its ends
LegTimes::Costly
LegRecorder::GetPlan(const OpenLeg& leg, const StepLoads& loads) const
{
    LegTimes::Costly largest;
    Message message;
    message.source = leg.source;
    message.destination = leg.destination;
    message.txRail = leg.txRail;
    message.rxRail = leg.rxRail;
    VisitPorts(message,
               m_shape,
               m_interior,
               m_speeds.frames,
               [&](MessagePort port, uint32_t number, uint64_t) {
                   const StepLoads::Place place = StepLoads::GetPlace(port);
                   const uint64_t bytes = loads.Get(place, number).CountBetween(leg.from, leg.to);
                   const uint64_t rate = port == MessagePort::Link
                                             ? GetLinkRate(number)
                                             : GetNicRate(m_speeds, m_shape, number);
                   largest.Raise({GetCarryingTime(bytes, rate), place, number});
               });
    return largest;
}

/// Sets the times of routes, repeats and outages: the largest of all cables that a message took.
void
LegRecorder::AddCables(const OpenLeg& leg, const StepLoads& loads, LegTimes& measured) const
{
    using Place = StepLoads::Place;
    TimePs carried = 0;
    TimePs carriedAndLost = 0;
    LegTimes::Costly& routes = measured.routes;
    for (const uint32_t cable : leg.cables)
    {
        const uint64_t rate = GetBestRate(cable);
        const StepLoads::Load& load = loads.Get(Place::Cable, cable);
        const uint64_t first = load.CountBetween(leg.from, leg.to);
        const uint64_t again = loads.Get(Place::CableRepeat, cable).CountBetween(leg.from, leg.to);
        const TimePs all = GetCarryingTime(first + again, rate);
        const TimePs until = std::min(leg.to, load.last);
        routes.Raise({GetCarryingTime(first, rate), Place::Cable, cable});
        carried = std::max(carried, all);
        carriedAndLost = std::max(carriedAndLost, all + GetLost(cable, leg.from, until));
    }
    auto& times = measured.times;
    const TimePs length = times.back();
    times[2] = std::clamp(routes.time, times[1], length);
    times[3] = std::clamp(carried, times[2], length);
    times[4] = std::clamp(carriedAndLost, times[3], length);
    routes.time = times[2] - times[1];
}

// Ports.

uint64_t
LegRecorder::GetLinkRate(uint32_t link) const
{
    const auto& links = m_interior.GetLinks();
    return links[link % links.size()].rateBps;
}

std::string
LegRecorder::GetName(const LegTimes::Costly& port) const
{
    const auto links = static_cast<uint32_t>(m_interior.GetLinks().size());
    switch (port.place)
    {
    case StepLoads::Place::NicOut:
        return m_wiring.GetNicName(port.number) + " (sending)";
    case StepLoads::Place::NicIn:
        return m_wiring.GetNicName(port.number) + " (receiving)";
    case StepLoads::Place::Link:
        return "the " + m_interior.GetLinkName(port.number % links, port.number / links);
    default:
        return GetCableName(port.number);
    }
}

void
LegRecorder::NoteCables()
{
    for (uint32_t cable = 0; cable < m_rates.size(); ++cable)
    {
        const uint64_t rate = GetRate(cable);
        if (rate != m_rates[cable].back().rateBps)
        {
            m_rates[cable].push_back({NowPs(), rate});
        }
    }
}

/// \return the best rate that a cable has had up to now
uint64_t
LegRecorder::GetBestRate(uint32_t cable) const
{
    uint64_t best = 0;
    for (const Change& change : m_rates[cable])
    {
        best = std::max(best, change.rateBps);
    }
    return best;
}

/// \return the time that a cable could not use between two times, being down or slower than at its
/// best
TimePs
LegRecorder::GetLost(uint32_t cable, TimePs from, TimePs to) const
{
    const std::vector<Change>& changes = m_rates[cable];
    const auto best = static_cast<double>(GetBestRate(cable));
    double lost = 0;
    for (std::size_t i = 0; best > 0 && changes.size() > 1 && i < changes.size(); ++i)
    {
        const TimePs begin = std::max(from, changes[i].at);
        const TimePs end = i + 1 < changes.size() ? std::min(to, changes[i + 1].at) : to;
        const double part = 1 - static_cast<double>(changes[i].rateBps) / best;
        lost += static_cast<double>(std::max<TimePs>(0, end - begin)) * part;
    }
    return static_cast<TimePs>(std::floor(lost));
}

} // namespace ns3::rails
