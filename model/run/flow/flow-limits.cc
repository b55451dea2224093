// SPDX-License-Identifier: GPL-2.0-only
#include "flow-limits.h"

#include "ns3/component-name.h"
#include "ns3/fabric-ports.h"
#include "ns3/flow-clocks.h"
#include "ns3/flow-interior.h"
#include "ns3/nic-profile.h"
#include "ns3/path-selector.h"
#include "ns3/port-selector.h"
#include "ns3/rails-quantity.h"
#include "ns3/rails-transport.h"
#include "ns3/rails-units.h"
#include "ns3/simulator.h"
#include "ns3/switch-profile.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <iomanip>
#include <limits>
#include <optional>
#include <sstream>

namespace ns3::rails
{

namespace
{

/// Part of the payload from which a property counts for the whole run.
constexpr double kMost = 0.5;

/// Largest relative error of a rate that counts as correct.
constexpr double kLittle = 0.01;

/// Least busy part of the busiest link where flows do not hold NICs up.
constexpr double kBusy = 0.95;

/// Bytes of a message from which its single segments hardly matter.
constexpr double kManyBytes = 1e6;

bool
HasOnePath(const FrameSettings& parts)
{
    return parts.FindSpread() == PathSpread::OnePath;
}

bool
HasPcie(const FlowEngine& engine)
{
    return engine.GetWiring().GetInterior()->HasPcie();
}

/// \return true when messages had stages over PCIe, to or from a NIC
bool
HasPcieStages(const FlowEngine& engine)
{
    const std::deque<FlowQueue>& queues = engine.GetQueues();
    return HasPcie(engine) && std::any_of(queues.begin(), queues.end(), [](const FlowQueue& queue) {
               return queue.route.IsStage();
           });
}

/// \return mean bytes of a message between servers; infinite without messages
double
GetMeanMessage(const FlowEngine& engine)
{
    const uint32_t nics = engine.GetWiring().GetShape().GetNics();
    double bytes = 0;
    double messages = 0;
    for (uint32_t nic = 0; nic < nics; ++nic)
    {
        bytes += static_cast<double>(engine.GetNicCounters(nic).txBytes);
        messages += static_cast<double>(engine.GetNicCounters(nic).messages);
    }
    return messages > 0 ? bytes / messages : std::numeric_limits<double>::infinity();
}

/// \return part of its rate at which a NIC can read from the nearest GPU, limited by its
/// outstanding read requests; 1 without PCIe
double
GetReadablePart(const FrameSettings& parts, const FlowEngine& engine)
{
    if (!HasPcie(engine))
    {
        return 1;
    }
    const FlowInterior interior(engine.GetWiring());
    const FlowInterior::Crossing& crossing = interior.GetCrossing(0, interior.GetNicEnd(0));
    // A request does not span messages.
    const double segment =
        std::min(static_cast<double>(interior.GetSegmentBytes()), GetMeanMessage(engine));
    const double trip = static_cast<double>(crossing.latency) + crossing.storing * segment; // ps
    const double rate = parts.nic->GetReads() * segment / trip;
    const double nic = static_cast<double>(engine.GetWiring().GetNicKind(0).rateBps);
    return trip > 0 ? std::min(1.0, rate * kBytePicoseconds / nic) : 1;
}

/// \return true when a GPU sends no faster to others of its server than a NIC does
bool
IsNvlinkSlowest(const FlowEngine& engine)
{
    const ClusterRates rates = engine.GetWiring().GetRates();
    return !HasPcie(engine) && engine.GetWiring().GetShape().gpusPerServer > 1 &&
           rates.gpuBps <= rates.nicBps;
}

/// \return bytes with three significant digits
std::string
FormatAbout(uint64_t bytes)
{
    uint64_t unit = 1;
    while (bytes / unit >= 1000)
    {
        unit *= 10;
    }
    return FormatBytes(bytes / unit * unit);
}

/// \return a note on the error of completion times under a tolerance
std::string
DescribeTolerance(const FlowEngine& engine)
{
    const std::optional<CompletionErrorBound::Shift> shift = engine.GetLargestErrorBound();
    if (!shift)
    {
        return "engine flow: others go on from the ends of single messages, so engine.tolerance "
               "bounds no end: with 0.005 iterations were up to 0.9 % off where it was measured, "
               "mostly below 0.01 %, and some messages by more than their own time";
    }
    const double most = engine.GetTolerance();
    std::ostringstream text;
    text << std::setprecision(2) << "engine flow: engine.tolerance moves the end of a message by "
         << 100 * shift->part << " % of its own time or by " << 1e6 * shift->seconds
         << " us, whichever is more, at most and to first order";
    if (shift->part > (1 + kLittle) * most)
    {
        text << "; that is above engine.tolerance (" << 100 * most
             << " %), as a message followed a much longer one in its queue pair, or a rate fell "
                "behind a window: a smaller one moves them less";
    }
    return text.str();
}

} // namespace

BacklogWatch::BacklogWatch(Ptr<const FlowEngine> engine)
    : m_engine(engine)
{
}

bool
BacklogWatch::IsNeeded(const FrameSettings& parts)
{
    const Ptr<const Transport> transport = parts.transport;
    return HasOnePath(parts) && parts.profile->UsesPfc() && transport->GetWindow().IsSpecial() &&
           MakeTypeName(transport->GetCongestionControl()->GetInstanceTypeId().GetName(),
                        CongestionControl::GetTypeId().GetName()) == "none";
}

void
BacklogWatch::StartPhase()
{
    m_before = m_engine->GetCarried();
    m_start = Simulator::Now().GetPicoSeconds();
}

void
BacklogWatch::EndPhase()
{
    const std::vector<Cable>& cables = m_engine->GetWiring().GetCables();
    const std::vector<FlowNetwork::Carried> carried = m_engine->GetCarried();
    double longest = 0; // s, of a NIC that sends
    double busiest = 0; // s, of any link
    const auto getData = [&](uint32_t direction) {
        return carried[direction].data - m_before[direction].data;
    };
    for (uint32_t direction = 0; direction < carried.size(); ++direction)
    {
        const uint32_t number = GetCableOfDirection(direction);
        const Cable& cable = cables[number];
        if (cable.rateBps > 0)
        {
            const double busy = getData(direction) * 8 / static_cast<double>(cable.rateBps);
            busiest = std::max(busiest, busy);
            const bool isSending = cable.isNic && direction == GetUpDirection(number);
            longest = isSending ? std::max(longest, busy) : longest;
        }
    }
    for (uint32_t direction = 0; direction < carried.size(); ++direction)
    {
        const Cable& cable = cables[GetCableOfDirection(direction)];
        const double left = getData(direction) - longest * static_cast<double>(cable.rateBps) / 8;
        if (!cable.isNic && left > static_cast<double>(m_largest))
        {
            m_largest = static_cast<uint64_t>(left);
        }
    }
    m_busy += busiest;
    m_duration +=
        static_cast<double>(Simulator::Now().GetPicoSeconds() - m_start) / kPicosecondsPerSecond;
}

uint64_t
GetPausingBacklog(const FrameSettings& parts)
{
    // Each port may use alpha times the free buffer: x = alpha * (buffer - ports * x).
    constexpr double ports = 2;
    const Ptr<const SwitchProfile> profile = parts.profile;
    const double part = ports * profile->GetAlpha() / (1 + ports * profile->GetAlpha());
    return static_cast<uint64_t>(part * static_cast<double>(profile->GetBuffer()));
}

uint64_t
GetBandwidthDelayProduct(const FrameSettings& parts,
                         const FabricTraits& traits,
                         const FlowEngine& engine)
{
    const Ptr<const Transport> transport = parts.transport;
    const double frame = transport->GetMtu() + transport->GetDataHeader() +
                         2 * transport->GetWireOverhead() + transport->GetAckBytes();
    const Wiring& wiring = engine.GetWiring();
    double largest = 0;
    for (uint32_t nic = 0; nic < wiring.GetShape().GetNics(); ++nic)
    {
        const CableKind& kind = wiring.GetNicKind(nic);
        const double flying = 2 * static_cast<double>(kind.delay) *
                              static_cast<double>(kind.rateBps) / kBytePicoseconds;
        largest = std::max(largest, traits.longestLinks * (flying + frame));
    }
    return static_cast<uint64_t>(largest);
}

double
GetShareOfShortBacklogs(const FlowEngine& engine, uint64_t bytes)
{
    uint64_t all = 0;
    uint64_t inShort = 0;
    for (const FlowQueue& queue : engine.GetQueues())
    {
        if (queue.route.IsPair())
        {
            all += queue.bytes;
            inShort += queue.bytes < bytes * queue.backlogs ? queue.bytes : 0;
        }
    }
    return all == 0 ? 0 : static_cast<double>(inShort) / static_cast<double>(all);
}

std::vector<std::string>
FindFlowLimits(const FrameSettings& parts,
               const FabricTraits& traits,
               const FlowEngine& engine,
               const BacklogWatch* backlogs)
{
    std::vector<std::string> limits;
    const uint64_t product = GetBandwidthDelayProduct(parts, traits, engine);
    const bool isShort = GetShareOfShortBacklogs(engine, product) > kMost;
    const bool isHeldUp = backlogs && backlogs->GetBusyPart() < kBusy;
    if (isHeldUp && !isShort && !engine.WasAnyAwaited() && !IsNvlinkSlowest(engine))
    {
        limits.push_back(
            "engine flow: no cable was busy for more than " +
            std::to_string(static_cast<int>(100 * backlogs->GetBusyPart())) +
            " % of the time: flows hold a NIC to what each receiver lets through, and frames "
            "without congestion control wait in switches meanwhile, so that their NIC goes on with "
            "what it has for others: flows took up to 1.3 times as long where it was measured");
    }
    if (isShort)
    {
        limits.push_back(
            "engine flow: most queue pairs had less than a bandwidth-delay product (" +
            FormatAbout(product) +
            ") to send at a time: flows fill all cables of their way at once, and frames of so "
            "short messages are gone from the first cable before they meet others on the next");
    }
    if (HasPcieStages(engine) || (HasPcie(engine) && GetMeanMessage(engine) < kManyBytes))
    {
        limits.push_back(
            "engine flow: PCIe may hold NICs back; frames hold each segment back where it comes "
            "from until all links of its way let it through, and flows fill every link: where it "
            "was measured flows took 0.64 to 1.08 of the frames' time with messages of 1 MB and "
            "more (least where GPUs of a switch send to each other, mostly 0.95 and more), and 0.5 "
            "to 1.8 with smaller ones, mostly less");
    }
    if (const double part = GetReadablePart(parts, engine); part < 1)
    {
        limits.push_back("engine flow: with so few requests (nic.reads) frames read over PCIe at " +
                         std::to_string(static_cast<int>(part * 100)) +
                         " % of a NIC's rate at most, and flows do not wait for requests");
    }
    if (IsNvlinkSlowest(engine))
    {
        limits.push_back(
            "engine flow: NVLink is slower than the NICs; what crosses it at both ends took up to "
            "1.11 of the frames' time where it was measured");
    }
    const FlowEngine::Unsettled& unsettled = engine.GetUnsettled();
    if (unsettled.most > kLittle)
    {
        limits.push_back("engine flow: rates of what is read and written inside servers still "
                         "moved each other when they were left, " +
                         std::to_string(unsettled.often) + " times, by " +
                         std::to_string(static_cast<int>(std::ceil(unsettled.most * 100))) +
                         " % at most");
    }
    if (engine.HasTolerance())
    {
        limits.push_back(DescribeTolerance(engine));
    }
    if (backlogs && backlogs->GetLargest() > GetPausingBacklog(parts))
    {
        limits.push_back(
            "engine flow: hashed paths put " + FormatAbout(backlogs->GetLargest()) +
            " more on a cable between switches than it carries while NICs send; switches would "
            "pause from " +
            FormatAbout(GetPausingBacklog(parts)) +
            " on (switch.buffer), and pauses hold back traffic to elsewhere too (head-of-line "
            "blocking), which flows do not have: frames took 5 to 25 % longer where it was "
            "measured");
    }
    return limits;
}

} // namespace ns3::rails
