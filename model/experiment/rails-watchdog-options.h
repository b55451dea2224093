// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_WATCHDOG_OPTIONS_H
#define RAILS_WATCHDOG_OPTIONS_H

#include "ns3/nstime.h"
#include "ns3/object.h"

namespace ns3::rails
{

/// When a run is taken for stuck: the `watchdog` section.
class WatchdogOptions : public Object
{
  public:
    static TypeId GetTypeId();

    Time m_noProgressAfter; //!< no new payload byte for so long ends the run
    Time m_deadlockAfter;   //!< a cycle of pauses that moved no frame for so long is reported
    Time m_stormAfter;      //!< a port paused for longer is reported
};

} // namespace ns3::rails

#endif // RAILS_WATCHDOG_OPTIONS_H
