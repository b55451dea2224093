// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_WATCHDOG_OPTIONS_H
#define RAILS_WATCHDOG_OPTIONS_H

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/rails-units.h"

namespace ns3::rails
{

/// Limits of the watchdog: the section `watchdog`.
class WatchdogOptions : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return time without a delivered payload byte after which a run is ended
    TimePs GetNoProgressAfter() const
    {
        return m_noProgressAfter.GetPicoSeconds();
    }

    /// \return time without a frame after which a cycle of pauses counts as a deadlock
    TimePs GetDeadlockAfter() const
    {
        return m_deadlockAfter.GetPicoSeconds();
    }

    /// \return duration of a port's pause from which it is reported as a storm
    TimePs GetStormAfter() const
    {
        return m_stormAfter.GetPicoSeconds();
    }

  private:
    Time m_noProgressAfter;
    Time m_deadlockAfter;
    Time m_stormAfter;
};

} // namespace ns3::rails

#endif // RAILS_WATCHDOG_OPTIONS_H
