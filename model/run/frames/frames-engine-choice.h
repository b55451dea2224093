// SPDX-License-Identifier: GPL-2.0-only
#ifndef FRAMES_ENGINE_CHOICE_H
#define FRAMES_ENGINE_CHOICE_H

#include "ns3/rails-engine-choice.h"

namespace ns3::rails
{

/// Packet-level simulation: every frame through every queue. `engine: frames`, the default.
class FramesEngineChoice : public EngineChoice
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
    double EstimateMemory(double cables, double queuePairs) const override;
    std::unique_ptr<EngineRun> Make(const EngineParts& parts) const override;
};

} // namespace ns3::rails

#endif // FRAMES_ENGINE_CHOICE_H
