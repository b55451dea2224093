// SPDX-License-Identifier: GPL-2.0-only
#include "random-planner.h"

#include "ns3/rails-about.h"
#include "ns3/random-bits.h"

#include <boost/random/uniform_int_distribution.hpp>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(RandomPlanner);

TypeId
RandomPlanner::GetTypeId()
{
    static TypeId tid = AddAbout(TypeId("ns3::rails::RandomPlanner").SetParent<DealingPlanner>(),
                                 "Gives each piece to a NIC drawn at random.")
                            .SetGroupName("Rails")
                            .AddConstructor<RandomPlanner>();
    return tid;
}

RandomPlanner::RandomPlanner()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

std::vector<Piece>
RandomPlanner::Plan(const ServerView& view)
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
RandomPlanner::GetGenerator(uint32_t server)
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
RandomPlanner::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    m_key.clear();
    m_generators.clear();
    return 1;
}

} // namespace ns3::rails
