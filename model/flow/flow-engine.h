// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_ENGINE_H
#define FLOW_ENGINE_H

#include "flow-calendar.h"
#include "flow-classes.h"
#include "flow-clients.h"
#include "flow-clocks.h"
#include "flow-ends.h"
#include "flow-feeds.h"
#include "flow-network.h"
#include "flow-nics.h"
#include "flow-outages.h"
#include "flow-outlook.h"
#include "flow-queues.h"
#include "flow-run-rules.h"
#include "flow-settings.h"
#include "flow-stages.h"

#include "ns3/rails-engine.h"
#include "ns3/rails-router.h"
#include "ns3/rails-wiring.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace ns3::rails
{

/**
 * Moves messages as fluid: every queue pair that has something to send is a flow, and all flows
 * share cables and links inside servers max-min fairly. Rates change when a queue pair becomes busy
 * or idle, or a cable changes; between these, the ends of messages are read off the bytes served.
 *
 * All clocks are the simulator's time. Whoever posted a message that nobody awaits
 * (Message::isAwaited) may be told of its end later than it was, with the right times; it is told
 * not later than its queue pair has nothing to send any more.
 */
class FlowEngine : public Engine, public WiringListener, public RouterListener
{
  public:
    static TypeId GetTypeId();

    /**
     * \param wiring the cluster
     * \param router its routing
     * \param settings how messages flow
     */
    FlowEngine(std::shared_ptr<Wiring> wiring,
               std::shared_ptr<Router> router,
               const FlowSettings& settings);
    ~FlowEngine() override;

    void SetClient(uint32_t server, MessageClient* client) override;
    TimePs GetClock(uint32_t server) const override;
    void SetAlarm(uint32_t server, TimePs at) override;
    void Post(Message& message) override;
    void Abandon(Message& message) override;
    uint64_t GetUnsentBytes(uint32_t server, uint32_t rail) const override;
    uint64_t GetSentBytes(uint32_t nic) const override;
    void CatchUpThroughNow() override;

    TimePs GetLookahead() const override;
    void SetPunctual() override;
    void CatchUp() override;
    void Finish() override;
    TimePs GetLastArrival() const override;
    void SetCutOffCallback(std::function<bool(uint32_t, uint32_t)> callback) override;
    int64_t AssignStreams(int64_t stream) override;

    void BeforeChange() override;
    void OnCableUp(uint32_t cable, const CutRules& rules) override;
    void OnCableRate(uint32_t cable) override;
    void OnCircuit(uint32_t nic, const CutRules& rules) override;
    void OnConverged() override;

    /// How often rates were left while they still moved each other through what is brought to
    /// flows (FlowFeeds), and by which part the last round moved one at most.
    struct Unsettled
    {
        uint64_t often{0};
        double most{0};
    };

    const Unsettled& GetUnsettled() const;

    /// \return true when rates need not be found at each end
    bool HasTolerance() const
    {
        return GetTolerance() > 0;
    }

    /// \return part of its own time by which the end of a message may be off
    double GetTolerance() const
    {
        return m_settings.tolerance;
    }

    /// \return true when somebody went on from the end of a single message
    bool WasAnyAwaited() const;

    /// \return by how much ends may be off, with a tolerance; nothing where others went on from the
    /// ends of single messages
    std::optional<FlowShifts::Shift> GetLargestShift() const;

    /// \param callback told when rates are found anew without end while time stands; nothing goes
    /// on behind that
    void SetStuckCallback(std::function<void()> callback);

    using NicCounters = FlowNics::Counters;

    const NicCounters& GetNicCounters(uint32_t nic) const;

    /// \return all queue pairs, what stands for them inside servers, and their stages there, in
    /// the order of their first messages
    const std::deque<FlowQueue>& GetQueues() const;

    /// \return what each direction of a cable has carried up to now, see FlowPath
    std::vector<FlowNetwork::Carried> GetCarried() const;

    /// \return the cables that a message between servers takes, which has been posted
    std::vector<FlowNetwork::WayPart> GetWay(const Message& message) const;

    /// \return payload bytes that have been delivered, as far as clients were told
    uint64_t GetDeliveredBytes() const;

    const Wiring& GetWiring() const;
    const MaxMinSolver& GetSolver() const;

  private:
    void Append(Message& message);
    void Serve(uint32_t queue);

    void RestartServers(const std::set<uint32_t>& servers);
    void BeginRuns();
    void Begin(uint32_t queue);

    void Work();
    void ServeStop();
    void ServeAppointment();
    void PostNext(uint32_t nic);
    void Settle();
    void ApplyRates(const MaxMinSolver::Changes& changes);
    void BringUp(const std::vector<uint32_t>& classes);

    std::shared_ptr<Wiring> m_wiring;
    std::shared_ptr<Router> m_router;
    FlowSettings m_settings;
    ClusterShape m_shape;
    FlowNetwork m_network;
    FlowRunRules m_rules;
    FlowClocks m_clocks;
    FlowCalendar m_calendar;
    FlowClients m_clients;
    FlowQueues m_queues;
    FlowNics m_nics;
    FlowEnds m_ends;
    FlowFeeds m_feeds;
    FlowStages m_stages;
    FlowShifts m_shifts;
    FlowClasses m_classes;
    FlowOutages m_outages;
    FlowOutlook m_outlook;
    Unsettled m_unsettled;
    std::function<void()> m_onStuck;
};

} // namespace ns3::rails

#endif // FLOW_ENGINE_H
