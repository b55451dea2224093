// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_CALENDAR_H
#define FLOW_CALENDAR_H

#include "flow-clocks.h"
#include "flow-queue.h"

#include "ns3/event-id.h"
#include "ns3/rails-units.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

namespace ns3::rails
{

/**
 * What the engine of flows is to do, and when: to serve classes that come to their stops (as
 * FlowClocks has them), to keep appointments, and to settle: to begin the runs that wait to begin,
 * and find rates anew. Owns the appointments, these runs, the time of the next settling and the one
 * event of the simulator that stands for all of them.
 *
 * What is due in the same instant comes in that order: everybody is told when all ends that belong
 * to this time are known, and rates are found once, when all has changed that changes.
 */
class FlowCalendar
{
  public:
    /// What is to be done at an appointment.
    enum class Task : uint8_t
    {
        Sent,         //!< the sender of the message at the head of a queue is told
        Delivered,    //!< receivers of messages of a queue are told
        Acknowledged, //!< senders of messages of a queue are told
        Posting,      //!< a NIC begins to post its next message
        Alarm         //!< a server's client wanted to be called
    };

    struct Appointment
    {
        TimePs at;
        Task task;
        uint64_t turn;  //!< among those of one time and task, see FlowQueue::turn
        uint32_t index; //!< of the queue, NIC or server
        bool operator>(const Appointment& other) const;
    };

    /// What is next.
    enum class Duty
    {
        None, //!< for now
        Stop, //!< of the class that FlowClocks has first
        Appointment,
        Settling,
        Endless //!< rates were found anew so often that they would be for ever
    };

    /**
     * \param clocks of the classes
     * \param work called when something is due; does all that GetDuty() says until that is None
     */
    FlowCalendar(const FlowClocks& clocks, std::function<void()> work);
    ~FlowCalendar();

    FlowCalendar(const FlowCalendar&) = delete;
    FlowCalendar& operator=(const FlowCalendar&) = delete;

    /// Adds an appointment, behind which somebody has to call Arrange().
    void Add(TimePs at, Task task, uint32_t index, uint64_t turn = 0);

    /// Adds an appointment, now at the earliest.
    void Meet(TimePs at, Task task, uint32_t index, uint64_t turn = 0);

    /// Rates are to be found anew at a time, or before.
    void AskToSettle(TimePs at)
    {
        m_settleAt = std::min(m_settleAt, at);
        Arrange();
    }

    /// The next run of a queue is to begin when rates are found anew, which is asked for.
    void Arm(uint32_t number, FlowQueue& queue);

    /// \return the queues that were armed since the last call, each until its FlowQueue::isArmed
    /// is reset, in order
    std::vector<uint32_t> TakeArmed();

    /// Sees to it that `work` is called in time. To be called when a stop was moved, too.
    void Arrange();

    /// A message came or ended: rates that are found anew in this instant are not found in vain.
    void NoteNews()
    {
        m_inVain = 0;
    }

    /// \return what is to be done first at a time
    Duty GetDuty(TimePs now) const;

    /// \return the next appointment, which is not in the calendar any more
    Appointment TakeAppointment();

    /// Rates are found now.
    void TakeSettling(TimePs now);

    /// Rates are not found again until somebody asks anew.
    void GiveUpSettling();

    /// \return true when messages are under way that have left their queues
    bool IsAnyFlying() const
    {
        return m_flying > 0;
    }

  private:
    void OnEvent();

    const FlowClocks& m_clocks;
    std::function<void()> m_work;
    std::priority_queue<Appointment, std::vector<Appointment>, std::greater<>> m_appointments;
    uint64_t m_flying{0};          // appointments for what is delivered, or acknowledged
    std::vector<uint32_t> m_armed; // queues whose next run is about to begin
    TimePs m_settleAt{kNever};     // when rates are to be found anew
    TimePs m_settledAt{0};         // when they were last
    uint32_t m_inVain{0};          // how often at that time, since a message came or ended
    bool m_isWorking{false};
    EventId m_event;
    TimePs m_eventAt{kNever};
};

} // namespace ns3::rails

#endif // FLOW_CALENDAR_H
