// SPDX-License-Identifier: GPL-2.0-only
#include "previous-circuit-prediction.h"

#include "ns3/rails-about.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(PreviousCircuitPrediction);

TypeId
PreviousCircuitPrediction::GetTypeId()
{
    static TypeId tid = AddAbout(TypeId("ns3::rails::PreviousCircuitPrediction")
                                     .SetParent<CircuitPrediction>()
                                     .AddConstructor<PreviousCircuitPrediction>(),
                                 "Tokens take the circuits that are there; beside experts circuits "
                                 "move for what comes back. (MixNet, appendix B)")
                            .SetGroupName("Rails");
    return tid;
}

bool
PreviousCircuitPrediction::WaitsForGate() const
{
    return false;
}

} // namespace ns3::rails
