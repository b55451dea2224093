// SPDX-License-Identifier: GPL-2.0-only
#ifndef NONE_CIRCUIT_PREDICTION_H
#define NONE_CIRCUIT_PREDICTION_H

#include "ns3/circuit-prediction.h"

namespace ns3::rails
{

/// Circuits move behind the gate, and tokens wait for them. (MixNet, section 7.1)
class NoneCircuitPrediction : public CircuitPrediction
{
  public:
    static TypeId GetTypeId();

    bool WaitsForGate() const override;
};

} // namespace ns3::rails

#endif // NONE_CIRCUIT_PREDICTION_H
