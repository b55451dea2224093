// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_RUN_H
#define FLOW_RUN_H

#include "flow-limits.h"
#include "flow-phase-recorder.h"
#include "flow-segment-recorder.h"
#include "flow-watchdog.h"

#include "ns3/flow-engine.h"
#include "ns3/rails-engine-choice.h"
#include "ns3/rails-fingerprint.h"
#include "ns3/recorded-run.h"
#include "ns3/replica-fold.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::rails
{

/// A flow-level run.
class FlowRun : public RecordedRun<FlowEngine, FlowWatchdog, FlowPhaseRecorder, FlowSegmentRecorder>
{
  public:
    /**
     * \param tolerance largest error of a completion time, as a part of the message's time
     */
    FlowRun(const EngineParts& parts, double tolerance);

    bool ReadsMessages() const override;
    bool WantsRhoMax() const override;
    void SetRhoMax(double rhoMax) override;
    void Watch(const GraphRunner& runner, const Failures& failures) override;
    void OnPhase(bool starts) override;
    Explanation Explain(const LowerBound& bound, const ClusterSpeeds& speeds) const override;
    EngineRecord Count() const override;
    EngineRecord Describe() const override;
    bool AreReplicasAlike() const override;
    uint64_t GetDeliveredBytes() const override;
    std::vector<std::string> FindBrokenInvariants() const override;

  private:
    void DescribeNics(EngineRecord& record) const;
    std::vector<PortRecord> DescribePorts() const;
    FlowRecord Record(const FlowQueue& queue) const;
    std::vector<FlowRecord> ListQueuePairs() const;
    uint32_t FindGpu(uint32_t end) const;
    uint32_t MoveEnd(uint32_t end, uint32_t replica) const;
    uint32_t FindComputed(uint32_t server) const;

    const Wiring& m_wiring;
    const FabricTraits& m_traits;
    const ReplicaFold* m_fold{nullptr}; //!< null unless replicas are folded
    std::unique_ptr<BacklogWatch> m_backlogs;
};

} // namespace ns3::rails

#endif // FLOW_RUN_H
