// SPDX-License-Identifier: GPL-2.0-only
#ifndef NIMBLE_PLANNER_H
#define NIMBLE_PLANNER_H

#include "matrix-planner.h"

#include "ns3/rails-units.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * NIMBLE: `balance: {type: nimble}`. Places all pairs of the matrix so that the most loaded link is
 * loaded as little as can be found: links are NICs in either direction, and the NVLinks of GPUs.
 * What one GPU has for another leaves by one of the rails. On the source GPU's own it goes straight
 * to the NIC, on another one NVLink carries it to a relay, a GPU near that NIC; likewise at the
 * other end. (arXiv 2604.00317)
 *
 * Multiplicative weights: every round takes up each part and puts it where its most loaded link,
 * times that link's weight, is the smallest; then weights grow with loads, so that a link that
 * stays the worst is avoided. The best round is the plan. Every server finds the same and keeps its
 * own part. The order of the parts, the rounds and the growth are our reading.
 */
class NimblePlanner : public MatrixPlanner
{
  public:
    static TypeId GetTypeId();

    std::vector<Piece> Plan(const ServerView& view, const TrafficMatrix& matrix) override;

  private:
    class Routing;

    /// What one GPU has for another, or a part of it.
    struct Part
    {
        uint32_t source;
        uint32_t destination;
        uint64_t bytes;
        uint16_t rail;
    };

    static uint16_t FindNearRail(const ServerView& view, const Part& part);
    void AddParts(uint32_t source,
                  uint32_t destination,
                  uint64_t bytes,
                  std::vector<Part>& parts) const;
    void FindRails(Routing routing, std::vector<Part>& parts);

    ByteSize m_whole;
    ByteSize m_chunk;
    uint32_t m_rounds;
    double m_growth;
    double m_nvlink;

    // The last question and its answer: servers ask the same in turn.
    std::vector<uint64_t> m_question;
    std::vector<Part> m_answer;
};

} // namespace ns3::rails

#endif // NIMBLE_PLANNER_H
