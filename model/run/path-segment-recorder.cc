// SPDX-License-Identifier: GPL-2.0-only
#include "path-segment-recorder.h"

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
SegmentTimes::Add(const SegmentTimes& other)
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
PathSegmentRecorder::Note::Absorb(const SegmentNote& before)
{
    const auto& other = static_cast<const Note&>(before);
    if (open || other.open)
    {
        return false;
    }
    known.Add(other.known);
    return true;
}

PathSegmentRecorder::PathSegmentRecorder(const Wiring& wiring,
                                         ClusterSpeeds speeds,
                                         std::size_t cables)
    : m_wiring(wiring),
      m_speeds(std::move(speeds)),
      m_shape(wiring.GetShape()),
      m_interior(*m_speeds.interior),
      m_bound(m_shape, m_speeds),
      m_rates(cables)
{
}

void
PathSegmentRecorder::TakeFirstRates()
{
    for (uint32_t cable = 0; cable < m_rates.size(); ++cable)
    {
        m_rates[cable].push_back({NowPs(), GetRate(cable)});
    }
}

const FrameFormat&
PathSegmentRecorder::GetFrames() const
{
    return m_speeds.frames;
}

StepLoads&
PathSegmentRecorder::GetLoads(uint32_t step)
{
    return m_steps[step].loads;
}

// Messages.

void
PathSegmentRecorder::OnPlanned(uint32_t number, uint32_t gpu, const Demand& demand)
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
PathSegmentRecorder::OnDelivered(const Message& message)
{
    using Place = StepLoads::Place;
    CloseDue();
    Step& step = m_steps[message.step];
    StepLoads& loads = step.loads;
    const bool isInside = message.txRail == kNoRail;
    const auto add = [&](Place place, uint32_t number, uint64_t bytes) {
        loads.Add(place, number, static_cast<double>(bytes), message.start, message.end);
    };
    // OnPlanned() has added the bytes of these places.
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
PathSegmentRecorder::OnAcknowledged(const Message& message)
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

/// Closes the step of the message that was delivered last, if it is over. Deferred, since a note of
/// that message may be made after its delivery.
void
PathSegmentRecorder::CloseDue()
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
PathSegmentRecorder::Finish()
{
    for (const auto& [number, step] : m_steps)
    {
        Close(step);
    }
    m_steps.clear();
}

// Segments.

std::shared_ptr<PathSegmentRecorder::Note>
PathSegmentRecorder::Open(const Message& message, TimePs from, TimePs to, bool isReply)
{
    auto segment = std::make_unique<OpenSegment>();
    segment->from = from;
    segment->to = to;
    segment->isReply = isReply;
    segment->source = message.source;
    segment->destination = message.destination;
    segment->txRail = message.txRail;
    segment->rxRail = message.rxRail;
    if (message.txRail != kNoRail)
    {
        segment->cables = FindCables(message);
    }
    const auto note = std::make_shared<Note>();
    note->open = std::move(segment);
    m_steps[message.step].notes.push_back(note);
    return note;
}

std::shared_ptr<SegmentNote>
PathSegmentRecorder::MakeNote(const Message& message, TimePs posted)
{
    return Open(message, posted, message.end, false);
}

std::shared_ptr<SegmentNote>
PathSegmentRecorder::MakeReplyNote(const Message& message, TimePs posted)
{
    return Open(message, posted, message.acknowledged, true);
}

std::shared_ptr<SegmentNote>
PathSegmentRecorder::MakeGivenNote(TimePs time)
{
    const auto note = std::make_shared<Note>();
    note->known.times.fill(time);
    return note;
}

const SegmentTimes&
PathSegmentRecorder::GetTimes(const PathSegment& segment)
{
    return static_cast<const Note&>(*segment.note).known;
}

/// Measures the segments of a step whose loads are complete.
void
PathSegmentRecorder::Close(const Step& step) const
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

SegmentTimes
PathSegmentRecorder::Measure(const OpenSegment& segment, const StepLoads& loads) const
{
    SegmentTimes measured;
    measured.messages = 1;
    auto& times = measured.times;
    times.fill(segment.to - segment.from);
    times[0] = std::min(times[0], GetIdeal(segment, loads));
    measured.plan = GetPlan(segment, loads);
    times[1] = std::clamp(measured.plan.time, times[0], times.back());
    measured.plan.time = times[1] - times[0];
    AddCables(segment, loads, measured);
    return measured;
}

/// \return lower bound, for any plan, of the time for the bytes of both ends during a segment
TimePs
PathSegmentRecorder::GetIdeal(const OpenSegment& segment, const StepLoads& loads) const
{
    using Place = StepLoads::Place;
    const uint32_t from = m_shape.GetServer(segment.source);
    const uint32_t to = m_shape.GetServer(segment.destination);
    const auto count = [&](Place place, uint32_t number) {
        return loads.Get(place, number).CountBetween(segment.from, segment.to);
    };
    TransferBound::Volumes volumes;
    volumes.sent = count(Place::GpuOut, segment.source);
    volumes.got = count(Place::GpuIn, segment.destination);
    volumes.sentWire = count(Place::ServerOut, from);
    volumes.gotWire = count(Place::ServerIn, to);
    volumes.hasInside = loads.Get(Place::Inside, segment.source).bytes > 0 ||
                        loads.Get(Place::Inside, segment.destination).bytes > 0;
    TimePs ideal = m_bound.GetTime(segment.source, segment.destination, volumes);
    m_bound.GetCuts().VisitGroups(
        segment.source,
        segment.destination,
        [&](std::size_t group, bool leaves) {
            const uint64_t bytes =
                count(leaves ? Place::GroupOut : Place::GroupIn, static_cast<uint32_t>(group));
            ideal = std::max(ideal, m_bound.GetGroupTime(group, leaves, bytes, true));
        });
    if (from == to)
    {
        VisitLinks(m_interior,
                   from,
                   m_shape.GetLocal(segment.source),
                   m_shape.GetLocal(segment.destination),
                   [&](uint32_t link) {
                       const uint64_t bytes = count(Place::OwnLink, link);
                       ideal = std::max(ideal,
                                        GetCarryingTime(bytes, GetLinkRate(link)) +
                                            m_bound.GetCrossingTime());
                   });
    }
    return ideal + (segment.isReply && from != to ? m_bound.GetReplyTime() : 0);
}

/// \return the largest wire time of all ports that a message crossed at its ends
SegmentTimes::Costly
PathSegmentRecorder::GetPlan(const OpenSegment& segment, const StepLoads& loads) const
{
    SegmentTimes::Costly largest;
    Message message;
    message.source = segment.source;
    message.destination = segment.destination;
    message.txRail = segment.txRail;
    message.rxRail = segment.rxRail;
    VisitPorts(message,
               m_shape,
               m_interior,
               m_speeds.frames,
               [&](MessagePort port, uint32_t number, uint64_t) {
                   const StepLoads::Place place = StepLoads::GetPlace(port);
                   const uint64_t bytes =
                       loads.Get(place, number).CountBetween(segment.from, segment.to);
                   const uint64_t rate = port == MessagePort::Link
                                             ? GetLinkRate(number)
                                             : GetNicRate(m_speeds, m_shape, number);
                   largest.Raise({GetCarryingTime(bytes, rate), place, number});
               });
    return largest;
}

/// Sets the times of routes, repeats and outages: the largest of all links of a message.
void
PathSegmentRecorder::AddCables(const OpenSegment& segment,
                               const StepLoads& loads,
                               SegmentTimes& measured) const
{
    using Place = StepLoads::Place;
    TimePs carried = 0;
    TimePs carriedAndLost = 0;
    SegmentTimes::Costly& routes = measured.routes;
    for (const uint32_t cable : segment.cables)
    {
        const uint64_t rate = GetBestRate(cable);
        const StepLoads::Load& load = loads.Get(Place::Cable, cable);
        const uint64_t first = load.CountBetween(segment.from, segment.to);
        const uint64_t again =
            loads.Get(Place::CableRepeat, cable).CountBetween(segment.from, segment.to);
        const TimePs all = GetCarryingTime(first + again, rate);
        const TimePs until = std::min(segment.to, load.last);
        routes.Raise({GetCarryingTime(first, rate), Place::Cable, cable});
        carried = std::max(carried, all);
        carriedAndLost = std::max(carriedAndLost, all + GetLost(cable, segment.from, until));
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
PathSegmentRecorder::GetLinkRate(uint32_t link) const
{
    const auto& links = m_interior.GetLinks();
    return links[link % links.size()].rateBps;
}

std::string
PathSegmentRecorder::GetName(const SegmentTimes::Costly& port) const
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
PathSegmentRecorder::NoteCables()
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

/// \return the best rate of a link up to now
uint64_t
PathSegmentRecorder::GetBestRate(uint32_t cable) const
{
    uint64_t best = 0;
    for (const Change& change : m_rates[cable])
    {
        best = std::max(best, change.rateBps);
    }
    return best;
}

/// \return the time that a link lost between two times, being down or slower than at its best
TimePs
PathSegmentRecorder::GetLost(uint32_t cable, TimePs from, TimePs to) const
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
