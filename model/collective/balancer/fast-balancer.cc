// SPDX-License-Identifier: GPL-2.0-only
#include "fast-balancer.h"

#include "demand-pieces.h"
#include "paced-pieces.h"

#include "ns3/component-documentation.h"

#include <algorithm>
#include <utility>

namespace ns3::rails
{

namespace
{

/// What servers have for each other.
struct ServerSquare
{
    ServerSquare(const TrafficMatrix& matrix, const FrameFormat& format)
        : frames(matrix.GetShape().servers, std::vector<uint64_t>(matrix.GetShape().servers)),
          bytes(frames)
    {
        VisitServerTraffic(matrix,
                           format,
                           [this](uint32_t from, uint32_t to, const ServerTraffic& traffic) {
                               frames[from][to] += traffic.frames;
                               bytes[from][to] += traffic.bytes;
                           });
    }

    ByteSquare frames;
    ByteSquare bytes;
};

std::vector<FastStage>
Decompose(const ByteSquare& frames)
{
    std::vector<FastStage> stages;
    ByteSquare left = frames;
    for (BirkhoffSlot& slot : DecomposeIntoSlots(PadToEqualSums(frames)))
    {
        std::vector<uint64_t> taken = TakeSlot(slot, left);
        stages.push_back({std::move(slot.destinations), std::move(taken)});
    }
    return stages;
}

/// Knows how long stages take.
class StageClock
{
  public:
    StageClock(const ServerView& view, const ServerSquare& square)
        : m_view(view),
          m_square(square)
    {
    }

    /// \return the seconds until the last server is done; 0 when nothing is known of rates
    double GetSeconds(const FastStage& stage) const
    {
        // Data goes one way and ACKs the other, so a server that sends to one and receives from
        // another one has both in both directions.
        std::vector<double> sending(stage.frames.size(), 0);
        std::vector<double> receiving(stage.frames.size(), 0);
        for (uint32_t from = 0; from < stage.frames.size(); ++from)
        {
            const uint32_t to = stage.destinations[from];
            const double rate = stage.frames[from] > 0 ? GetPairRate(m_view, from, to) : 0;
            if (rate <= 0)
            {
                continue;
            }
            const double part = static_cast<double>(stage.frames[from]) /
                                static_cast<double>(m_square.frames[from][to]);
            const FrameFormat& format = m_view.frames;
            const double data =
                part * static_cast<double>(
                           format.GetDataWire(m_square.bytes[from][to], m_square.frames[from][to]));
            const auto acks = static_cast<double>(format.GetAckWire(stage.frames[from]));
            sending[from] += 8 * data / rate;
            receiving[to] += 8 * data / rate;
            receiving[from] += 8 * acks / rate;
            sending[to] += 8 * acks / rate;
        }
        return std::max(*std::max_element(sending.begin(), sending.end()),
                        *std::max_element(receiving.begin(), receiving.end()));
    }

  private:
    const ServerView& m_view;
    const ServerSquare& m_square;
};

} // namespace

NS_OBJECT_ENSURE_REGISTERED(FastBalancer);

TypeId
FastBalancer::GetTypeId()
{
    static TypeId tid =
        AddChunk(SetDocumentation(
                     TypeId("ns3::rails::FastBalancer").SetParent<MatrixBalancer>(),
                     "FAST: what a server has for another one is evened out over its NICs "
                     "by NVLink, and leaves in stages in which each server sends to one "
                     "other and receives from one, by the decomposition of Birkhoff and von "
                     "Neumann. Stages are soft: servers do not wait for each other. All of them "
                     "reckon when a stage begins, ACKs included; until then a queue pair "
                     "sends one frame of it, with a pace that takes as long. NVLink carries "
                     "all from the start. (arXiv 2505.09764v3; ours, unknown there: soft "
                     "stages and their times, the longest stage first, cuts at borders of "
                     "frames, what GPUs near a NIC have goes first)")
                     .SetGroupName("Rails")
                     .AddConstructor<FastBalancer>(),
                 &FastBalancer::m_chunk,
                 ByteSize(1'000'000),
                 "Largest piece, cut at borders of frames. (ours: what a NIC that dies loses)");
    return tid;
}

std::vector<FastStage>
FastBalancer::FindStages(const TrafficMatrix& matrix, const FrameFormat& frames)
{
    return Decompose(ServerSquare(matrix, frames).frames);
}

std::vector<Piece>
FastBalancer::Plan(const ServerView& view, const TrafficMatrix& matrix)
{
    const ServerSquare square(matrix, view.frames);
    if (square.frames != m_planned)
    {
        m_planned = square.frames;
        m_stages = Decompose(square.frames);
    }
    const StageClock clock(view, square);
    std::vector<std::vector<PacedStage>> own(view.shape.servers); // by destination
    double begin = 0;
    for (uint32_t number = 0; number < m_stages.size(); ++number)
    {
        const FastStage& stage = m_stages[number];
        const double end = begin + clock.GetSeconds(stage);
        if (const uint64_t frames = stage.frames[view.server]; frames > 0)
        {
            own[stage.destinations[view.server]].push_back(
                {number, static_cast<double>(frames), 0, begin, end});
        }
        begin = end;
    }
    // After a failure a server plans what is left, which follows the stages of the whole.
    return MakePacedPieces(view, m_chunk, [&](uint32_t to) {
        PairSchedule schedule = MakeEvenSchedule(view.GetRailRates(to), 0);
        if (!own[to].empty())
        {
            schedule.stages = own[to];
        }
        schedule.takesTurns = true;
        return schedule;
    });
}

} // namespace ns3::rails
