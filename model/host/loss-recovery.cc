// SPDX-License-Identifier: GPL-2.0-only
#include "loss-recovery.h"

#include <limits>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(LossRecovery);

const char* const LossRecovery::kTimeoutHelp =
    "Time without progress after which a sender takes its unacknowledged frames for lost; longer "
    "than any queueing under PFC and shorter than the watchdog's patience.";

const char* const LossRecovery::kSprayRemedy =
    "set transport.loss_recovery to selective-repeat with loss_threshold: 32";

uint32_t
LossRecovery::GetLossThreshold() const
{
    return m_traits.needsOrder ? 1 : std::numeric_limits<uint32_t>::max();
}

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

TimePs
LossRecovery::GetTimeout() const
{
    return m_timeout.GetTimeStep();
}

} // namespace ns3::rails
