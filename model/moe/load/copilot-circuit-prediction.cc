// SPDX-License-Identifier: GPL-2.0-only
#include "copilot-circuit-prediction.h"

#include "load-prediction.h"

#include "ns3/rails-about.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(CopilotCircuitPrediction);

TypeId
CopilotCircuitPrediction::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::CopilotCircuitPrediction")
                     .SetParent<CircuitPrediction>()
                     .AddConstructor<CopilotCircuitPrediction>(),
                 "Circuits move beside attention, to where earlier micro-batches and the layer "
                 "before let expect tokens; then as with previous. (MixNet, appendix B)")
            .SetGroupName("Rails");
    return tid;
}

bool
CopilotCircuitPrediction::WaitsForGate() const
{
    return false;
}

bool
CopilotCircuitPrediction::Foresees() const
{
    return true;
}

std::vector<double>
CopilotCircuitPrediction::Predict(const std::vector<SeenLoads>& seen,
                                  const std::vector<double>& before) const
{
    return PredictLoads(seen, before);
}

} // namespace ns3::rails
