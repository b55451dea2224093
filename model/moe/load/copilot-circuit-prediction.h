// SPDX-License-Identifier: GPL-2.0-only
#ifndef COPILOT_CIRCUIT_PREDICTION_H
#define COPILOT_CIRCUIT_PREDICTION_H

#include "ns3/circuit-prediction.h"

#include <vector>

namespace ns3::rails
{

/// Circuits move beside attention to where earlier micro-batches and the layer before let expect
/// tokens, and beside experts for what comes back. (MixNet, appendix B)
class CopilotCircuitPrediction : public CircuitPrediction
{
  public:
    static TypeId GetTypeId();

    bool WaitsForGate() const override;
    bool Foresees() const override;
    std::vector<double> Predict(const std::vector<SeenLoads>& seen,
                                const std::vector<double>& before) const override;
};

} // namespace ns3::rails

#endif // COPILOT_CIRCUIT_PREDICTION_H
