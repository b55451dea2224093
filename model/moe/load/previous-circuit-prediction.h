// SPDX-License-Identifier: GPL-2.0-only
#ifndef PREVIOUS_CIRCUIT_PREDICTION_H
#define PREVIOUS_CIRCUIT_PREDICTION_H

#include "ns3/circuit-prediction.h"

namespace ns3::rails
{

/// Tokens take the circuits of what was before, which then move beside experts for what comes back.
/// (MixNet, appendix B)
class PreviousCircuitPrediction : public CircuitPrediction
{
  public:
    static TypeId GetTypeId();

    bool WaitsForGate() const override;
};

} // namespace ns3::rails

#endif // PREVIOUS_CIRCUIT_PREDICTION_H
