// SPDX-License-Identifier: GPL-2.0-only
#ifndef DEMAND_PIECES_H
#define DEMAND_PIECES_H

#include "balancer.h"

#include "ns3/rails-units.h"
#include "ns3/range-checker.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * Cuts what a server has to send into pieces: as many of the full size as fit, then the remainder.
 * \param view what the server knows
 * \param findChunk the largest size of a piece of a demand, of which it gets the index
 * \return the pieces in the order of the demands, not yet placed on rails
 */
std::vector<Piece> CutDemands(const ServerView& view,
                              const std::function<uint64_t(uint32_t)>& findChunk);

/// The same with one size for all; ByteSize::Special() leaves every demand whole.
std::vector<Piece> CutDemands(const ServerView& view, ByteSize chunk);

/// The other servers that a server has something for, numbered: what a balancer keeps for each of
/// them needs no room for all servers of the cluster.
class DestinationServers
{
  public:
    explicit DestinationServers(const ServerView& view);

    /// \return how many there are
    uint32_t GetCount() const;

    /// \return the server of a number from 0; it grows with the number
    uint32_t GetServer(uint32_t number) const;

    /// \param demand index into ServerView::demands. \return the number of its server
    uint32_t GetNumber(uint32_t demand) const;

  private:
    std::vector<uint32_t> m_servers;
    std::vector<uint32_t> m_numbers; // by demand
};

/**
 * Divides an amount in proportion to shares. What rounding down leaves goes round among those that
 * have a share, one to each. Where nobody has one, all have the same.
 * \param amount how much
 * \param shares in any unit; at least one
 * \param turn whose turn it is first to get of what is left; moved on behind the last that got
 * \return what each gets, possibly nothing
 */
std::vector<uint64_t> DivideByShares(uint64_t amount, std::vector<double> shares, uint32_t& turn);

/**
 * Cuts bytes into parts for several rails, in proportion to the speeds of their NICs.
 * \param bytes how many
 * \param rails those that get a part
 * \param layout knows the speeds
 * \param turn which of the rails is the first to get a byte that is left over; moved on behind the
 * last one that got one
 * \return what each rail gets, possibly nothing
 */
std::vector<uint64_t> SplitOverRails(uint64_t bytes,
                                     const std::vector<uint16_t>& rails,
                                     const ServerLayout& layout,
                                     uint32_t& turn);

/// Pairs of NICs that what goes to another server takes.
using NicWays = std::vector<NicWay>;

/**
 * Cuts every demand into parts for all ways to its server, in proportion to their speeds. Bytes
 * that are left over go round from demand to demand of the same server, and begin elsewhere for
 * each server, so that the sending NICs get theirs evenly too. \param findWays the ways to another
 * server, asked once for each
 */
std::vector<Piece> SplitOverWays(const ServerView& view,
                                 const std::function<NicWays(uint32_t to)>& findWays);

/**
 * Declares the attribute Chunk of a balancer, which knows the word "whole".
 * \param id the balancer
 * \param chunk where it holds the size
 * \param standard the size unless it is set
 * \param help what the size is, with its source
 * \return the balancer
 */
template <typename T>
TypeId
AddChunk(TypeId id,
         ByteSize T::*chunk,
         ByteSize standard,
         const std::string& help = "Largest piece of what one GPU has for another.")
{
    return id.AddAttribute("Chunk",
                           help,
                           ByteSizeValue(standard),
                           MakeByteSizeAccessor(chunk),
                           MakeByteRange(1, RangeTraits<ByteSizeValue>::kHighest, {"whole"}));
}

} // namespace ns3::rails

#endif // DEMAND_PIECES_H
