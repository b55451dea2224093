// SPDX-License-Identifier: GPL-2.0-only
#include "rails-watchdog-options.h"

#include "ns3/component-documentation.h"
#include "ns3/range-checker.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(WatchdogOptions);

TypeId
WatchdogOptions::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::WatchdogOptions").SetParent<Object>(),
                         "When a run is taken for stuck.")
            .SetGroupName("Rails")
            .AddConstructor<WatchdogOptions>()
            .AddAttribute("NoProgressAfter",
                          "Simulated time without a new payload byte that ends the run with status "
                          "3; longer than the largest timeout.",
                          TimeValue(MilliSeconds(50)),
                          MakeTimeAccessor(&WatchdogOptions::m_noProgressAfter),
                          MakeTimeRange(kNanosecond))
            .AddAttribute("DeadlockAfter",
                          "Time for which a cycle of pauses must have moved no frame to be "
                          "reported as a deadlock.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&WatchdogOptions::m_deadlockAfter),
                          MakeTimeRange(kNanosecond))
            .AddAttribute("StormAfter",
                          "Time for which a port must have been paused without a break to be "
                          "reported as a pause storm.",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&WatchdogOptions::m_stormAfter),
                          MakeTimeRange(kNanosecond));
    return tid;
}

} // namespace ns3::rails
