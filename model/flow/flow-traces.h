// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_TRACES_H
#define FLOW_TRACES_H

#include "ns3/nstime.h"
#include "ns3/rails-message.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Trace sources of a FlowEngine, made when the first is connected.
struct FlowTraces
{
    TracedCallback<Time, const Message&> messageBegin;
    TracedCallback<Time, const Message&> messageEnd;
    TracedCallback<Time, uint32_t, double, double> rate;
    std::vector<double> reported; //!< rates that sinks know, by queue
};

} // namespace ns3::rails

#endif // FLOW_TRACES_H
