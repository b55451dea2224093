// SPDX-License-Identifier: GPL-2.0-only
#include "dirichlet-popularity.h"

#include "ns3/double.h"
#include "ns3/rails-about.h"
#include "ns3/random-bits.h"
#include "ns3/range-checker.h"

#include <algorithm>
#include <boost/random/gamma_distribution.hpp>
#include <numeric>
#include <utility>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(DirichletPopularity);

TypeId
DirichletPopularity::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::DirichletPopularity").SetParent<Popularity>(),
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
