// SPDX-License-Identifier: GPL-2.0-only
#include "compute-time.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

/**
 * Extrapolates the time of all units of a program from a part of them. Times of nodes follow from
 * times of a few earlier units by additions and maxima. Once all nodes of that many units end later
 * than their counterparts a cycle before by one constant time, so do all later units, up to the
 * nodes behind the last unit.
 */
class RepeatedTimes
{
  public:
    RepeatedTimes(const GraphRepetition& repetition,
                  uint32_t iterations,
                  const TransferBound& transfers,
                  const ProgramFold& fold)
        : m_repetition(repetition),
          m_iterations(iterations),
          m_transfers(transfers),
          m_fold(fold)
    {
    }

    /// \return nothing when units do not become periodic before as many as all have been walked
    std::optional<ProgramTimes> Find(const WalkCallback& callback) const
    {
        const uint32_t all = m_repetition.CountUnits();
        const uint32_t underWay = m_repetition.CountUnderWay();
        // Units to fill the pipeline, units to examine, and units to compare these with.
        uint32_t units = 2 * underWay + 4 * m_repetition.GetCycle();
        for (uint32_t tried = 0; tried + units < all; units += units / 2)
        {
            units = Round(units, m_repetition.GetCycle());
            tried += units;
            std::optional<Steady> steady = Go(units, callback);
            const uint32_t wanted = steady ? Round(units, steady->cycle) : units;
            if (wanted != units)
            {
                steady = Go(wanted, callback);
            }
            if (steady && (all - wanted) % steady->cycle == 0 && IsOfAll(*steady, wanted, callback))
            {
                ProgramTimes end = steady->end;
                for (uint32_t left = (all - wanted) / steady->cycle; left > 0; --left)
                {
                    end = end + steady->time;
                }
                return end;
            }
        }
        return std::nullopt;
    }

  private:
    struct Steady
    {
        uint32_t cycle;    //!< units
        ProgramTimes time; //!< of a cycle, summed over the iterations
        ProgramTimes end;  //!< end of the partial program
    };

    /// \return a number of units, raised so that the omitted units are whole cycles
    uint32_t Round(uint32_t units, uint32_t cycle) const
    {
        return units + (m_repetition.CountUnits() - units) % cycle;
    }

    std::optional<Steady> Go(uint32_t units, const WalkCallback& callback) const
    {
        const std::shared_ptr<const GraphProgram> part = m_fold(m_repetition.MakePart(units));
        ProgramWalk walk(*part, &m_transfers, callback);
        const ProgramTimes end = walk.Go();
        const std::vector<RepeatedNodes> nodes = m_repetition.ListAllRepeated(units);
        for (uint32_t cycle = m_repetition.GetCycle(); cycle < units;
             cycle += m_repetition.GetCycle())
        {
            if (const std::optional<ProgramTimes> time = FindCycle(walk, nodes, cycle))
            {
                return Steady{cycle, *time, end};
            }
        }
        return std::nullopt;
    }

    /// \return the time by which all nodes end later than their counterparts a cycle before, summed
    /// over the iterations; nothing when it differs between nodes
    std::optional<ProgramTimes> FindCycle(const ProgramWalk& walk,
                                          const std::vector<RepeatedNodes>& nodes,
                                          uint32_t cycle) const
    {
        ProgramTimes sum;
        for (uint32_t iteration = 0; iteration < m_iterations; ++iteration)
        {
            std::optional<ProgramTimes> time;
            for (const RepeatedNodes& repeated : nodes)
            {
                const std::vector<ProgramTimes>& ends = walk.GetEnds(repeated.gpu, repeated.stream);
                if (!ends.empty() && !IsLaterBy(repeated, ends, iteration, cycle, time))
                {
                    return std::nullopt;
                }
            }
            sum = sum + time.value_or(ProgramTimes());
        }
        return sum;
    }

    /// \param time set by the first node; all other nodes must have the same
    bool IsLaterBy(const RepeatedNodes& repeated,
                   const std::vector<ProgramTimes>& ends,
                   uint32_t iteration,
                   uint32_t cycle,
                   std::optional<ProgramTimes>& time) const
    {
        const auto& over = repeated.over;
        const std::size_t count = over.size() / m_iterations;
        const std::size_t back = std::size_t{cycle} * repeated.perUnit;
        // Dependencies of a node are nodes of the units under way, or of the cycle before them.
        const std::size_t looked =
            std::size_t{m_repetition.CountUnderWay() + m_repetition.GetCycle() + cycle} *
            repeated.perUnit;
        if (looked + back >= count)
        {
            return false;
        }
        const std::size_t end = (iteration + 1) * count;
        for (std::size_t at = end - looked; at < end; ++at)
        {
            const uint64_t nodes = over[at] - over[at - 1];
            if (nodes != over[at - back] - over[at - back - 1])
            {
                return false;
            }
            for (uint64_t node = 1; node <= nodes; ++node)
            {
                const ProgramTimes later = ends[over[at] - node] - ends[over[at - back] - node];
                if (!((time ? *time : time.emplace(later)) == later))
                {
                    return false;
                }
            }
        }
        return true;
    }

    /// The last node could be independent of these units; the end would then not move with them. So
    /// the end of a program that is shorter by a cycle must be earlier by the time of a cycle.
    bool IsOfAll(const Steady& steady, uint32_t units, const WalkCallback& callback) const
    {
        const std::shared_ptr<const GraphProgram> less =
            m_fold(m_repetition.MakePart(units - steady.cycle));
        return ProgramWalk(*less, &m_transfers, callback).Go() + steady.time == steady.end;
    }

    const GraphRepetition& m_repetition;
    uint32_t m_iterations;
    const TransferBound& m_transfers;
    const ProgramFold& m_fold;
};

} // namespace

TimePs
FindComputeTime(const GraphProgram& program)
{
    return ProgramWalk(program, nullptr).Go().compute;
}

TimePs
FindPathTime(const GraphProgram& program, const TransferBound& transfers)
{
    return ProgramWalk(program, &transfers).Go().path;
}

ProgramTimes
FindProgramTimes(const std::shared_ptr<const GraphProgram>& program,
                 const TransferBound& transfers,
                 const ProgramFold& fold,
                 const WalkCallback& callback)
{
    if (const auto repetition = program->FindRepetition())
    {
        const RepeatedTimes times(*repetition, program->GetIterations(), transfers, fold);
        if (const std::optional<ProgramTimes> found = times.Find(callback))
        {
            return *found;
        }
    }
    return ProgramWalk(*fold(program), &transfers, callback).Go();
}

} // namespace ns3::rails
