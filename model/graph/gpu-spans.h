// SPDX-License-Identifier: GPL-2.0-only
#ifndef GPU_SPANS_H
#define GPU_SPANS_H

#include "ns3/rails-units.h"

#include <vector>

namespace ns3::rails
{

/// From one time to another.
struct TimeSpan
{
    TimePs begin{0};
    TimePs end{0};
};

/// What a GPU did when, in order.
struct GpuSpans
{
    std::vector<TimeSpan> computing; //!< it computed something
    std::vector<TimeSpan> ahead;     //!< nodes of the kind that is watched, one after the other
};

} // namespace ns3::rails

#endif // GPU_SPANS_H
