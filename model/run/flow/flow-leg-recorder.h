// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_LEG_RECORDER_H
#define FLOW_LEG_RECORDER_H

#include "ns3/flow-engine.h"
#include "ns3/leg-recorder.h"

namespace ns3::rails
{

/// Records legs of flows. What it counts are directions of cables; a message is counted on the
/// cables that it takes when it ends.
class FlowLegRecorder : public LegRecorder
{
  public:
    /**
     * \param engine whose messages are watched
     * \param speeds how fast it is at its best
     */
    FlowLegRecorder(Ptr<const FlowEngine> engine, const ClusterSpeeds& speeds);

    bool HasRepeats() const override;

  private:
    std::string GetCableName(uint32_t cable) const override;
    uint64_t GetRate(uint32_t cable) const override;
    void AddToCables(const Message& message, StepLoads& loads) override;
    std::vector<uint32_t> FindCables(const Message& message) override;

    Ptr<const FlowEngine> m_engine;
};

} // namespace ns3::rails

#endif // FLOW_LEG_RECORDER_H
