// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/circuit-prediction.h"
#include "ns3/component-documentation.h"

namespace ns3::rails
{

/// Dispatch uses the previous circuits; reconfiguration for the combine overlaps with experts.
/// (MixNet, appendix B)
class PreviousCircuitPrediction : public CircuitPrediction
{
  public:
    static TypeId GetTypeId();
};

NS_OBJECT_ENSURE_REGISTERED(PreviousCircuitPrediction);

TypeId
PreviousCircuitPrediction::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::PreviousCircuitPrediction")
                             .SetParent<CircuitPrediction>()
                             .AddConstructor<PreviousCircuitPrediction>(),
                         "Tokens take the circuits that are there; beside experts circuits "
                         "move for what comes back. (MixNet, appendix B)")
            .SetGroupName("Rails");
    return tid;
}

} // namespace ns3::rails
