// SPDX-License-Identifier: GPL-2.0-only
#include "paced-pieces.h"

#include "demand-pieces.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace ns3::rails
{

namespace
{

/// Frames that a rail takes from a GPU that is not near it before the next one has its turn: NVLink
/// brings what all of them have at the same time, and a queue pair that takes it in another order
/// waits.
constexpr uint64_t kTurn = 32;

/// What one GPU has for another, or a part of it.
struct LinePart
{
    uint32_t demand;
    uint64_t bytes;
};

/// What leaves by one rail for one server, as frames that are laid end to end.
class FrameLine
{
  public:
    explicit FrameLine(const ServerView& view)
        : m_view(view)
    {
    }

    /// Moves frames here from a part: all that it has, or so many.
    /// \return how many
    uint64_t Move(LinePart& part, uint64_t most)
    {
        const Cut cut = CutOff(part, most);
        if (cut.bytes > 0)
        {
            m_parts.push_back({part.demand, cut.bytes});
        }
        return cut.frames;
    }

    /// Puts what is for a GPU near the rail first, then what is for those behind it.
    void BeginNear(uint16_t rail)
    {
        const uint32_t gpus = m_view.shape.gpusPerServer;
        const uint32_t near = m_view.GetLayout().GetNearGpus(rail).front();
        const auto getDistance = [&](const LinePart& part) {
            return (m_view.shape.GetLocal(m_view.demands[part.demand].destination) + gpus - near) %
                   gpus;
        };
        std::stable_sort(m_parts.begin(),
                         m_parts.end(),
                         [&getDistance](const LinePart& one, const LinePart& other) {
                             return getDistance(one) < getDistance(other);
                         });
    }

    /// Adds the next frames as pieces of at most `most` frames on a rail.
    void Take(uint64_t frames, uint64_t most, uint16_t rail, std::vector<Piece>& pieces)
    {
        while (frames > 0)
        {
            LinePart& part = m_parts[m_at];
            const Cut cut = CutOff(part, std::min(frames, most));
            pieces.push_back({part.demand, cut.bytes, rail, rail});
            frames -= cut.frames;
            m_at += part.bytes == 0 ? 1 : 0;
        }
    }

  private:
    /// What is cut off a part.
    struct Cut
    {
        uint64_t frames;
        uint64_t bytes;
    };

    /// Cuts off so many frames, or all that there are.
    Cut CutOff(LinePart& part, uint64_t most) const
    {
        const FrameFormat& format = m_view.frames;
        const uint64_t frames = std::min(most, format.CountFrames(part.bytes));
        const uint64_t bytes = std::min(part.bytes, frames * format.mtu);
        part.bytes -= bytes;
        return {frames, bytes};
    }

    const ServerView& m_view;
    std::vector<LinePart> m_parts;
    std::size_t m_at{0};
};

/// Lays what is for one server on its rails, what GPUs near them have first: the rest crosses
/// NVLink meanwhile, which serves all rails and servers alike, however much each of them needs.
/// \param frames of each rail, all of them together
std::vector<FrameLine>
LayLines(const ServerView& view,
         const std::vector<uint32_t>& demands,
         const PairSchedule& schedule,
         std::vector<uint64_t> frames)
{
    std::vector<LinePart> parts;
    for (const uint32_t demand : demands)
    {
        parts.push_back({demand, view.demands[demand].bytes});
    }
    std::vector<FrameLine> lines(frames.size(), FrameLine(view));
    for (std::size_t i = 0; i < lines.size(); ++i)
    {
        const uint16_t rail = schedule.shares[i].first;
        const std::vector<uint16_t>& near = view.GetLayout().GetNearGpus(rail);
        for (LinePart& part : parts)
        {
            const uint32_t source = view.shape.GetLocal(view.demands[part.demand].source);
            if (std::find(near.begin(), near.end(), source) != near.end())
            {
                frames[i] -= lines[i].Move(part, frames[i]);
            }
        }
        lines[i].BeginNear(rail);
    }
    std::size_t next = 0; // the part whose turn it is
    for (std::size_t i = 0; i < lines.size(); ++i)
    {
        while (frames[i] > 0)
        {
            frames[i] -=
                lines[i].Move(parts[next],
                              schedule.takesTurns ? std::min(frames[i], kTurn) : frames[i]);
            const bool isNext = schedule.takesTurns ? frames[i] > 0 : parts[next].bytes == 0;
            next = (next + (isNext ? 1 : 0)) % parts.size();
        }
    }
    return lines;
}

/// Divides frames over the rails of a schedule; the first of what is left goes to one of them.
std::vector<uint64_t>
DivideFrames(uint64_t frames, const PairSchedule& schedule, uint32_t first)
{
    std::vector<double> shares;
    for (const auto& [rail, share] : schedule.shares)
    {
        shares.push_back(share);
    }
    return DivideByShares(frames, std::move(shares), first);
}

void
SetPace(const ServerView& view, double seconds, std::vector<Piece>& pieces, std::size_t first)
{
    if (seconds <= 0)
    {
        return;
    }
    uint64_t wire = 0;
    for (std::size_t i = first; i < pieces.size(); ++i)
    {
        wire += view.frames.GetMessageWire(pieces[i].bytes);
    }
    for (std::size_t i = first; i < pieces.size(); ++i)
    {
        pieces[i].paceBps = static_cast<uint64_t>(8 * static_cast<double>(wire) / seconds) + 1;
    }
}

/// What leaves in a stage.
struct StagedPiece
{
    uint32_t stage;
    Piece piece;
};

/// Takes the frames of a rail from the line, stage by stage.
void
TakeStages(const ServerView& view,
           const PairSchedule& schedule,
           uint64_t frames,
           uint64_t most,
           uint16_t rail,
           FrameLine& line,
           std::vector<StagedPiece>& staged)
{
    double all = 0;
    for (const PacedStage& stage : schedule.stages)
    {
        all += stage.share;
    }
    double share = 0;   // of the stages so far
    uint64_t taken = 0; // frames
    double free = 0;    // when the queue pair is done with them
    for (const PacedStage& stage : schedule.stages)
    {
        share += stage.share;
        const bool isLast = &stage == &schedule.stages.back();
        const auto part = static_cast<uint64_t>(static_cast<double>(frames) * share / all);
        uint64_t count = (isLast ? frames : std::min(part, frames)) - taken;
        taken += count;
        if (count == 0)
        {
            continue;
        }
        std::vector<Piece> pieces;
        if (stage.begin > free)
        {
            line.Take(1, most, rail, pieces);
            SetPace(view, stage.begin - free, pieces, 0);
            --count;
        }
        const std::size_t first = pieces.size();
        line.Take(count, most, rail, pieces);
        SetPace(view, stage.seconds, pieces, first);
        free = count > 0 ? stage.end : stage.begin;
        for (const Piece& piece : pieces)
        {
            staged.push_back({stage.number, piece});
        }
    }
}

} // namespace

PairSchedule
MakeEvenSchedule(std::vector<std::pair<uint16_t, double>> shares, double seconds)
{
    return {std::move(shares), {{0, 1, seconds}}, false};
}

double
GetServerRate(const ServerView& view, uint32_t server)
{
    return GetPairRate(view, server, server);
}

double
GetPairRate(const ServerView& view, uint32_t one, uint32_t other)
{
    double rate = 0;
    for (uint32_t rail = 0; view.getNicRate && rail < view.shape.nicsPerServer; ++rail)
    {
        rate += std::min(view.GetRate(one, rail), view.GetRate(other, rail));
    }
    return rate;
}

std::vector<Piece>
MakePacedPieces(const ServerView& view,
                ByteSize chunk,
                const std::function<PairSchedule(uint32_t to)>& schedule)
{
    const uint32_t servers = view.shape.servers;
    const uint64_t most = std::max<uint64_t>(1, chunk.Get() / view.frames.mtu);
    std::map<uint32_t, std::vector<uint32_t>> demands; // by server, counted from the own one
    for (uint32_t demand = 0; demand < view.demands.size(); ++demand)
    {
        const uint32_t to = view.shape.GetServer(view.demands[demand].destination);
        demands[(to + servers - view.server) % servers].push_back(demand);
    }
    std::vector<StagedPiece> staged;
    for (auto& [distance, ofServer] : demands)
    {
        const uint32_t to = (view.server + distance) % servers;
        std::stable_sort(ofServer.begin(), ofServer.end(), [&view](uint32_t one, uint32_t other) {
            return view.demands[one].destination < view.demands[other].destination;
        });
        uint64_t frames = 0;
        for (const uint32_t demand : ofServer)
        {
            frames += view.frames.CountFrames(view.demands[demand].bytes);
        }
        const PairSchedule pair = schedule(to);
        const std::vector<uint64_t> parts = DivideFrames(frames, pair, view.server + to);
        std::vector<FrameLine> lines = LayLines(view, ofServer, pair, parts);
        for (std::size_t i = 0; i < parts.size(); ++i)
        {
            TakeStages(view, pair, parts[i], most, pair.shares[i].first, lines[i], staged);
        }
    }
    std::stable_sort(
        staged.begin(),
        staged.end(),
        [](const StagedPiece& one, const StagedPiece& other) { return one.stage < other.stage; });
    std::vector<Piece> pieces;
    pieces.reserve(staged.size());
    for (const StagedPiece& one : staged)
    {
        pieces.push_back(one.piece);
    }
    return pieces;
}

} // namespace ns3::rails
