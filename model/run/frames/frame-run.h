// SPDX-License-Identifier: GPL-2.0-only
#ifndef FRAME_RUN_H
#define FRAME_RUN_H

#include "frame-phase-recorder.h"
#include "frame-segment-recorder.h"
#include "frame-watchdog.h"
#include "rails-pcap.h"
#include "rails-queue-averager.h"
#include "rails-queue-recorder.h"

#include "ns3/frame-engine.h"
#include "ns3/rails-engine-choice.h"
#include "ns3/rails-explainer.h"
#include "ns3/recorded-run.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

/// A packet-level run.
class FrameRun
    : public RecordedRun<FrameEngine, FrameWatchdog, FramePhaseRecorder, FrameSegmentRecorder>
{
  public:
    explicit FrameRun(const EngineParts& parts);

    bool ReadsMessages() const override;
    bool WantsRhoMax() const override;
    void SetRhoMax(double rhoMax) override;
    void Watch(const GraphRunner& runner, const Failures& failures) override;
    void OnPhase(bool starts) override;
    Explanation Explain(const LowerBound& bound, const ClusterSpeeds& speeds) const override;
    EngineRecord Count() const override;
    EngineRecord Describe() const override;
    uint64_t GetDeliveredBytes() const override;
    std::vector<std::string> FindBrokenInvariants() const override;

  private:
    std::string DescribeHolder() const;
    std::string GetCableName(std::size_t port) const;
    std::optional<std::vector<WatchedPhase>> GetWatchedPhases() const;
    std::optional<std::string> ExplainResending(const FrameCounters& counters) const;
    void DescribeNics(EngineRecord& record) const;
    void DescribePorts(EngineRecord& record) const;
    TimePs GetEndOfSending() const;

    std::vector<TimePs> m_busy; // of all ports, at the end of the last phase with traffic
    std::unique_ptr<QueueRecorder> m_queues;
    std::unique_ptr<QueueAverager> m_queueMeans;
    std::unique_ptr<PcapRecorder> m_pcap;
};

} // namespace ns3::rails

#endif // FRAME_RUN_H
