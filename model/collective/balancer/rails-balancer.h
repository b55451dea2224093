// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_BALANCER_H
#define RAILS_BALANCER_H

#include "dealing-balancer.h"

namespace ns3::rails
{

/**
 * RailS: `balance: {type: rails}`. A server cuts what it has to send into pieces, takes them
 * longest first, and gives each to its least-loaded NIC; the piece stays on that rail up to the
 * destination's server. A heap makes that O(F log F + F log N) for F pieces on N rails; rails are
 * few, so they are looked through instead. (arXiv 2510.19262, section on the LPT spraying
 * scheduler)
 *
 * This evens out what the NICs send. What a server receives is even as well only where all rails
 * lead everywhere and pieces are many, so there is a variant of ours that weighs both ends.
 */
class RailsBalancer : public DealingBalancer
{
  public:
    /// Which of several least-loaded rails gets the next piece.
    enum Tie
    {
        TIE_LOWEST, //!< the one with the lowest number
        TIE_ROTATED //!< the first one counted from the server's own number, and its group's, on
    };

    /// What is to be the same on all rails.
    enum Balances
    {
        SENDING,     //!< what the server sends
        DESTINATIONS //!< what the server sends in all, and to each other server
    };

    static TypeId GetTypeId();

    RailsBalancer()
    {
        m_traits.dealsInTurn = true;
    }

    std::vector<Piece> Plan(const ServerView& view) override;
    uint32_t GetPeriod(uint32_t nics) const override;

  private:
    struct RailBytes;

    double GetLoad(const RailBytes& sent,
                   const RailBytes& sentTo,
                   uint32_t rail,
                   uint64_t bytes,
                   const ServerLayout& layout) const;

    Tie m_tie;
    Balances m_balances;
};

} // namespace ns3::rails

#endif // RAILS_BALANCER_H
