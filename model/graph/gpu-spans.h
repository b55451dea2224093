// SPDX-License-Identifier: GPL-2.0-only
#ifndef GPU_SPANS_H
#define GPU_SPANS_H

#include "ns3/rails-units.h"

#include <vector>

namespace ns3::rails
{

/// A span of time.
struct TimeSpan
{
    TimePs begin{0};
    TimePs end{0};
};

/// Spans of activity of a GPU, in order.
struct GpuSpans
{
    std::vector<TimeSpan> computing; //!< at least one compute node ran
    std::vector<TimeSpan> ahead;     //!< nodes of the watched kind, one after the other
};

} // namespace ns3::rails

#endif // GPU_SPANS_H
