// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_SHIFTS_H
#define FLOW_SHIFTS_H

#include "ns3/rails-message.h"
#include "ns3/rails-units.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::rails
{

/**
 * By how much ends of messages may be off, as rates stay as they are through a window of time while
 * flows end in it (FlowOutlook).
 *
 * Whoever finds rates at the very end of each flow has rates in a window that lie between those
 * found at its beginning and at its end. A change may so have come too early or too late by a
 * window: within that, a flow has been served too much or too little by the change times the
 * window. This is passing. By the end of the window it comes out even, as flows that ended in it
 * were counted for their part of it, but for the curvature of shares. Where some of the flows that
 * share a resource end at one time, the window times the square of the change by twice the rate is
 * no less than that. This is lasting, and adds up.
 *
 * It is a bound of first order: changes of a rate that cancel each other in a window are not seen,
 * nor that a shifted end shifts others. Classes have the numbers of FlowNetwork, paces those of
 * FlowClocks, queues those of FlowQueues.
 */
class FlowShifts
{
  public:
    /// \param always part of its own time by which each end may be off anyway; 0 where rates are
    /// exact, and found at each end: then nothing is kept
    explicit FlowShifts(double always)
        : m_always(always)
    {
    }

    /// A class gets its first flow.
    void Open(uint32_t flowClass);

    /// A queue is a flow of a class from now on. \param posted when the message at its head was
    void Begin(uint32_t queue, uint32_t flowClass, TimePs posted);

    /// A queue is a flow of a class no more.
    void End(uint32_t queue, uint32_t flowClass);

    /// A queue has nothing to serve any more.
    void Forget(uint32_t queue);

    /// The last flow of a class has left it.
    void Close(uint32_t flowClass);

    /// Rates are about to be found. \param window for which they, or those before, stay
    void BeginSettling(TimePs now, TimePs window);

    /// \param rate bytes per second of each flow that goes at a pace, from now on
    void SetRate(uint32_t pace, double rate);

    /// \param pace at which a class goes from now on; one whose rate was never set stands
    void SetPace(uint32_t flowClass, uint32_t pace);

    /// \return the largest lasting shift of a flow, as a part of the time since the latest message
    /// of its class was posted
    double FindLargestLasting(TimePs now) const;

    /// The message at the head of a queue has been served.
    void NoteServed(uint32_t queue, uint32_t flowClass, const Message& message, TimePs at);

    /// What a queue has served so far is brought to another one.
    void PassOn(uint32_t queue, uint32_t fed);

    /// By how much an end may be off.
    struct Shift
    {
        double part{0};    //!< of a message's own time, the largest
        double seconds{0}; //!< the largest
    };

    /// \return the largest shift of all messages that have been served
    const Shift& GetLargest() const
    {
        return m_largest;
    }

  private:
    static constexpr uint32_t kNoPace = std::numeric_limits<uint32_t>::max();

    /// Bytes by which a flow is off.
    struct Bytes
    {
        double lasting{0};
        double added{0};     // to that when it was last settled
        double passing{0};   // since then
        uint64_t settled{0}; // when that was
    };

    struct Pace
    {
        double rate{0};
        double rateBefore{0}; // rates were last found when its own changed
        Bytes bytes;          // of a flow that has gone at it ever since
    };

    struct Class
    {
        uint32_t pace{kNoPace};
        TimePs posted{0};  // the latest message at the head of one of its queues
        double begin{0};   // what was lasting of its pace when it came to it
        Bytes bytes;       // before that
        double brought{0}; // the most by which a queue was off more than it when it came to it
    };

    struct Queue
    {
        double begin{0};   // what is lasting of its class, and not of its own
        double brought{0}; // seconds by which what is brought to it is off
        double seconds{0}; // by which the message that it has served last is off
    };

    void Count(Bytes& bytes, double before, double after) const;
    double GetLasting(uint32_t flowClass) const;
    double GetShift(uint32_t flowClass) const;
    double GetServedRate(uint32_t flowClass, TimePs at) const;

    bool IsKept() const
    {
        return m_always > 0;
    }

    double m_always;
    uint64_t m_settled{0};
    TimePs m_settledAt{0};
    double m_window{0}; // in seconds
    std::vector<Pace> m_paces;
    std::vector<Class> m_classes;
    std::vector<Queue> m_queues;
    Shift m_largest;
};

} // namespace ns3::rails

#endif // FLOW_SHIFTS_H
