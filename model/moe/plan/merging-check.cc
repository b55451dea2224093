// SPDX-License-Identifier: GPL-2.0-only
#include "merging-check.h"

#include "ns3/rails-error.h"

namespace ns3::rails
{

void
CheckMerging(const TrainingSpec& spec)
{
    const bool merges = spec.schedule->Overlaps();
    const bool delays = spec.schedule->DelaysWeights();
    if (delays && !merges)
    {
        throw ConfigurationError("schedule.delayed_weights",
                                 "gradients of parameters are computed apart where passes are "
                                 "merged: set schedule.overlap to exchange");
    }
    if (delays && !spec.handling.KeepsExperts())
    {
        throw ConfigurationError("schedule.delayed_weights",
                                 "it is not known when gradients of experts that a policy copies "
                                 "or moves are complete: set it to false, or experts to plain-ep");
    }
    if (merges && spec.circuits.servers > 0)
    {
        throw ConfigurationError("schedule.overlap",
                                 "circuits serve one exchange after the other: set it to none");
    }
    if (merges && !spec.handling.IsPlain() &&
        spec.handling.GetCopyTiming() == CopyTiming::Scheduled)
    {
        throw ConfigurationError("schedule.overlap",
                                 "copies of experts are scheduled under the exchanges and the "
                                 "computing of one micro-batch: set it to none, or "
                                 "expert_transfers to overlapped");
    }
}

} // namespace ns3::rails
