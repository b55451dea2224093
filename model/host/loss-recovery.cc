// SPDX-License-Identifier: GPL-2.0-only
#include "loss-recovery.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(LossRecovery);

const char* const LossRecovery::kTimeoutHelp =
    "Time without progress after which a sender takes its unacknowledged frames for lost; longer "
    "than any queueing under PFC and shorter than the watchdog's patience.";

TypeId
LossRecovery::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::LossRecovery").SetParent<Object>().SetGroupName("Rails");
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

bool
LossRecovery::UsesRoundTrips() const
{
    return false;
}

TimePs
LossRecovery::GetTimeout() const
{
    return m_timeout.GetTimeStep();
}

void
LossRecovery::OnRoundTrip(TimePs /* roundTrip */)
{
}

bool
LossRecovery::NeedsOrder() const
{
    return false;
}

bool
LossRecovery::KeepsTimer() const
{
    return false;
}

} // namespace ns3::rails
