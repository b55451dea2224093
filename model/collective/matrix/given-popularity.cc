// SPDX-License-Identifier: GPL-2.0-only
#include "common-popularity.h"

#include "ns3/component-documentation.h"
#include "ns3/rails-error.h"
#include "ns3/value-list.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace ns3::rails
{

/// Shares given one by one, the same for all sources: `popularity: {type: given}`.
class GivenPopularity : public CommonPopularity
{
  public:
    static TypeId GetTypeId();

    void Check(uint32_t experts, uint32_t topK) const override;
    std::vector<double> GetMean(uint32_t experts) const override;

  private:
    std::vector<double> Draw(uint32_t experts) override;

    NumberList m_shares;
};

NS_OBJECT_ENSURE_REGISTERED(GivenPopularity);

TypeId
GivenPopularity::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::GivenPopularity").SetParent<Popularity>(),
                         "Shares given one by one, the same for all sources.")
            .SetGroupName("Rails")
            .AddConstructor<GivenPopularity>()
            .AddAttribute("Shares",
                          "Weight of each expert, in any scale.",
                          NumberListValue(),
                          MakeNumberListAccessor(&GivenPopularity::m_shares),
                          MakeNumberListChecker());
    return tid;
}

void
GivenPopularity::Check(uint32_t experts, uint32_t topK) const
{
    const std::vector<double>& shares = m_shares.Get();
    if (shares.size() != experts)
    {
        throw ConfigurationError("shares",
                                 "expected one share for each of the " + std::to_string(experts) +
                                     " experts, found " + std::to_string(shares.size()));
    }
    if (!std::all_of(shares.begin(), shares.end(), [](double share) {
            return share >= 0 && std::isfinite(share);
        }))
    {
        throw ConfigurationError("shares", "expected shares that are not negative");
    }
    const auto positive =
        std::count_if(shares.begin(), shares.end(), [](double share) { return share > 0; });
    if (positive < topK)
    {
        throw ConfigurationError("shares",
                                 "a token chooses " + std::to_string(topK) +
                                     " distinct experts, but only " + std::to_string(positive) +
                                     " have a share above 0");
    }
}

std::vector<double>
GivenPopularity::Draw(uint32_t experts)
{
    return GetMean(experts);
}

std::vector<double>
GivenPopularity::GetMean(uint32_t) const
{
    std::vector<double> shares = m_shares.Get();
    const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares)
    {
        share /= total;
    }
    return shares;
}

} // namespace ns3::rails
