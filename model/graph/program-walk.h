// SPDX-License-Identifier: GPL-2.0-only
#ifndef PROGRAM_WALK_H
#define PROGRAM_WALK_H

#include "graph-program.h"
#include "stream-heads.h"

#include "ns3/rails-units.h"
#include "ns3/transfer-bound.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ns3::rails
{

/// Two times of a program, found in one walk.
struct ProgramTimes
{
    TimePs compute{0}; //!< if every transfer were over at once
    TimePs path{0};    //!< if every transfer had the cluster for itself

    bool operator==(const ProgramTimes& other) const
    {
        return compute == other.compute && path == other.path;
    }

    ProgramTimes operator+(const ProgramTimes& other) const
    {
        return {AddTimes(compute, other.compute), AddTimes(path, other.path)};
    }

    ProgramTimes operator-(const ProgramTimes& other) const
    {
        return {compute - other.compute, path - other.path};
    }

    /// Takes the maximum of each time.
    void Raise(const ProgramTimes& other)
    {
        compute = std::max(compute, other.compute);
        path = std::max(path, other.path);
    }
};

/// Called now and then with the part of a program that has been walked, from 0 to 1; may be empty.
using WalkCallback = std::function<void(double)>;

/// Walks through a program without a network. The order of the walk does not matter, as times are
/// only sums and maxima.
class ProgramWalk
{
  public:
    /**
     * \param program must outlive the walk
     * \param transfers lower bounds of the times of transfers; must outlive the walk. Null: both
     * times are without transfers
     * \param callback hears of progress
     */
    ProgramWalk(const GraphProgram& program,
                const TransferBound* transfers,
                WalkCallback callback = nullptr);

    /// \return the end of the last node
    /// \throws std::logic_error when the program deadlocks
    ProgramTimes Go();

    /// \return ends of all nodes of a stream, in order; empty when the GPU has no such stream
    const std::vector<ProgramTimes>& GetEnds(uint32_t gpu, uint32_t stream) const;

  private:
    /// Steps of a transfer that follow each other.
    struct Lane
    {
        uint32_t step; //!< the next step to receive, as an index in the transfer
        uint32_t end;
        ProgramTimes at;               //!< begin of that step
        std::optional<uint64_t> toGet; //!< bytes to receive in that step; nothing: not known yet
    };

    struct Head
    {
        GraphNode node;
        std::vector<ProgramTimes> ends{}; //!< of the nodes that are over
        ProgramTimes at{};                //!< begin of the node
        ProgramTimes known{};             //!< of a transfer: delivery of the last byte sent
        std::vector<Lane> lanes{};        //!< of a transfer
        bool isLoaded{false};
        bool isBegun{false};
        bool isEnded{false};
    };

    /// Bytes that have been sent to a GPU in a step.
    struct Part
    {
        uint64_t got{0};
        ProgramTimes latest{};                             //!< latest delivery
        TimePs posted{std::numeric_limits<TimePs>::max()}; //!< first post, in ProgramTimes::path
    };

    struct Barrier
    {
        uint32_t come{0}; //!< members that have arrived
        ProgramTimes latest{};
        std::vector<uint32_t> gpus;
    };

    bool Advance(uint32_t gpu, uint32_t stream);
    void Change(uint32_t gpu);
    bool Begin(uint32_t gpu, Head& head);
    void Send(uint32_t gpu, Head& head, uint32_t step, const ProgramTimes& at);
    bool Receive(uint32_t gpu, Head& head);
    bool ReceiveStep(uint32_t gpu, const GraphNode& node, Lane& lane);
    bool Pass(uint32_t gpu, Head& head);
    bool End(uint32_t gpu, Head& head, const ProgramTimes& at);
    void Tell();

    const GraphProgram& m_program;
    const TransferBound* m_transfers;
    WalkCallback m_callback;
    StreamHeads<Head> m_heads;
    std::unordered_map<uint64_t, Part> m_parts;
    std::unordered_map<uint32_t, Barrier> m_barriers;
    std::vector<uint32_t> m_changed;
    std::vector<bool> m_isChanged; //!< by GPU
    uint64_t m_over{0};            //!< nodes that are over
    uint64_t m_nodes{0};           //!< nodes in all; only counted for the callback
};

} // namespace ns3::rails

#endif // PROGRAM_WALK_H
