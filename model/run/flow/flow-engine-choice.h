// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_ENGINE_CHOICE_H
#define FLOW_ENGINE_CHOICE_H

#include "ns3/rails-engine-choice.h"

namespace ns3::rails
{

/// Messages as fluid that shares the fabric max-min fairly: `engine: flow`.
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

    /// \return true when congestion control counts as ideal, whatever it is
    bool AssumesIdeal() const
    {
        return m_assumeIdeal;
    }

    /// \return part of the elapsed time in which completions are taken together
    double GetTolerance() const
    {
        return m_tolerance;
    }

  private:
    void CheckTransport(const RunSettings& settings) const;
    static void CheckBalance(const RunSettings& settings);
    static void CheckRoutes(const RunSettings& settings, const Wiring& wiring);
    static void CheckLosses(const Wiring& wiring);
    static void CheckRecords(const RunSettings& settings);
    static void AddIdealWarnings(const RunSettings& settings,
                                 std::vector<ExperimentWarning>& warnings);

    bool m_assumeIdeal{false};
    double m_tolerance{0};
    uint32_t m_threads{1};
    Symmetry m_symmetry{SYMMETRY_EXACT};
};

} // namespace ns3::rails

#endif // FLOW_ENGINE_CHOICE_H
