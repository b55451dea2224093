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

/// In which order things happen that happen at one node at one instant.
enum class TaskPhase : uint8_t
{
    Departure, //!< a port has sent its frame
    Arrival,   //!< a frame has come in
    Timer,     //!< pauses, pacing and time-outs expire
    Decision   //!< idle ports choose what to send, knowing all of the above
};

/// Something that a port, a NIC or a GPU does at an instant; its owner uses it again and again.
class Task
{
  public:
    /**
     * \param phase when in an instant it runs
     * \param index its rank among the tasks of that phase at its node: the number of the port
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

/// Tasks in the order of (time, rank), for times that come nearly in order: insertion from behind.
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
 * What a node has still to do, in the order of (time, phase, port), whatever the order of
 * insertion.
 *
 * Nothing that happens at a node can be felt at another before a frame has crossed a cable. So what
 * happens need not be run at its time: it is run in order, each task at its own time, when the node
 * wakes, at the latest after the shortest propagation delay of its cables (the lookahead of
 * conservative parallel simulation: Chandy and Misra, 1979). One ns-3 event then serves many tasks,
 * and what comes out is the same to the picosecond. Tasks therefore read the time here, not from
 * the simulator.
 *
 * A node that others watch (a server, whose last byte starts the next phase everywhere) must not be
 * late when it matters: SetPunctual().
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

    /// Tells the propagation delay of a cable that leaves the node.
    void LimitSlack(TimePs delay);

    /// \return by how much the node may be late
    TimePs GetSlack() const;

    /// \param punctual whether arrivals and timers must run at their very time from now on
    void SetPunctual(bool punctual);

    /**
     * Runs a task at a time, now or later. A task that is scheduled twice runs twice.
     */
    void Schedule(TimePs at, Task& task);

    /**
     * Runs a task at the end of this instant, after everything else that happens at this node now;
     * once, however often it is asked for.
     */
    void Decide(Task& task);

    /**
     * Runs everything before now. To be called before anything from outside looks at the
     * node or changes it.
     */
    void CatchUp();

    /**
     * Runs everything up to and with now; what idle ports were asked for at this instant from
     * outside still waits for its end. To be called by those who act behind all that happens in an
     * instant.
     */
    void CatchUpThroughNow();

    /// Runs everything up to and with now, decisions of idle ports too: the end of a run.
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
    // Times of the ns-3 events under way, latest first: a new one is only ever the earliest.
    std::vector<TimePs> m_wakes;
    Ptr<WakeEvent> m_event;
    TimePs m_now{0};
    TimePs m_slack{1'000'000'000}; // of a node without cables: 1 ms
    bool m_hasCable{false};
    bool m_punctual{false};
    bool m_awake{false};
};

} // namespace ns3::rails

#endif // RAILS_AGENDA_H
