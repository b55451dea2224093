// SPDX-License-Identifier: GPL-2.0-only
#include "none-circuit-prediction.h"

#include "ns3/rails-about.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(NoneCircuitPrediction);

TypeId
NoneCircuitPrediction::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::NoneCircuitPrediction")
                     .SetParent<CircuitPrediction>()
                     .AddConstructor<NoneCircuitPrediction>(),
                 "Circuits move behind the gate, and tokens wait for them. (MixNet, section 7.1)")
            .SetGroupName("Rails");
    return tid;
}

bool
NoneCircuitPrediction::WaitsForGate() const
{
    return true;
}

} // namespace ns3::rails
