// SPDX-License-Identifier: GPL-2.0-only
#ifndef FAST_BALANCER_H
#define FAST_BALANCER_H

#include "matrix-balancer.h"

#include "ns3/birkhoff-slots.h"
#include "ns3/rails-units.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// A stage of FastBalancer: every server sends to one other at most, and receives from one at most.
struct FastStage
{
    std::vector<uint32_t> destinations; //!< by server; itself when it sends nothing
    std::vector<uint64_t> frames;       //!< by server; 0 when it sends nothing
};

/**
 * FAST: `balance: {type: fast}`. What a server has for another one is spread evenly over the rails,
 * for which NVLink carries it to the GPUs near them, and the square of what servers have for each
 * other is decomposed into stages in which no NIC receives from two servers: see
 * DecomposeIntoSlots(). (arXiv 2505.09764v3)
 *
 * Servers do not wait for each other: stages are soft. All servers find the same stages, and how
 * long each of them takes its slowest server, ACKs included. A queue pair is held back until its
 * stage begins by a frame of it whose pace takes that long; then all leaves as quickly as the NIC
 * takes it. NVLink knows no stages: what it carries is under way from the start, so where a rail
 * has little from the GPUs near it, the first stages wait for NVLink and run into later ones. This
 * is our reading: the pages known to us leave open whether stages have a barrier.
 */
class FastBalancer : public MatrixBalancer
{
  public:
    static TypeId GetTypeId();

    FastBalancer()
    {
        m_traits.paces = true;
    }

    std::vector<Piece> Plan(const ServerView& view, const TrafficMatrix& matrix) override;

    /// \return the stages of a matrix, longest first, counted in frames; GPU pairs are left whole
    static std::vector<FastStage> FindStages(const TrafficMatrix& matrix,
                                             const FrameFormat& frames);

  private:
    ByteSize m_chunk;
    ByteSquare m_planned;            // what the stages are of, in frames: all servers ask for the
    std::vector<FastStage> m_stages; // same in turn
};

} // namespace ns3::rails

#endif // FAST_BALANCER_H
