// SPDX-License-Identifier: GPL-2.0-only
#include "uniform-popularity.h"

#include "ns3/rails-about.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(UniformPopularity);

TypeId
UniformPopularity::GetTypeId()
{
    static TypeId tid = AddAbout(TypeId("ns3::rails::UniformPopularity").SetParent<Popularity>(),
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
