// SPDX-License-Identifier: GPL-2.0-only
#include "dealing-balancer.h"

#include "ns3/component-documentation.h"
#include "ns3/random-bits.h"
#include "ns3/random-variable-stream.h"

#include <boost/random/uniform_int_distribution.hpp>
#include <map>
#include <random>

namespace ns3::rails
{

/**
 * Each piece on a rail drawn at random: `balance: {type: random}`. Every server has a generator of
 * its own, seeded from the stream and its number, so that its draws do not depend on what the
 * others have to send.
 */
class RandomBalancer : public DealingBalancer
{
  public:
    static TypeId GetTypeId();

    RandomBalancer();

    std::vector<Piece> Plan(const ServerView& view) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    std::mt19937_64& GetGenerator(uint32_t server);

    Ptr<UniformRandomVariable> m_random;
    std::vector<uint32_t> m_key; //!< drawn from the stream on first use
    std::map<uint32_t, std::mt19937_64> m_generators;
};

NS_OBJECT_ENSURE_REGISTERED(RandomBalancer);

TypeId
RandomBalancer::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::RandomBalancer").SetParent<DealingBalancer>(),
                         "Gives each piece to a NIC drawn at random.")
            .SetGroupName("Rails")
            .AddConstructor<RandomBalancer>();
    return tid;
}

RandomBalancer::RandomBalancer()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

std::vector<Piece>
RandomBalancer::Plan(const ServerView& view)
{
    std::mt19937_64& generator = GetGenerator(view.server);
    std::vector<Piece> pieces = Cut(view);
    for (Piece& piece : pieces)
    {
        const std::vector<uint16_t> rails =
            view.GetRails(view.shape.GetServer(view.demands[piece.demand].destination));
        boost::random::uniform_int_distribution<std::size_t> draw(0, rails.size() - 1);
        piece.txRail = rails[draw(generator)];
        piece.rxRail = piece.txRail;
    }
    return pieces;
}

std::mt19937_64&
RandomBalancer::GetGenerator(uint32_t server)
{
    if (m_key.empty())
    {
        RandomBits bits(m_random);
        m_key = {bits(), bits()};
    }
    auto found = m_generators.find(server);
    if (found == m_generators.end())
    {
        std::seed_seq seed{m_key[0], m_key[1], server};
        found = m_generators.emplace(server, std::mt19937_64(seed)).first;
    }
    return found->second;
}

int64_t
RandomBalancer::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    m_key.clear();
    m_generators.clear();
    return 1;
}

} // namespace ns3::rails
