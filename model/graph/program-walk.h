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

/// Two times of a program, which grow and meet alike.
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

    /// Becomes the later one, time by time.
    void Raise(const ProgramTimes& other)
    {
        compute = std::max(compute, other.compute);
        path = std::max(path, other.path);
    }
};

/// Called now and then with the part of a program that has been gone through; may be empty.
using WalkCallback = std::function<void(double)>;

/// Goes through a program without a network; the order of its steps does not matter, as times only
/// add and meet.
class ProgramWalk
{
  public:
    /**
     * \param program has to live as long
     * \param transfers what transfers take at the least, likewise; null: both times are without
     * transfers
     * \param callback told how far it is
     */
    ProgramWalk(const GraphProgram& program,
                const TransferBound* transfers,
                WalkCallback callback = nullptr);

    /// \return the end of the last node. A program in which some wait for ever throws
    /// std::logic_error.
    ProgramTimes Go();

    /// \return ends of all nodes of a stream, in their order; of a GPU without such a stream none
    const std::vector<ProgramTimes>& GetEnds(uint32_t gpu, uint32_t stream) const;

  private:
    /// Steps of a transfer that follow each other.
    struct Lane
    {
        uint32_t step; //!< of the transfer, the next one that has to come
        uint32_t end;
        ProgramTimes at;               //!< when that one began
        std::optional<uint64_t> toGet; //!< of that one; none: not asked for yet
    };

    struct Head
    {
        GraphNode node;
        std::vector<ProgramTimes> ends{}; //!< of the nodes that are over
        ProgramTimes at{};                //!< when the node began
        ProgramTimes known{};             //!< of a transfer, when all own bytes have arrived
        std::vector<Lane> lanes{};        //!< of a transfer
        bool isLoaded{false};
        bool isBegun{false};
        bool isEnded{false};
    };

    /// What has come for a GPU in a step.
    struct Part
    {
        uint64_t got{0};
        ProgramTimes latest{};                             //!< delivery
        TimePs posted{std::numeric_limits<TimePs>::max()}; //!< the first of it, on the path
    };

    struct Barrier
    {
        uint32_t come{0};
        ProgramTimes latest{};
        std::vector<uint32_t> gpus;
    };

    bool GoOn(uint32_t gpu, uint32_t stream);
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
    uint64_t m_over{0};            //!< nodes
    uint64_t m_nodes{0};           //!< in all; only where the callback wants to know
};

} // namespace ns3::rails

#endif // PROGRAM_WALK_H
