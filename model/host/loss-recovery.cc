// SPDX-License-Identifier: GPL-2.0-only
#include "loss-recovery.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(LossRecovery);

TypeId
LossRecovery::GetTypeId()
{
    // 16 ms: a full 64 MiB buffer takes 1.34 ms to drain at 400 Gbps, and frames for one hot NIC
    // can stand in the buffers of eight spines and a leaf, 12.1 ms. A timeout in a lossless fabric
    // would only add frames to that. Three in a row still fit into the watchdog's 50 ms.
    static TypeId tid =
        TypeId("ns3::rails::LossRecovery")
            .SetParent<Object>()
            .SetGroupName("Rails")
            .AddAttribute("Timeout",
                          "Time without progress after which a sender takes its unacknowledged "
                          "frames for lost; longer than any queueing under PFC and shorter than "
                          "the watchdog's patience.",
                          TimeValue(MilliSeconds(16)),
                          MakeTimeAccessor(&LossRecovery::m_timeout),
                          MakeTimeChecker(NanoSeconds(1)));
    return tid;
}

void
LossRecovery::Check(const Transport& /* transport */) const
{
}

bool
LossRecovery::IsCoded() const
{
    return false;
}

} // namespace ns3::rails
