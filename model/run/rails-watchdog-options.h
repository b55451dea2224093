// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_WATCHDOG_OPTIONS_H
#define RAILS_WATCHDOG_OPTIONS_H

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/rails-units.h"

namespace ns3::rails
{

/// When a run is taken for stuck: the `watchdog` section.
class WatchdogOptions : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return a run in which no payload byte came in for longer is ended
    TimePs GetNoProgressAfter() const
    {
        return m_noProgressAfter.GetPicoSeconds();
    }

    /// \return a circle of pauses that moved no frame for so long is a deadlock
    TimePs GetDeadlockAfter() const
    {
        return m_deadlockAfter.GetPicoSeconds();
    }

    /// \return a port that is paused for longer is reported
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
