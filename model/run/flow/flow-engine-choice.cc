// SPDX-License-Identifier: GPL-2.0-only
#include "flow-run.h"

#include "ns3/boolean.h"
#include "ns3/component-documentation.h"
#include "ns3/component-name.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/path-selector.h"
#include "ns3/path-spread.h"
#include "ns3/port-selector.h"
#include "ns3/rails-engine-choice.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/rails-transport.h"
#include "ns3/range-checker.h"
#include "ns3/switch-profile.h"
#include "ns3/uinteger.h"
#include "ns3/word-accessor.h"

#include <cmath>
#include <string>

namespace ns3::rails
{

/// Flow-level simulation: messages as fluid that shares links max-min fairly: `engine: flow`.
class FlowEngineChoice : public EngineChoice
{
  public:
    static TypeId GetTypeId();

    void Check(const RunSettings& settings,
               const Wiring& wiring,
               const FabricTraits& traits) const override;
    std::vector<ExperimentWarning> FindWarnings(const RunSettings& settings,
                                                const Wiring& wiring,
                                                const FabricTraits& traits) const override;
    double EstimateSeconds(const RunSettings& settings,
                           const FabricTraits& traits,
                           const ExpectedTraffic& traffic) const override;
    Symmetry GetSymmetry() const override;
    std::optional<PathSpread> FindSpread(const RunSettings& settings) const override;
    std::unique_ptr<EngineRun> Make(const EngineParts& parts) const override;

  private:
    void CheckTransport(const RunSettings& settings) const;
    static void CheckBalance(const RunSettings& settings);
    static void CheckRoutes(const RunSettings& settings, const Wiring& wiring);
    static void CheckLosses(const Wiring& wiring);
    static void CheckRecords(const RunSettings& settings);
    static void AddIdealWarnings(const RunSettings& settings,
                                 std::vector<ExperimentWarning>& warnings);

    bool m_assumeIdeal{false}; // any congestion control counts as ideal
    double m_tolerance{0}; // largest error of a completion time, as a part of the message's time
    Symmetry m_symmetry{SYMMETRY_EXACT};
};

NS_OBJECT_ENSURE_REGISTERED(FlowEngineChoice);

namespace
{

constexpr const char* kUseFrames = "set engine to frames, or ";

[[noreturn]] void
Refuse(const std::string& key, const std::string& reason, const std::string& remedy)
{
    throw ConfigurationError(key, "engine flow " + reason + ": " + kUseFrames + remedy);
}

std::string
GetName(const Object& component, TypeId base)
{
    return MakeTypeName(component.GetInstanceTypeId().GetName(), base.GetName());
}

std::string
GetControlName(const Transport& transport)
{
    return GetName(*transport.GetCongestionControl(), CongestionControl::GetTypeId());
}

} // namespace

TypeId
FlowEngineChoice::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::FlowEngineChoice").SetParent<EngineChoice>(),
            "Every queue pair as a flow; all flows share cables max-min fairly: hundreds of "
            "times faster than frames, without queues, pauses and losses.")
            .SetGroupName("Rails")
            .AddConstructor<FlowEngineChoice>()
            .AddAttribute("AssumeIdeal",
                          "Whether congestion control is taken as ideal, whatever it is: senders "
                          "know their fair rates at once, and nothing is lost. Otherwise an "
                          "experiment with one is refused.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&FlowEngineChoice::m_assumeIdeal),
                          MakeBooleanChecker())
            .AddAttribute(
                "Tolerance",
                "Part of the time that a message takes by which its end may be off: ends "
                "within it are taken together, so that rates are found anew less often; "
                "0: never. shift in result.json says how far ends may be off. Graphs, "
                "trainings and steps that wait for each other go on from single messages, "
                "whose ends are never taken together; there it makes rates coarser, no "
                "end is bounded, and a note says so.",
                DoubleValue(0),
                MakeDoubleAccessor(&FlowEngineChoice::m_tolerance),
                MakeNumberRange(0, 0.1))
            .AddAttribute("Symmetry",
                          "Whether two replicas of a training are run, and answer for all that do "
                          "the same: exact: where all times are the same to the picosecond; close: "
                          "also where they share cables between switches, over which everything "
                          "spreads, or send nearly as much; off: never. symmetry in result.json "
                          "says what was done.",
                          EnumValue(SYMMETRY_EXACT),
                          MakeWordAccessor(&FlowEngineChoice::m_symmetry),
                          MakeEnumChecker(SYMMETRY_OFF,
                                          "off",
                                          SYMMETRY_EXACT,
                                          "exact",
                                          SYMMETRY_CLOSE,
                                          "close"));
    return tid;
}

void
FlowEngineChoice::Check(const RunSettings& settings,
                        const Wiring& wiring,
                        const FabricTraits& traits) const
{
    CheckNested("transport", [&] { settings.parts.transport->Check(); });
    CheckTransport(settings);
    CheckBalance(settings);
    CheckNested("balance.host", [&] { settings.parts.path->Check(); });
    CheckNested("balance.switch", [&] { settings.parts.selector->Check(traits); });
    CheckRoutes(settings, wiring);
    CheckLosses(wiring);
    CheckRecords(settings);
}

void
FlowEngineChoice::CheckTransport(const RunSettings& settings) const
{
    if (m_assumeIdeal)
    {
        return;
    }
    const Ptr<const Transport> transport = settings.parts.transport;
    const std::string control = GetControlName(*transport);
    if (control != "none")
    {
        Refuse("transport.congestion_control",
               "does not model " + control,
               "transport.congestion_control to none, or engine.assume_ideal to true, which takes "
               "it as ideal");
    }
    if (!transport->GetWindow().IsSpecial())
    {
        Refuse("transport.window",
               "has no windows",
               "transport.window to unlimited, or engine.assume_ideal to true");
    }
    if (!settings.parts.profile->UsesPfc())
    {
        Refuse("switch.pfc", "drops nothing", "switch.pfc to true, or engine.assume_ideal to true");
    }
}

void
FlowEngineChoice::CheckBalance(const RunSettings& settings)
{
    const PathSelector& host = *settings.parts.path;
    const PortSelector& atSwitch = *settings.parts.selector;
    if (host.GetTraits().spread == PathSpread::Adaptive)
    {
        Refuse("balance.host",
               "has no queues and no marks that " + GetName(host, PathSelector::GetTypeId()) +
                   " could answer to",
               "balance.host to flow, subflow, spray or destination-rotation");
    }
    if (atSwitch.GetTraits().spread == PathSpread::Adaptive)
    {
        Refuse("balance.switch",
               "has no queues that " + GetName(atSwitch, PortSelector::GetTypeId()) +
                   " could look at",
               "balance.switch to ecmp, random, round-robin or ofan");
    }
}

// Source routes are short in fabrics of tiers, but relays make them arbitrarily long.
void
FlowEngineChoice::CheckRoutes(const RunSettings& settings, const Wiring& wiring)
{
    if (wiring.HasRelays() && settings.parts.path->GetTraits().spread == PathSpread::Routes)
    {
        throw ConfigurationError("balance.host",
                                 "source routes are for fabrics of tiers, and in this topology "
                                 "servers pass on what is for others: use flow, subflow or spray");
    }
}

void
FlowEngineChoice::CheckLosses(const Wiring& wiring)
{
    for (const Cable& cable : wiring.GetCables())
    {
        if (wiring.GetKind(cable).loss > 0)
        {
            Refuse("topology.link_loss", "loses nothing", "topology.link_loss to 0");
        }
    }
}

void
FlowEngineChoice::CheckRecords(const RunSettings& settings)
{
    const Ptr<const RecordOptions> record = settings.record;
    if (record->WantsQueues(false))
    {
        Refuse("record.queues", "has no queues", "record.queues to automatic");
    }
    if (record->WantsQueueMeans())
    {
        Refuse("record.queue_means", "has no queues", "record.queue_means to false");
    }
    if (record->WantsPcap())
    {
        Refuse("record.pcap", "has no frames", "record.pcap to false");
    }
}

std::vector<ExperimentWarning>
FlowEngineChoice::FindWarnings(const RunSettings& settings,
                               const Wiring& /* wiring */,
                               const FabricTraits& /* traits */) const
{
    std::vector<ExperimentWarning> warnings;
    if (settings.balancer->GetTraits().choosesAtSending)
    {
        warnings.push_back(
            {"balance.type",
             "this scheme looks at what its NICs have left to send: frames leave a NIC whether or "
             "not the far end is busy, and flows wait until it takes them, so it chooses other "
             "NICs than among frames; completion times were from 12 % shorter to 78 % longer than "
             "with frames where it was measured"});
    }
    if (settings.parts.transport->GetAckClass() != Transport::ACKS_IN_CONTROL)
    {
        warnings.push_back({"transport.ack_class",
                            "does nothing with flows, whose ACKs share cables with data and wait "
                            "for nothing"});
    }
    if (m_assumeIdeal)
    {
        AddIdealWarnings(settings, warnings);
    }
    return warnings;
}

/// Warns of mechanisms that count as ideal.
void
FlowEngineChoice::AddIdealWarnings(const RunSettings& settings,
                                   std::vector<ExperimentWarning>& warnings)
{
    const Ptr<const Transport> transport = settings.parts.transport;
    const std::string control = GetControlName(*transport);
    if (control != "none")
    {
        warnings.push_back({"engine.assume_ideal",
                            "senders are taken to know their fair rates at once: " + control +
                                " itself is not modelled, which needs time to find them and "
                                "leaves queues or idle cables meanwhile"});
    }
    if (!transport->GetWindow().IsSpecial())
    {
        warnings.push_back({"engine.assume_ideal",
                            "transport.window is not modelled: it would hold back queue pairs "
                            "whose ACKs come late"});
    }
    if (!settings.parts.profile->UsesPfc())
    {
        warnings.push_back({"engine.assume_ideal",
                            "nothing is lost: without switch.pfc frames are dropped where a "
                            "buffer is full, and sent again"});
    }
}

// The cost is that of the begin and end of each message. It grows with the number of concurrent
// flows and with cache misses in large clusters, and hardly depends on the bytes.
double
FlowEngineChoice::EstimateSeconds(const RunSettings& /* settings */,
                                  const FabricTraits& /* traits */,
                                  const ExpectedTraffic& traffic) const
{
    // Fitted to bench/large/weak.yaml on 4 to 64 servers.
    constexpr double perMessage = 2.2e-6;
    constexpr double cached = 256; // GPUs
    constexpr double slower = 0.7; // for each doubling
    const double crowd = 1 + slower * std::log2(1 + traffic.gpus / cached);
    return perMessage * crowd * traffic.cost;
}

Symmetry
FlowEngineChoice::GetSymmetry() const
{
    return m_symmetry;
}

std::optional<PathSpread>
FlowEngineChoice::FindSpread(const RunSettings& settings) const
{
    return settings.parts.FindSpread();
}

std::unique_ptr<EngineRun>
FlowEngineChoice::Make(const EngineParts& parts) const
{
    return std::make_unique<FlowRun>(parts, m_tolerance);
}

} // namespace ns3::rails
