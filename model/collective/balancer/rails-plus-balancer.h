// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_PLUS_BALANCER_H
#define RAILS_PLUS_BALANCER_H

#include "sums-balancer.h"

#include "ns3/rails-units.h"

namespace ns3::rails
{

/**
 * RailS with paces (ours): `balance: {type: rails-plus}`. What a server has for another one is
 * split evenly over rails, and each part is paced so that no NIC is to send or receive more than it
 * takes: with D(k, f) the wire bytes of server k for server f, ACKs for what f sends to k included,
 * the pair gets D(k, f) / max(row k, column k, row f, column f) of its NICs, both ways. The shares
 * of a NIC add up to one at most, whether it sends or receives, and the server with the largest sum
 * is busy all the time. So queues hold what the start brings together, a frame of each sender; no
 * frame is marked, and no pause is needed.
 *
 * With NICs that are slower or dead, rows and columns are times: bytes over the rates of a server's
 * NICs, and a pair's part on a rail follows what both ends have left on it.
 */
class RailsPlusBalancer : public SumsBalancer
{
  public:
    static TypeId GetTypeId();

    RailsPlusBalancer()
    {
        m_traits.paces = true;
    }

    std::vector<Piece> Plan(const ServerView& view, const ServerSums& sums) override;

  private:
    ByteSize m_chunk;
};

} // namespace ns3::rails

#endif // RAILS_PLUS_BALANCER_H
