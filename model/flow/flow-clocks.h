// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_CLOCKS_H
#define FLOW_CLOCKS_H

#include "ns3/rails-units.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::rails
{

/**
 * How many bytes each flow of a class has been served, class by class, and when a class comes to
 * the byte at which something is to be done. A class is brought up to a time only when somebody
 * looks at it, or its rate changes. Classes have small numbers.
 */
class FlowClocks
{
  public:
    /// No stop.
    static constexpr double kNowhere = std::numeric_limits<double>::infinity();

    /// Begins with a class: nothing served, no rate, no stop.
    void Open(uint32_t flowClass, TimePs now);

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
        return m_clocks[flowClass].rate;
    }

    /**
     * \param flowClass a class, advanced to now
     * \param served when each of its flows has been served so many bytes, it is due; kNowhere:
     * never
     */
    void SetStop(uint32_t flowClass, double served);

    /// \param rate bytes per second of each flow of a class, which is advanced to now
    void SetRate(uint32_t flowClass, double rate);

    /// \return when each flow of a class will have been served so many bytes if its rate stays,
    /// rounded up; kNever when it never will. Not before the last Advance().
    TimePs FindTime(uint32_t flowClass, double served) const;

    /// \return when the next class is due; kNever when none is
    TimePs GetNextDue() const
    {
        return m_heap.empty() ? kNever : m_clocks[m_heap.front()].dueAt;
    }

    /// \return the class that is due next, by time and number; there must be one
    uint32_t GetNextClass() const
    {
        return m_heap.front();
    }

    /// \param classes gets those that are due before a time, in no order of times
    void FindDue(TimePs before, std::vector<uint32_t>& classes) const;

    /// \return when a class is due; kNever when it is not
    TimePs GetDue(uint32_t flowClass) const
    {
        return m_clocks[flowClass].dueAt;
    }

  private:
    static constexpr uint32_t kOutside = std::numeric_limits<uint32_t>::max();

    struct Clock
    {
        double served{0};
        double rate{0};
        double stop{kNowhere};
        TimePs since{0};          // up to when `served` counts
        TimePs dueAt{kNever};     // when it comes to its stop
        uint32_t place{kOutside}; // in the heap
    };

    bool IsBefore(uint32_t one, uint32_t other) const;
    void Rekey(uint32_t flowClass);
    void SiftUp(uint32_t place);
    void SiftDown(uint32_t place);
    void Put(uint32_t place, uint32_t flowClass);
    void TakeOut(uint32_t flowClass);

    std::vector<Clock> m_clocks;  // by class
    std::vector<uint32_t> m_heap; // classes that are due some time; the next one first
};

} // namespace ns3::rails

#endif // FLOW_CLOCKS_H
