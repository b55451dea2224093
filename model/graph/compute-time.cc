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
 * What all units of a program take, told from a part of them. Times of the nodes of a unit follow
 * from those of a few units before by adding and taking maxima. When all nodes of as many units are
 * later than their counterparts a cycle before by the same time, so are all that follow, up to the
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

    /// \return nothing, where units do not come to be alike before as many as all are gone through
    std::optional<ProgramTimes> Find(const WalkCallback& callback) const
    {
        const uint32_t all = m_repetition.CountUnits();
        const uint32_t underWay = m_repetition.CountUnderWay();
        // Units are filled in, some are looked at, and others held against these.
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
        ProgramTimes end;  //!< of the part
    };

    /// \return as many units or a few more, so that whole cycles are left out
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

    /// \return the time by which all nodes are later than those a cycle before, over all iterations
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

    /// \param time is set by the first node, and has to be that of all others
    bool IsLaterBy(const RepeatedNodes& repeated,
                   const std::vector<ProgramTimes>& ends,
                   uint32_t iteration,
                   uint32_t cycle,
                   std::optional<ProgramTimes>& time) const
    {
        const auto& over = repeated.over;
        const std::size_t count = over.size() / m_iterations;
        const std::size_t back = std::size_t{cycle} * repeated.perUnit;
        // What a node waits for is of one of the units under way, or of one that these follow.
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

    /// What nothing of these units comes before could be the last: then the end is not later by the
    /// time of a cycle. Behind a cycle less it is earlier by that time, or it is not told here.
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
