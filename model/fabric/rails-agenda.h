// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_AGENDA_H
#define RAILS_AGENDA_H

#include "ns3/event-impl.h"
#include "ns3/ptr.h"
#include "ns3/rails-units.h"

#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Order of the tasks of one node at one instant.
enum class TaskPhase : uint8_t
{
    Departure, //!< a port has sent its frame
    Arrival,   //!< a frame has come in
    Timer,     //!< pauses, pacing and time-outs expire
    Decision   //!< idle ports choose a frame to send, after all of the above
};

/// An action of a port, a NIC or a GPU at an instant; its owner reuses it.
class Task
{
  public:
    /**
     * \param phase of an instant in which the task runs
     * \param index rank among the tasks of this phase at its node: the number of the port
     */
    Task(TaskPhase phase, uint32_t index)
        : m_phase(phase),
          m_index(index)
    {
    }

    virtual ~Task() = default;
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;

    virtual void Run() = 0;

    TaskPhase GetPhase() const
    {
        return m_phase;
    }

    /// \return rank among the tasks of its phase at its node
    uint32_t GetIndex() const
    {
        return m_index;
    }

  private:
    friend class Agenda;
    TaskPhase m_phase;
    uint32_t m_index;
    bool m_deciding{false}; // waits for the end of the instant
};

/// A task that calls a member function of its owner.
template <typename Owner, void (Owner::*Method)()>
class MemberTask : public Task
{
  public:
    MemberTask(Owner& owner, TaskPhase phase, uint32_t index)
        : Task(phase, index),
          m_owner(owner)
    {
    }

    void Run() override
    {
        (m_owner.*Method)();
    }

  private:
    Owner& m_owner;
};

/// Tasks in the order of (time, rank). Insertion searches from the back, as times come nearly in
/// order.
class Timeline
{
  public:
    bool IsEmpty() const
    {
        return m_entries.empty();
    }

    /// \return the earliest time; kNever when there is none
    TimePs GetNextTime() const
    {
        return m_entries.empty() ? kNever : m_entries.front().at;
    }

    void Insert(TimePs at, Task& task);
    Task& Pop();

  private:
    struct Entry
    {
        TimePs at;
        Task* task;
    };

    boost::circular_buffer<Entry> m_entries;
};

/**
 * Pending tasks of a node in the order of (time, phase, port), whatever the order of insertion.
 *
 * A node cannot influence another before a frame has crossed a link. So the node may lag: it wakes
 * at the latest after the shortest propagation delay of its links, and then runs its tasks in
 * order, each with its own time (the lookahead of conservative parallel simulation: Chandy and
 * Misra, 1979). One ns-3 event then serves many tasks, and results are the same to the picosecond.
 * Tasks therefore read the time here, not from the simulator.
 *
 * A node that others observe must not lag then: SetPunctual(). An example is a server whose last
 * byte starts the next phase everywhere.
 */
class Agenda
{
  public:
    Agenda();
    ~Agenda();
    Agenda(const Agenda&) = delete;
    Agenda& operator=(const Agenda&) = delete;

    /// \return the time of the task that runs; outside of tasks the simulator's time
    TimePs Now() const
    {
        return m_awake ? m_now : NowPs();
    }

    /// Limits the lag of the node to the propagation delay of a link that leaves it.
    void LimitSlack(TimePs delay);

    /// \return the largest lag of the node
    TimePs GetSlack() const
    {
        return m_slack;
    }

    /// \param punctual whether arrivals and timers must run without lag from now on
    void SetPunctual(bool punctual);

    /**
     * Runs a task at a time, now or later. A task that is scheduled twice runs twice.
     */
    void Schedule(TimePs at, Task& task);

    /**
     * Runs a task once at the end of this instant, after all other tasks of this node, however many
     * calls ask for it.
     */
    void Decide(Task& task);

    /**
     * Runs all tasks before now. Must be called before any outside access to the node.
     */
    void CatchUp();

    /**
     * Runs all tasks up to and including now, but not decisions requested from outside at this
     * instant, which wait for its end. For callers that act after all other tasks of an instant.
     */
    void CatchUpThroughNow();

    /// Runs all tasks up to and including now, with all decisions: the end of a run.
    void Finish();

  private:
    class WakeEvent;

    struct Timer
    {
        TimePs at;
        Task* task;

        // Orders a max-heap so that the earliest timer is on top.
        bool operator<(const Timer& other) const;
    };

    void Wake();
    void Arm(TimePs at);
    void ArmNext();
    void RunThrough(TimePs last);
    void RunInstant();
    void RunDecisions();
    TimePs GetNextTime() const;
    TimePs GetWakeTime() const;

    Timeline m_departures;
    Timeline m_arrivals;
    std::vector<Timer> m_timers; // heap
    std::vector<Task*> m_decisions;
    // Times of the pending ns-3 events, latest first: a new event is always the earliest.
    std::vector<TimePs> m_wakes;
    Ptr<WakeEvent> m_event;
    TimePs m_now{0};
    TimePs m_slack{1'000'000'000}; // 1 ms for a node without links
    bool m_hasCable{false};
    bool m_punctual{false};
    bool m_awake{false};
};

} // namespace ns3::rails

#endif // RAILS_AGENDA_H
