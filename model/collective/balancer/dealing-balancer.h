// SPDX-License-Identifier: GPL-2.0-only
#ifndef DEALING_BALANCER_H
#define DEALING_BALANCER_H

#include "row-balancer.h"

#include "ns3/rails-units.h"

#include <vector>

namespace ns3::rails
{

/**
 * A balancer that cuts what its server has to send into pieces and deals them over the rails.
 *
 * With `chunk: automatic` pieces are so small that the longest-first rule, which puts on one of N
 * rails no more than the mean and (N - 1) / N of the largest piece (Graham, SIAM J. Appl. Math. 17,
 * 1969), leaves no rail more than 1 % above the mean of what its server sends to another one.
 * Pieces that do so for all that the server sends are as many times larger as there are other
 * servers, and leave what each of these receives uneven. What comes out even by itself is cut no
 * finer: a demand of more than N such pieces becomes N equal ones, and where pieces are dealt in
 * turn, equal demands stay whole if those of a GPU for a server are a multiple of N.
 */
class DealingBalancer : public RowBalancer
{
  public:
    static TypeId GetTypeId();

    double EstimatePieces(double bytes, const ClusterShape& shape, bool areEqual) const override;

  protected:
    /// \return all demands in pieces (CutDemands()), not yet placed on rails
    std::vector<Piece> Cut(const ServerView& view) const;

  private:
    /// What is sent to a server, and how.
    struct ToServer
    {
        uint64_t bytes{0};
        uint64_t each{0}; //!< of the first demand
        uint64_t rails{1};
        bool isEven{true};  //!< N equal pieces, one for each rail, leave all rails alike
        bool isWhole{true}; //!< so do the demands as they are
    };

    uint64_t FindChunk(uint64_t demand, const ToServer& all, uint64_t mtu) const;

    ByteSize m_chunk;
    ByteSize m_minChunk;
};

} // namespace ns3::rails

#endif // DEALING_BALANCER_H
