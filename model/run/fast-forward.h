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

/// Which part of the equal units of a program is run.
struct ForwardPart
{
    enum class Choice : uint8_t
    {
        All,
        Fewest, //!< as many as are probably enough
        Given
    };

    Choice choice{Choice::All};
    uint32_t units{0}; //!< Given: of an iteration
    uint32_t tried{0}; //!< units of runs before that did not tell all of it
};

/// How all of a run is told from a part.
struct ForwardRecord
{
    uint32_t units{0};    //!< of an iteration: micro-batches
    uint32_t unitsRun{0}; //!< of these
    uint32_t cycle{1};    //!< units after which all came again
    double period{0};     //!< time of a unit in ps, the mean over iterations
    double deviation{0};  //!< largest relative one of a node from that of its iteration
};

/// What a run has counted up to an instant.
struct RunCounters
{
    EngineRecord engine;
    GraphRecord graph;
};

/**
 * Looks whether equal units of a program took equally long on all GPUs at last, in a run with fewer
 * of them than there are, and tells what all of them take.
 *
 * In such a state what a GPU does next depends on nothing but what was done a unit before: when all
 * nodes of a few units are over a period later than those of the units before, those of all later
 * units are as well, until the end of an iteration is near. So whatever is left out adds periods,
 * and of all counters what they grew by in one. Nodes that run ahead may not come in such a time:
 * there are as many in each unit (AheadTimes).
 */
class FastForward
{
  public:
    /// Largest relative deviation of a node's period from the mean of its iteration.
    static constexpr double kTolerance = 2e-4;

    /**
     * \param repetition of the whole program
     * \param part of its units that is run
     * \param iterations of the program
     * \param count called with a GPU behind the end of a unit there, in an instant of its own;
     * the critical path is the one to that GPU
     */
    FastForward(const GraphRepetition& repetition,
                const ForwardPart& part,
                uint32_t iterations,
                std::function<RunCounters(uint32_t)> count);

    /// \return the kind of nodes whose spans AddLeftOut() wants to know; nothing: none
    const std::optional<uint16_t>& GetAheadKind() const;

    /// \return with what to begin: all, where there are too few
    static ForwardPart ChoosePart(const GraphRepetition& repetition);

    /// Before the run: a GPU does nothing, as others answer for it.
    void Ignore(uint32_t gpu);

    /// A node is over. \param over how many of the stream are
    void OnEnd(uint32_t gpu, uint32_t stream, uint64_t over, TimePs at);

    /// \return whether the simulator was stopped at the last unit of an iteration, as these units
    /// do not tell those that are left out: what follows would not either
    bool IsInVain() const;

    /// To be called when the run is done, or in vain: looks for the steady state.
    void Conclude();

    /// \return what was found; nothing: Conclude() found no steady state, or one of which no whole
    /// number of cycles is left out
    const std::optional<ForwardRecord>& GetRecord() const;

    /// \return what is to be run then
    const ForwardPart& GetNextPart() const;

    // Of a run where there is a record:

    /// \return the time of what is left out
    TimePs GetTime() const;

    /// Adds what is left out.
    void AddLeftOut(EngineRecord& record) const;

    /// Likewise. \param spans of all GPUs, where there is GetAheadKind()
    void AddLeftOut(GraphRecord& record, const std::vector<GpuSpans>& spans) const;

  private:
    /// What comes again in an iteration.
    struct Steady
    {
        uint32_t cycle;   //!< units
        double time;      //!< of a cycle, in ps
        double deviation; //!< relative
        std::size_t last; //!< unit of the reference up to which counters grow evenly
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
    std::vector<RepeatedNodes> m_nodes;       //!< in the order of the GPUs
    std::vector<std::size_t> m_first;         //!< by GPU: the first of its nodes, and of the last
    std::vector<std::vector<TimePs>> m_times; //!< when they were over
    uint32_t m_repeated{0};                   //!< units of an iteration among these
    std::size_t m_reference{0};               //!< those, some, that all are held against
    std::function<RunCounters(uint32_t)> m_count;
    std::vector<RunCounters> m_counters; //!< behind units of the reference
    std::vector<Steady> m_steady;        //!< by iteration
    uint32_t m_over{0};                  //!< iterations whose units some GPU has ended
    bool m_isInVain{false};
    std::optional<ForwardRecord> m_record;
    ForwardPart m_next;
};

} // namespace ns3::rails

#endif // FAST_FORWARD_H
