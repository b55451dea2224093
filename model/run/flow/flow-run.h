// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_RUN_H
#define FLOW_RUN_H

#include "flow-leg-recorder.h"
#include "flow-limits.h"
#include "flow-progress.h"
#include "flow-watch.h"

#include "ns3/flow-engine.h"
#include "ns3/rails-engine-choice.h"
#include "ns3/rails-engine-run.h"
#include "ns3/rails-fingerprint.h"
#include "ns3/rails-run-settings.h"
#include "ns3/replica-fold.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::rails
{

/// A run that moves flows.
class FlowRun : public EngineRun
{
  public:
    /**
     * \param parts what to run
     * \param tolerance part of its own time by which the end of a message may be off
     * \param threads that find rates
     */
    FlowRun(const EngineParts& parts, double tolerance, uint32_t threads);

    Ptr<Engine> GetEngine() const override;
    uint32_t GetSubflows() const override;
    std::optional<PathSpread> GetSpread() const override;
    bool ReadsMessages() const override;
    bool WantsRhoMax() const override;
    void SetRhoMax(double rhoMax) override;
    void Watch(const GraphRunner& runner, const Failures& failures) override;
    LegRecorder& WatchLegs(const ClusterSpeeds& speeds) override;
    void OnPhase(bool starts) override;
    void OnFailures(bool converged) override;
    Explanation Explain(const LowerBound& bound, const ClusterSpeeds& speeds) const override;
    EngineRecord Count() const override;
    EngineRecord Describe() const override;
    bool AreReplicasAlike() const override;
    uint64_t GetDeliveredBytes() const override;
    std::vector<std::string> FindBrokenInvariants() const override;
    std::string DescribeStuck() const override;

  private:
    void DescribeNics(EngineRecord& record) const;
    std::vector<PortRecord> DescribePorts() const;
    FlowRecord Record(const FlowQueue& queue) const;
    std::vector<FlowRecord> ListQueuePairs() const;
    uint32_t FindGpu(uint32_t end) const;
    uint32_t MoveEnd(uint32_t end, uint32_t replica) const;
    uint32_t FindComputed(uint32_t server) const;

    const RunSettings& m_settings;
    const Wiring& m_wiring;
    const FabricTraits& m_traits;
    uint32_t m_subflows;
    Ptr<FlowEngine> m_engine;
    const GraphRunner* m_runner{nullptr};
    const ReplicaFold* m_fold{nullptr}; //!< where some replicas answer for all
    std::unique_ptr<FlowProgress> m_progress;
    std::unique_ptr<FlowWatch> m_watch;
    std::unique_ptr<FlowLegRecorder> m_legs;
    std::unique_ptr<BacklogWatch> m_backlogs;
};

} // namespace ns3::rails

#endif // FLOW_RUN_H
