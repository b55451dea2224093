// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_PHASE_H
#define RAILS_PHASE_H

#include "ns3/rails-units.h"

namespace ns3::rails
{

/// Kind of a phase of a workload.
enum class PhaseKind
{
    Dispatch, //!< sends the traffic matrix
    Combine,  //!< sends its transpose
    Compute,  //!< all GPUs compute
    Gap       //!< idle time
};

/// One phase: traffic, or a time without traffic.
struct Phase
{
    PhaseKind kind{PhaseKind::Dispatch};
    TimePs duration{0}; //!< of compute and gap

    /// \return true for dispatch and combine
    bool IsTraffic() const
    {
        return kind == PhaseKind::Dispatch || kind == PhaseKind::Combine;
    }

    /// \return "dispatch", "combine", "compute" or "gap"
    const char* GetName() const
    {
        switch (kind)
        {
        case PhaseKind::Combine:
            return "combine";
        case PhaseKind::Compute:
            return "compute";
        case PhaseKind::Gap:
            return "gap";
        case PhaseKind::Dispatch:
            break;
        }
        return "dispatch";
    }
};

} // namespace ns3::rails

#endif // RAILS_PHASE_H
