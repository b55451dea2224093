// SPDX-License-Identifier: GPL-2.0-only
#include "common-popularity.h"

#include "ns3/component-documentation.h"

namespace ns3::rails
{

/// All experts are equally popular: `popularity: {type: uniform}`.
class UniformPopularity : public CommonPopularity
{
  public:
    static TypeId GetTypeId();

  private:
    std::vector<double> Draw(uint32_t experts) override;
};

NS_OBJECT_ENSURE_REGISTERED(UniformPopularity);

TypeId
UniformPopularity::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::UniformPopularity").SetParent<Popularity>(),
                         "All experts are equally popular.")
            .SetGroupName("Rails")
            .AddConstructor<UniformPopularity>();
    return tid;
}

std::vector<double>
UniformPopularity::Draw(uint32_t experts)
{
    return GetMean(experts);
}

} // namespace ns3::rails
