// SPDX-License-Identifier: GPL-2.0-only
#include "load-prediction.h"

#include "ns3/circuit-prediction.h"
#include "ns3/component-documentation.h"

#include <vector>

namespace ns3::rails
{

/// Reconfigures during attention for the dispatch predicted from earlier micro-batches and the
/// layer before, and during experts for the combine. (MixNet, appendix B)
class CopilotCircuitPrediction : public CircuitPrediction
{
  public:
    static TypeId GetTypeId();

    CopilotCircuitPrediction()
    {
        m_traits.foresees = true;
    }

    std::vector<double> Predict(const std::vector<SeenLoads>& seen,
                                const std::vector<double>& before) const override;
};

NS_OBJECT_ENSURE_REGISTERED(CopilotCircuitPrediction);

TypeId
CopilotCircuitPrediction::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::CopilotCircuitPrediction")
                .SetParent<CircuitPrediction>()
                .AddConstructor<CopilotCircuitPrediction>(),
            "Circuits move beside attention, to where earlier micro-batches and the layer "
            "before let expect tokens; then as with previous. (MixNet, appendix B)")
            .SetGroupName("Rails");
    return tid;
}

std::vector<double>
CopilotCircuitPrediction::Predict(const std::vector<SeenLoads>& seen,
                                  const std::vector<double>& before) const
{
    return PredictLoads(seen, before);
}

} // namespace ns3::rails
