// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_ALONE_H
#define FLOW_ALONE_H

#include "ns3/flow-clocks.h"

namespace ns3::rails::test
{

/// A class, advanced to now, goes at a rate of its own from now on: the pace with its number is
/// that of no other class.
inline void
GoAlone(FlowClocks& clocks, uint32_t flowClass, double rate, TimePs now)
{
    clocks.SetRate(flowClass, rate, now);
    clocks.SetPace(flowClass, flowClass);
}

} // namespace ns3::rails::test

#endif // FLOW_ALONE_H
