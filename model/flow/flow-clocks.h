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
 * Counts the bytes that each flow of a class has been served, and finds when a class comes to its
 * stop: the byte at which something has to be done. Classes with the same bottleneck share a pace,
 * so that a change of the fair share is one change for all of them. A class is advanced only when
 * it is read. Classes and paces have small numbers.
 */
class FlowClocks
{
  public:
    /// No stop.
    static constexpr double kNowhere = std::numeric_limits<double>::infinity();

    /// Starts the clock of a class: nothing served, no pace, no stop.
    void Open(uint32_t flowClass, TimePs now);

    /// A class has lost its last flow: it is never due, and leaves its pace.
    void Close(uint32_t flowClass);

    /// Brings a class up to a time, not before the last one.
    void Advance(uint32_t flowClass, TimePs now);

    /// \return bytes that each flow of a class has been served, as of the last Advance()
    double GetServed(uint32_t flowClass) const
    {
        return m_clocks[flowClass].served;
    }

    /// \return bytes that each flow of a class has been served at a time, not before the last
    /// Advance()
    double GetServedAt(uint32_t flowClass, TimePs now) const;

    /// \return bytes per second of each flow of a class
    double GetRate(uint32_t flowClass) const
    {
        const uint32_t pace = m_clocks[flowClass].pace;
        return pace == kNoPace ? 0 : m_paces[pace].rate;
    }

    /**
     * \param flowClass a class, advanced to now
     * \param served bytes of each of its flows at which the class is due; kNowhere: never
     */
    void SetStop(uint32_t flowClass, double served);

    /// \param flowClass a class, advanced to now
    /// \param pace of the class from now on
    void SetPace(uint32_t flowClass, uint32_t pace);

    /// \param rate bytes per second of each flow of a pace, from now on
    void SetRate(uint32_t pace, double rate, TimePs now);

    /// \return when each flow of a class will have been served so many bytes at its present rate,
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

    /// \param classes gets the classes that are due before a time, in any order
    void FindDue(TimePs before, std::vector<uint32_t>& classes) const;

    /// \return when a class is due; kNever when it is not
    TimePs GetDue(uint32_t flowClass) const;

  private:
    static constexpr uint32_t kNoPace = std::numeric_limits<uint32_t>::max();
    static constexpr uint32_t kOutside = KeyedHeap<double>::kOutside;

    struct Clock
    {
        double served{0}; // bytes as of the last Advance()
        double begin{0};  // bytes that its pace had served at the last Advance()
        TimePs since{0};  // time of the last Advance()
        double stop{kNowhere};
        double paceStop{0}; // bytes that its pace has served at the stop
        uint32_t pace{kNoPace};
    };

    struct Pace
    {
        double served{0}; // bytes since the first of its classes joined
        double rate{0};
        TimePs since{0}; // time as of which `served` counts
        uint32_t classes{0};
        KeyedHeap<double> stops; // classes by Clock::paceStop
    };

    Pace& BringUp(uint32_t pace, TimePs now);
    static double GetServedAt(const Pace& pace, TimePs now);
    static TimePs FindTime(const Pace& pace, double served);
    void Arrange(uint32_t flowClass);
    void Arrange(const Pace& pace, uint32_t number);
    void Leave(uint32_t flowClass);

    std::vector<Clock> m_clocks;        // by class
    std::vector<uint32_t> m_places;     // of classes in Pace::stops
    std::vector<Pace> m_paces;          // by number
    KeyedHeap<TimePs> m_due;            // paces by the time at which their next class is due
    std::vector<uint32_t> m_pacePlaces; // of paces in m_due
};

} // namespace ns3::rails

#endif // FLOW_CLOCKS_H
