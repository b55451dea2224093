// SPDX-License-Identifier: GPL-2.0-only
#include "popularity.h"

#include "ns3/component-documentation.h"
#include "ns3/double.h"
#include "ns3/random-bits.h"
#include "ns3/random-variable-stream.h"
#include "ns3/range-checker.h"

#include <algorithm>
#include <boost/random/gamma_distribution.hpp>
#include <numeric>
#include <utility>

namespace ns3::rails
{

/**
 * Shares from a symmetric Dirichlet distribution, drawn for each source GPU on its own:
 * `popularity: {type: dirichlet}`. A small concentration makes few experts take most tokens. No
 * share falls below one in 10^9, so that a token finds as many distinct experts as it needs.
 */
class DirichletPopularity : public Popularity
{
  public:
    static TypeId GetTypeId();

    DirichletPopularity();

    void Start(uint32_t experts) override;
    std::shared_ptr<const std::vector<double>> GetNext() override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    Ptr<UniformRandomVariable> m_random;
    double m_concentration;
    uint32_t m_experts{0};
};

NS_OBJECT_ENSURE_REGISTERED(DirichletPopularity);

TypeId
DirichletPopularity::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::DirichletPopularity").SetParent<Popularity>(),
                         "Shares from a Dirichlet distribution, drawn for each source GPU on its "
                         "own.")
            .SetGroupName("Rails")
            .AddConstructor<DirichletPopularity>()
            .AddAttribute("Concentration",
                          "Concentration of the Dirichlet distribution, the same for every expert; "
                          "the smaller, the more uneven.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&DirichletPopularity::m_concentration),
                          MakeNumberRange(0.01, 1e6));
    return tid;
}

DirichletPopularity::DirichletPopularity()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
DirichletPopularity::Start(uint32_t experts)
{
    m_experts = experts;
}

std::shared_ptr<const std::vector<double>>
DirichletPopularity::GetNext()
{
    // Independent gamma variates divided by their sum are Dirichlet distributed.
    RandomBits bits(m_random);
    boost::random::gamma_distribution<> gamma(m_concentration, 1);
    std::vector<double> shares(m_experts);
    double total = 0;
    while (total <= 0) // all of them can underflow when the concentration is small
    {
        std::generate(shares.begin(), shares.end(), [&] { return gamma(bits); });
        total = std::accumulate(shares.begin(), shares.end(), 0.0);
    }
    constexpr double kSmallestShare = 1e-9;
    for (double& share : shares)
    {
        share = std::max(share / total, kSmallestShare);
    }
    total = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares)
    {
        share /= total;
    }
    return std::make_shared<const std::vector<double>>(std::move(shares));
}

int64_t
DirichletPopularity::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace ns3::rails
