// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_PARTS_H
#define FLOW_PARTS_H

#include "../support/test-cluster.h"
#include "flow-alone.h"

#include "ns3/completion-error-bound.h"
#include "ns3/completion-times.h"
#include "ns3/flow-calendar.h"
#include "ns3/flow-classes.h"
#include "ns3/flow-clocks.h"
#include "ns3/flow-network.h"
#include "ns3/flow-nics.h"
#include "ns3/flow-queues.h"
#include "ns3/host-pipeline.h"
#include "ns3/message-batch-rules.h"
#include "ns3/rails-router.h"
#include "ns3/rails-wiring.h"
#include "ns3/stranded-flows.h"
#include "ns3/tandem-rates.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

/// Servers of GPUs with a NIC each, on one leaf for each rail.
inline std::shared_ptr<Wiring>
LayRails(uint32_t servers, uint32_t gpus, uint64_t nvlinkBps = 3600 * kGbps)
{
    Ptr<RailTopology> topology = CreateObject<RailTopology>();
    topology->SetAttribute("Domains", UintegerValue(servers));
    topology->SetAttribute("GpusPerDomain", UintegerValue(gpus));
    topology->SetAttribute("NvlinkRate", Rate(nvlinkBps));
    return topology->Lay();
}

/// The parts of the engine of flows without the engine. What is due is noted, and nobody does it.
struct FlowParts
{
    explicit FlowParts(std::shared_ptr<Wiring> laid, const FlowSettings& given = {})
        : wiring(std::move(laid)),
          router(std::make_shared<Router>(*wiring)),
          shape(wiring->GetShape()),
          settings(given),
          network(wiring, router, settings),
          rules(shape, settings.frames, network),
          calendar(clocks, [this] { Note(); }),
          queues(shape, settings, network.GetInterior()),
          nics(shape, settings, queues),
          completionTimes(shape, settings, network, queues, calendar),
          tandemRates(queues.GetAll(), clocks, network),
          pipeline(*wiring, settings.frames, network.GetInterior(), queues, tandemRates, calendar),
          errorBound(FlowNetwork::kRatesOff * settings.tolerance),
          classes(shape,
                  queues,
                  network,
                  clocks,
                  rules,
                  tandemRates,
                  pipeline,
                  completionTimes,
                  nics,
                  errorBound),
          stranded(*wiring,
                   queues,
                   network,
                   classes,
                   tandemRates,
                   pipeline,
                   completionTimes,
                   nics,
                   calendar)
    {
    }

    ~FlowParts()
    {
        Simulator::Destroy();
    }

    /// \return a message by a NIC, or inside a server
    Message& Make(uint32_t source, uint32_t destination, uint64_t bytes, int rail = -1)
    {
        messages.emplace_back();
        Message& message = messages.back();
        message.id = messages.size() - 1;
        message.source = source;
        message.destination = destination;
        message.bytes = bytes;
        if (rail >= 0)
        {
            message.txRail = static_cast<uint16_t>(rail);
            message.rxRail = static_cast<uint16_t>(rail);
        }
        return message;
    }

    /// Adds a message to its queue, which is served by nobody yet. \return the queue's number
    uint32_t Add(Message& message)
    {
        const uint32_t number = queues.Find(message);
        queues.Add(number,
                   message,
                   message.txRail == kNoRail ? message.bytes
                                             : settings.frames.GetMessageWire(message.bytes));
        nics.SetBusy(number, true);
        return number;
    }

    uint32_t Add(uint32_t source, uint32_t destination, uint64_t bytes, int rail = -1)
    {
        return Add(Make(source, destination, bytes, rail));
    }

    /// Does what is due without any consequence.
    void Note()
    {
        using Duty = FlowCalendar::Duty;
        for (Duty duty = calendar.GetDuty(NowPs()); duty != Duty::None;
             duty = calendar.GetDuty(NowPs()))
        {
            switch (duty)
            {
            case Duty::Stop:
                stopped.emplace_back(NowPs(), clocks.GetNextClass());
                classes.BringUp(clocks.GetNextClass());
                clocks.SetStop(clocks.GetNextClass(), FlowClocks::kNowhere);
                break;
            case Duty::Appointment:
                kept.push_back(calendar.TakeAppointment());
                break;
            default:
                calendar.TakeSettling(NowPs());
                break;
            }
        }
    }

    std::shared_ptr<Wiring> wiring;
    std::shared_ptr<Router> router;
    ClusterShape shape;
    FlowSettings settings;
    FlowNetwork network;
    MessageBatchRules rules;
    FlowClocks clocks;
    FlowCalendar calendar;
    FlowQueues queues;
    FlowNics nics;
    CompletionTimes completionTimes;
    TandemRates tandemRates;
    HostPipeline pipeline;
    CompletionErrorBound errorBound;
    FlowClasses classes;
    StrandedFlows stranded;
    std::deque<Message> messages;
    std::vector<std::pair<TimePs, uint32_t>> stopped; // when, and which class
    std::vector<FlowCalendar::Appointment> kept;
};

} // namespace ns3::rails::test

#endif // FLOW_PARTS_H
