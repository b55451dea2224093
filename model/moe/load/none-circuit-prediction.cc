// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/circuit-prediction.h"
#include "ns3/component-documentation.h"

namespace ns3::rails
{

/// Reconfigures after the gate; dispatch waits. (MixNet, section 7.1)
class NoneCircuitPrediction : public CircuitPrediction
{
  public:
    static TypeId GetTypeId();

    NoneCircuitPrediction()
    {
        m_traits.waitsForGate = true;
    }
};

NS_OBJECT_ENSURE_REGISTERED(NoneCircuitPrediction);

TypeId
NoneCircuitPrediction::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::NoneCircuitPrediction")
                .SetParent<CircuitPrediction>()
                .AddConstructor<NoneCircuitPrediction>(),
            "Circuits move behind the gate, and tokens wait for them. (MixNet, section 7.1)")
            .SetGroupName("Rails");
    return tid;
}

} // namespace ns3::rails
