// SPDX-License-Identifier: GPL-2.0-only
#ifndef PACED_PIECES_H
#define PACED_PIECES_H

#include "balancer.h"

#include "ns3/rails-units.h"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// A part of what a server has for another one, and when it is to leave.
struct PacedStage
{
    uint32_t number{0}; //!< stages are posted in the order of their numbers
    double share{1};    //!< of the whole, in any unit
    double seconds{0};  //!< in which it is to leave; 0: as quickly as NICs take it
    double begin{0};    //!< in seconds from the post on
    double end{0};      //!< likewise: when a queue pair is done with it that begins in time
};

/// How what a server has for another one is spread over rails and time.
struct PairSchedule
{
    std::vector<std::pair<uint16_t, double>> shares; //!< rails and their parts, in any unit
    std::vector<PacedStage> stages;                  //!< at least one; none begins before another
                                                     //!< one with a smaller number ends
    bool takesTurns{false}; //!< rails take a few frames in turn of GPUs that are not near them;
                            //!< otherwise all of a GPU pair that is left, one behind the other
};

/// \return the schedule of what leaves in so many seconds; 0: as quickly as NICs take it
PairSchedule MakeEvenSchedule(std::vector<std::pair<uint16_t, double>> shares, double seconds);

/// \return what server a server's NICs carry together, bit/s, as far as the view knows
double GetServerRate(const ServerView& view, uint32_t server);

/// \return what two servers carry between them on all rails, bit/s, as far as the view knows
double GetPairRate(const ServerView& view, uint32_t one, uint32_t other);

/**
 * Spreads what a server has for each other server over rails in as few pieces as their size allows:
 * rails begin with what GPUs near them have, the other GPU pairs are laid end to end, by
 * destination and source, and all are cut at borders of frames alone, so that spreading adds no
 * frames. Servers follow each other from the one behind the sender on. Pieces have the pace with
 * which their rail is done in the time of their stage; it counts wire bytes. Before a stage that
 * does not begin at once a queue pair sends a frame of it so slowly that the others leave when the
 * stage begins: a pace is all that makes a queue pair wait. What was late in a paced stage would
 * make up for it in that wait, so stages that begin late are not to follow paced ones.
 * \param view what the server has to send
 * \param chunk largest piece; a frame at least
 * \param schedule asked once for each other server
 */
std::vector<Piece> MakePacedPieces(const ServerView& view,
                                   ByteSize chunk,
                                   const std::function<PairSchedule(uint32_t to)>& schedule);

} // namespace ns3::rails

#endif // PACED_PIECES_H
