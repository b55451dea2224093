// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_ENGINE_H
#define FLOW_ENGINE_H

#include "completion-times.h"
#include "completion-window.h"
#include "flow-calendar.h"
#include "flow-classes.h"
#include "flow-clients.h"
#include "flow-clocks.h"
#include "flow-network.h"
#include "flow-nics.h"
#include "flow-queues.h"
#include "flow-settings.h"
#include "host-pipeline.h"
#include "message-batch-rules.h"
#include "stranded-flows.h"
#include "tandem-rates.h"

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
 * Flow-level simulation: messages move as fluid. Every busy queue pair is a flow, and all flows
 * share network links and links inside servers max-min fairly. Rates change when a queue pair
 * becomes busy or idle, or a link changes; between changes, the ends of messages follow from the
 * bytes served.
 *
 * All clocks are the simulator's time. Clients may hear of a message that is not awaited
 * (Message::isAwaited) after its end, with the right times; at the latest when its queue pair
 * becomes idle.
 */
class FlowEngine : public Engine, public WiringListener, public RouterListener
{
  public:
    static TypeId GetTypeId();

    /**
     * \param wiring the cluster
     * \param router its routing
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

    /// Settlings whose supplies of queues in tandem (TandemRates) did not converge.
    struct Unsettled
    {
        uint64_t often{0};
        double most{
            0}; //!< largest relative change of a supply in the last round of such a settling
    };

    const Unsettled& GetUnsettled() const
    {
        return m_unsettled;
    }

    /// \return true when rates need not be found anew at each end
    bool HasTolerance() const
    {
        return GetTolerance() > 0;
    }

    /// \return largest error of a completion time, as a part of the message's time
    double GetTolerance() const
    {
        return m_settings.tolerance;
    }

    /// \return true when an awaited message has been posted
    bool WasAnyAwaited() const;

    /// \return the bound of the error of completion times; none without a tolerance or after an
    /// awaited message, whose error later messages would inherit
    std::optional<CompletionErrorBound::Shift> GetLargestErrorBound() const;

    /// \param callback called when rates are found anew without end in one instant; the engine
    /// stops settling before the call
    void SetStuckCallback(std::function<void()> callback);

    /// Signature of the trace sources MessageBegin and MessageEnd.
    typedef void (*MessageCallback)(Time now, const Message& message);
    /// Signature of the trace source Rate.
    /// \param queue number in GetQueues()
    /// \param before bit/s, payload or, between servers, what is on the wire
    /// \param after likewise
    typedef void (*RateCallback)(Time now, uint32_t queue, double before, double after);

    using NicCounters = FlowNics::Counters;

    const NicCounters& GetNicCounters(uint32_t nic) const;

    /// \return all queue pairs, queues inside servers and stages (FlowRoute::IsStage()), in the
    /// order of their first messages
    const std::deque<FlowQueue>& GetQueues() const;

    /// \return bytes carried up to now, by direction of a link, see FlowPath
    std::vector<FlowNetwork::Carried> GetCarried() const;

    /// \return the links of a posted message between servers
    std::vector<FlowNetwork::WayPart> GetWay(const Message& message) const;

    /// \return payload bytes whose delivery clients have been told
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
    void ReportRates();

    std::shared_ptr<Wiring> m_wiring;
    std::shared_ptr<Router> m_router;
    FlowSettings m_settings;
    ClusterShape m_shape;
    FlowNetwork m_network;
    MessageBatchRules m_rules;
    FlowClocks m_clocks;
    FlowCalendar m_calendar;
    std::unique_ptr<FlowTraces> m_traces;
    FlowClients m_clients;
    FlowQueues m_queues;
    FlowNics m_nics;
    CompletionTimes m_completionTimes;
    TandemRates m_tandemRates;
    HostPipeline m_pipeline;
    CompletionErrorBound m_errorBound;
    FlowClasses m_classes;
    StrandedFlows m_stranded;
    CompletionWindow m_window;
    Unsettled m_unsettled;
    std::function<void()> m_onStuck;
};

} // namespace ns3::rails

#endif // FLOW_ENGINE_H
