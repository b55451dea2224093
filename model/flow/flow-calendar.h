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
 * The flow engine's event queue, behind a single event of the simulator. Due in one instant, in
 * this order:
 * 1. stops: classes that come to a byte at which something has to be done (FlowClocks);
 * 2. appointments: notifications of clients, posts and alarms. They come when all ends of the
 *    instant are known;
 * 3. the settling: armed runs begin, and rates are found anew, once for all changes of the instant.
 */
class FlowCalendar
{
  public:
    /// Task of an appointment.
    enum class Task : uint8_t
    {
        Sent,         //!< notify the sender that the message at the head of a queue is sent
        Delivered,    //!< notify the receivers of a queue's messages
        Acknowledged, //!< notify the senders of a queue's messages
        Posting,      //!< a NIC begins to post its next message
        Alarm         //!< call the client of a server, as it asked
    };

    struct Appointment
    {
        TimePs at;
        Task task;
        uint64_t turn;  //!< order among appointments of one time and task, see FlowQueue::turn
        uint32_t index; //!< of the queue, NIC or server
        bool operator>(const Appointment& other) const;
    };

    /// Kind of the next duty.
    enum class Duty
    {
        None, //!< nothing is due now
        Stop, //!< of the class that FlowClocks has first
        Appointment,
        Settling,
        Endless //!< rates were found anew so often in this instant that time would stand for ever
    };

    /**
     * \param clocks of the classes
     * \param work called when something is due; must work off GetDuty() until it is None
     */
    FlowCalendar(const FlowClocks& clocks, std::function<void()> work);
    ~FlowCalendar();

    FlowCalendar(const FlowCalendar&) = delete;
    FlowCalendar& operator=(const FlowCalendar&) = delete;

    /// Adds an appointment. The caller has to call Arrange() afterwards.
    void Add(TimePs at, Task task, uint32_t index, uint64_t turn = 0);

    /// Adds an appointment, now at the earliest, and arranges.
    void Meet(TimePs at, Task task, uint32_t index, uint64_t turn = 0);

    /// Requests a settling at a time, or before.
    void AskToSettle(TimePs at)
    {
        m_settleAt = std::min(m_settleAt, at);
        Arrange();
    }

    /// The next run of a queue begins with the next settling, which this requests for now.
    void Arm(uint32_t number, FlowQueue& queue);

    /// \return the queues that were armed since the last call, in order; the caller resets
    /// FlowQueue::isArmed
    std::vector<uint32_t> TakeArmed();

    /// Schedules the call of `work`. To be called when a stop was moved, too.
    void Arrange();

    /// A message came or ended: resets the count of settlings in vain.
    void NoteNews()
    {
        m_inVain = 0;
    }

    /// \return what is due first at a time
    Duty GetDuty(TimePs now) const;

    /// Removes the next appointment. \return it
    Appointment TakeAppointment();

    /// Removes the settling that is due: rates are found now.
    void TakeSettling(TimePs now);

    /// Cancels the settling until the next request.
    void GiveUpSettling();

    /// \return true when notifications of drained messages are still due
    bool IsAnyFlying() const
    {
        return m_flying > 0;
    }

  private:
    void OnEvent();

    const FlowClocks& m_clocks;
    std::function<void()> m_work;
    std::priority_queue<Appointment, std::vector<Appointment>, std::greater<>> m_appointments;
    uint64_t m_flying{0};          // appointments of the tasks Delivered and Acknowledged
    std::vector<uint32_t> m_armed; // queues whose next run is about to begin
    TimePs m_settleAt{kNever};     // time of the next settling
    TimePs m_settledAt{0};         // time of the last settling
    uint32_t m_inVain{0};          // settlings at m_settledAt since a message came or ended
    bool m_isWorking{false};
    EventId m_event;
    TimePs m_eventAt{kNever};
};

} // namespace ns3::rails

#endif // FLOW_CALENDAR_H
