// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_CLOCKS_H
#define FLOW_CLOCKS_H

#include "ns3/keyed-heap.h"
#include "ns3/rails-units.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::rails
{

/**
 * How many bytes each flow of a class has been served, class by class, and when a class comes to
 * the byte at which something is to be done. Classes that are held back by the same resource go at
 * the same pace: when its rate changes, that is one change for all of them. A class is brought up
 * to a time only when somebody looks at it. Classes and paces have small numbers.
 */
class FlowClocks
{
  public:
    static constexpr double kPicosecondsPerSecond = 1e12;

    /// No stop.
    static constexpr double kNowhere = std::numeric_limits<double>::infinity();

    /// Begins with a class: nothing served, no pace, no stop.
    void Open(uint32_t flowClass, TimePs now);

    /// A class has no flows any more: it is never due, and its pace goes on without it.
    void Close(uint32_t flowClass);

    /// Brings a class up to a time, not before the last one.
    void Advance(uint32_t flowClass, TimePs now);

    /// \return bytes that each flow of a class has been served, as of the last Advance()
    double GetServed(uint32_t flowClass) const
    {
        return m_clocks[flowClass].served;
    }

    /// \return the same at a time, not before the last Advance()
    double GetServedAt(uint32_t flowClass, TimePs now) const;

    /// \return bytes per second of each flow of a class
    double GetRate(uint32_t flowClass) const
    {
        const uint32_t pace = m_clocks[flowClass].pace;
        return pace == kNoPace ? 0 : m_paces[pace].rate;
    }

    /**
     * \param flowClass a class, advanced to now
     * \param served when each of its flows has been served so many bytes, it is due; kNowhere:
     * never
     */
    void SetStop(uint32_t flowClass, double served);

    /// \param flowClass a class, advanced to now
    /// \param pace at which it goes from now on
    void SetPace(uint32_t flowClass, uint32_t pace);

    /// \param rate bytes per second of each flow that goes at a pace, from now on
    void SetRate(uint32_t pace, double rate, TimePs now);

    /// \return when each flow of a class will have been served so many bytes if its rate stays,
    /// rounded up; kNever when it never will. Not before the last Advance().
    TimePs FindTime(uint32_t flowClass, double served) const;

    /// \return when the next class is due; kNever when none is
    TimePs GetNextDue() const
    {
        return m_due.IsEmpty() ? kNever : m_due.GetLeastKey();
    }

    /// \return the class that is due next; there must be one
    uint32_t GetNextClass() const
    {
        return m_paces[m_due.GetLeast()].stops.GetLeast();
    }

    /// \param classes gets those that are due before a time, in no order of times
    void FindDue(TimePs before, std::vector<uint32_t>& classes) const;

    /// \return when a class is due; kNever when it is not
    TimePs GetDue(uint32_t flowClass) const;

  private:
    static constexpr uint32_t kNoPace = std::numeric_limits<uint32_t>::max();
    static constexpr uint32_t kOutside = KeyedHeap<double>::kOutside;

    struct Clock
    {
        double served{0}; // as of the last Advance()
        double begin{0};  // what its pace had served then
        TimePs since{0};  // the time of that
        double stop{kNowhere};
        double paceStop{0}; // what its pace has served when it comes to its stop
        uint32_t pace{kNoPace};
    };

    struct Pace
    {
        double served{0}; // from the first of its classes on
        double rate{0};
        TimePs since{0}; // up to when `served` counts
        uint32_t classes{0};
        KeyedHeap<double> stops; // of classes, as the pace counts
    };

    Pace& BringUp(uint32_t pace, TimePs now);
    static double GetServedAt(const Pace& pace, TimePs now);
    static TimePs FindTime(const Pace& pace, double served);
    void Arrange(uint32_t flowClass);
    void Arrange(const Pace& pace, uint32_t number);
    void Leave(uint32_t flowClass);

    std::vector<Clock> m_clocks;        // by class
    std::vector<uint32_t> m_places;     // of classes among the stops of their paces
    std::vector<Pace> m_paces;          // by number
    KeyedHeap<TimePs> m_due;            // paces by when the next of their classes is due
    std::vector<uint32_t> m_pacePlaces; // in that
};

} // namespace ns3::rails

#endif // FLOW_CLOCKS_H
