// SPDX-License-Identifier: GPL-2.0-only
#ifndef FAST_FORWARD_H
#define FAST_FORWARD_H

#include "engine-record.h"

#include "ns3/gpu-spans.h"
#include "ns3/graph-record.h"
#include "ns3/graph-repetition.h"
#include "ns3/rails-units.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// Number of a program's equal units to run.
struct ForwardPart
{
    enum class Choice : uint8_t
    {
        All,
        Fewest, //!< as many as are probably enough
        Given
    };

    Choice choice{Choice::All};
    uint32_t units{0}; //!< Given: units of an iteration
    uint32_t tried{0}; //!< units of earlier runs that did not suffice
};

/// Extrapolation of a whole run from a part.
struct ForwardRecord
{
    uint32_t units{0};    //!< of an iteration: micro-batches
    uint32_t unitsRun{0}; //!< units of an iteration that ran
    uint32_t cycle{1};    //!< units of a cycle, after which all repeats
    double period{0};     //!< time of a unit in ps, the mean over iterations
    double deviation{0};  //!< largest relative deviation of a node's period from its iteration's
};

/// Counters of a run at an instant.
struct RunCounters
{
    EngineRecord engine;
    GraphRecord graph;
};

/**
 * Extrapolates a run from a part of its equal units: checks that the last units took equally long
 * on all GPUs (a steady state), and adds the omitted units to times and counters.
 *
 * In a steady state, nodes depend only on nodes of the unit before. Once all nodes of a few units
 * end one period later than their counterparts, so do all later units, until the end of an
 * iteration is near. So each omitted cycle adds a period, and the growth of each counter in a
 * period. Nodes that run ahead may have another period; each unit has equally many (AheadTimes).
 */
class FastForward
{
  public:
    /// Largest relative deviation of a node's period from the mean of its iteration.
    static constexpr double kTolerance = 2e-4;

    /**
     * \param repetition of the whole program
     * \param part of its units that runs
     * \param iterations of the program
     * \param count returns the counters shortly after a GPU has ended a unit; the critical path is
     * the one to that GPU
     */
    FastForward(const GraphRepetition& repetition,
                const ForwardPart& part,
                uint32_t iterations,
                std::function<RunCounters(uint32_t)> count);

    /// \return the kind of nodes whose spans AddLeftOut() needs; nothing: no spans
    const std::optional<uint16_t>& GetAheadKind() const
    {
        return m_aheadKind;
    }

    /// \return the part for a first run; all units where there are too few
    static ForwardPart ChoosePart(const GraphRepetition& repetition);

    /// Before the run: a GPU is idle, as folded replicas represent it.
    void Ignore(uint32_t gpu);

    /// A node is over. \param over number of nodes of the stream that are over
    void OnEnd(uint32_t gpu, uint32_t stream, uint64_t over, TimePs at);

    /// \return true when this stopped the simulator early, since the units of an iteration were not
    /// steady and the rest of the run would be useless
    bool IsInVain() const
    {
        return m_isInVain;
    }

    /// To be called when the run is done, or in vain: looks for the steady state.
    void Conclude();

    /// \return the extrapolation; nothing when Conclude() found no steady state, or the omitted
    /// units are no whole cycles
    const std::optional<ForwardRecord>& GetRecord() const
    {
        return m_record;
    }

    /// \return the part for the next run, when there is no record
    const ForwardPart& GetNextPart() const
    {
        return m_next;
    }

    // The functions below need a record.

    /// \return the time of all omitted units
    TimePs GetTime() const;

    /// Adds the omitted units.
    void AddLeftOut(EngineRecord& record) const;

    /// Adds the omitted units. \param spans of all GPUs; needed with GetAheadKind()
    void AddLeftOut(GraphRecord& record, const std::vector<GpuSpans>& spans) const;

  private:
    /// Steady state of an iteration.
    struct Steady
    {
        uint32_t cycle;   //!< units
        double time;      //!< of a cycle, in ps
        double deviation; //!< largest relative deviation of a node's period
        std::size_t last; //!< last unit of the reference with steady counters
    };

    void ChooseReference();
    void Count();
    void AddAhead(KindRecord& record, const std::vector<GpuSpans>& spans) const;
    void Judge(uint32_t iteration);
    bool LeavesOutWhole(uint32_t cycle) const;
    std::optional<Steady> FindLasting(uint32_t iteration) const;
    void TryAgain(uint32_t units, uint32_t cycle);
    std::optional<Steady> FindSteady(uint32_t iteration) const;
    std::optional<Steady> Measure(uint32_t iteration, TimePs until, uint32_t cycle) const;
    bool Drifts(uint32_t iteration, const Steady& steady) const;
    TimePs FindEnd(uint32_t iteration) const;
    using Times = std::vector<TimePs>::const_iterator;
    std::pair<Times, Times> ListEnds(std::size_t which, uint32_t iteration, TimePs until) const;
    std::size_t CountTimes(std::size_t which) const;
    template <typename Function>
    void ForEachIteration(const Function& function) const;

    uint32_t m_units;
    ForwardPart m_part;
    uint32_t m_iterations;
    uint32_t m_cycle;
    bool m_isLoose;
    std::optional<uint16_t> m_aheadKind;
    std::vector<RepeatedNodes> m_nodes; //!< in the order of the GPUs
    std::vector<std::size_t> m_first;   //!< by GPU, its first element of m_nodes; then the size
    std::vector<std::vector<TimePs>> m_times; //!< ends, by element of m_nodes
    uint32_t m_repeated{0};                   //!< repeated units of an iteration
    std::size_t m_reference{0};               //!< element of m_nodes whose units trigger counting
    std::function<RunCounters(uint32_t)> m_count;
    std::vector<RunCounters> m_counters; //!< by unit of the reference, shortly after its end
    std::vector<Steady> m_steady;        //!< by iteration
    uint32_t m_over{0};                  //!< iterations whose units a GPU has ended
    bool m_isInVain{false};
    std::optional<ForwardRecord> m_record;
    ForwardPart m_next;
};

} // namespace ns3::rails

#endif // FAST_FORWARD_H
