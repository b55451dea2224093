// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_SEGMENT_RECORDER_H
#define FLOW_SEGMENT_RECORDER_H

#include "ns3/flow-engine.h"
#include "ns3/path-segment-recorder.h"

namespace ns3::rails
{

/// Records path segments of a flow-level run. A message counts, at its end, on all directed links
/// of its path.
class FlowSegmentRecorder : public PathSegmentRecorder
{
  public:
    /**
     * \param engine whose messages are recorded
     * \param speeds of the cluster at its best
     */
    FlowSegmentRecorder(Ptr<const FlowEngine> engine, const ClusterSpeeds& speeds);

    bool HasRepeats() const override;

  private:
    std::string GetCableName(uint32_t cable) const override;
    uint64_t GetRate(uint32_t cable) const override;
    void AddToCables(const Message& message, StepLoads& loads) override;
    std::vector<uint32_t> FindCables(const Message& message) override;

    Ptr<const FlowEngine> m_engine;
};

} // namespace ns3::rails

#endif // FLOW_SEGMENT_RECORDER_H
