// SPDX-License-Identifier: GPL-2.0-only
#ifndef COMPLETION_ERROR_BOUND_H
#define COMPLETION_ERROR_BOUND_H

#include "ns3/rails-message.h"
#include "ns3/rails-units.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::rails
{

/**
 * Bounds the error of completion times that CompletionWindow causes: rates stay constant through a
 * window of time while flows end in it.
 *
 * Exact rates, found anew at each end, lie between the rates found at the beginning of the window
 * and those found at its end. A change of a rate may therefore come too early or too late by a
 * window:
 * - Passing error: within the window a flow is served too much or too little by the change of its
 *   rate times the window. This evens out by the end of the window, since flows that end in it
 *   count for their part of it.
 * - Lasting error: fair shares are not linear in the weights, so a rest remains. Where several
 *   flows of a constraint end at one time, it is at most window * change^2 / (2 * rate). Lasting
 *   errors of successive windows add up.
 *
 * The bound is of first order: it ignores changes of a rate that cancel within a window, and the
 * effect of a shifted end on later ends. Numbers of classes are those of FlowNetwork, of paces
 * those of FlowClocks, of queues those of FlowQueues.
 */
class CompletionErrorBound
{
  public:
    /// \param always error of each completion time from coarse rates, as a part of the message's
    /// time; 0: rates are exact and found at each end, and this object records nothing
    explicit CompletionErrorBound(double always)
        : m_always(always)
    {
    }

    /// A class gets its first flow.
    void Open(uint32_t flowClass);

    /// A queue joins a class as a flow. \param posted post time of the message at its head
    void Begin(uint32_t queue, uint32_t flowClass, TimePs posted);

    /// A queue leaves its class.
    void End(uint32_t queue, uint32_t flowClass);

    /// A queue has nothing to serve any more.
    void Forget(uint32_t queue);

    /// The last flow of a class has left it.
    void Close(uint32_t flowClass);

    /// Rates are about to be found. \param window how long the new or the previous rates stay
    void BeginSettling(TimePs now, TimePs window);

    /// \param rate bytes per second of each flow of a pace, from now on
    void SetRate(uint32_t pace, double rate);

    /// \param pace of a class from now on; its rate is 0 until SetRate()
    void SetPace(uint32_t flowClass, uint32_t pace);

    /// \return the largest lasting error of a flow, as a part of the time since the post of the
    /// latest message of its class
    double FindLargestLasting(TimePs now) const;

    /// The message at the head of a queue has been served.
    void NoteServed(uint32_t queue, uint32_t flowClass, const Message& message, TimePs at);

    /// A queue passes the message that it served last, and its error, on to another queue.
    void PassOn(uint32_t queue, uint32_t fed);

    /// Bound of the error of a completion time.
    struct Shift
    {
        double part{0};    //!< as a part of the message's time, the largest
        double seconds{0}; //!< the largest
    };

    /// \return the bound over all messages that have been served
    const Shift& GetLargest() const
    {
        return m_largest;
    }

  private:
    static constexpr uint32_t kNoPace = std::numeric_limits<uint32_t>::max();

    /// Error of a flow in bytes.
    struct Bytes
    {
        double lasting{0};
        double added{0};     // to `lasting`, in the settling `settled`
        double passing{0};   // in that settling
        uint64_t settled{0}; // number of the last settling that changed the rate
    };

    struct Pace
    {
        double rate{0};
        double rateBefore{0}; // before the last settling that changed the rate
        Bytes bytes;          // of a flow that has always had this pace
    };

    struct Class
    {
        uint32_t pace{kNoPace};
        TimePs posted{0};  // post time of the latest message at the head of one of its queues
        double begin{0};   // lasting error of the pace when the class joined it
        Bytes bytes;       // error from earlier paces and from changes of pace
        double brought{0}; // largest error of a queue beyond the class's when it joined, in bytes
    };

    struct Queue
    {
        double begin{0};   // lasting error of its class less its own, in bytes
        double brought{0}; // error of the queue's supply, in seconds
        double seconds{0}; // error of the message that was served last
    };

    void Count(Bytes& bytes, double before, double after) const;
    double GetLasting(uint32_t flowClass) const;
    double GetErrorBound(uint32_t flowClass) const;
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

#endif // COMPLETION_ERROR_BOUND_H
