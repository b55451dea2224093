// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_AGENDA_H
#define RAILS_AGENDA_H

#include "rails-units.h"

#include "ns3/event-impl.h"
#include "ns3/ptr.h"

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

/// Something that a port, a NIC or a GPU does at an instant; owned by it and used again and again.
class Task
{
  public:
    /**
     * \param phase when in an instant it runs
     * \param index its rank among the tasks of that phase at its node: the number of the port
     */
    Task(TaskPhase phase, uint32_t index)
        : m_order(static_cast<uint32_t>(phase) << 24 | index)
    {
    }

    virtual ~Task() = default;
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;

    virtual void Run() = 0;

    uint32_t GetOrder() const
    {
        return m_order;
    }

  private:
    friend class Agenda;
    uint32_t m_order;
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

/**
 * What a node has still to do, in the order of (time, phase, port). All tasks of one instant run
 * in one ns-3 event, so results depend neither on the order of insertion nor on the event
 * scheduler, and the ns-3 event list holds about one event per node.
 */
class Agenda
{
  public:
    Agenda();
    ~Agenda();
    Agenda(const Agenda&) = delete;
    Agenda& operator=(const Agenda&) = delete;

    /**
     * Runs a task at a time, now or later. A task that is scheduled twice runs twice.
     */
    void Schedule(TimePs at, Task& task);

    /**
     * Runs a task at the end of this instant, after everything else that happens at this node now;
     * once, however often it is asked for.
     */
    void Decide(Task& task);

  private:
    class WakeEvent;

    struct Entry
    {
        TimePs at;
        uint32_t order;
        Task* task;

        // Orders a max-heap so that the earliest entry is on top.
        bool operator<(const Entry& other) const
        {
            return at != other.at ? at > other.at : order > other.order;
        }
    };

    void Wake();
    void Arm(TimePs at);

    std::vector<Entry> m_heap;
    std::vector<Task*> m_decisions;
    // Times of the ns-3 events under way, latest first: a new one is only ever the earliest.
    std::vector<TimePs> m_wakes;
    Ptr<WakeEvent> m_event;
    bool m_awake{false};
};

} // namespace ns3::rails

#endif // RAILS_AGENDA_H
