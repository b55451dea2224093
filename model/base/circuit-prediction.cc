// SPDX-License-Identifier: GPL-2.0-only
#include "circuit-prediction.h"

#include "component-documentation.h"

#include <stdexcept>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(CircuitPrediction);

TypeId
CircuitPrediction::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::CircuitPrediction").SetParent<Object>(),
                         "When circuits move for tokens that go forward, and where these "
                         "are expected to go. (MixNet, appendix B)")
            .SetGroupName("Rails");
    return tid;
}

std::vector<double>
CircuitPrediction::Predict(const std::vector<SeenLoads>&, const std::vector<double>&) const
{
    throw std::logic_error("this prediction of circuits foresees nothing");
}

} // namespace ns3::rails
