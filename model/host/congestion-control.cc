// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-control.h"

#include <limits>
#include <stdexcept>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(CongestionControl);

TypeId
CongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::CongestionControl").SetParent<Object>().SetGroupName("Rails");
    return tid;
}

void
CongestionControl::Check() const
{
}

void
CongestionControl::Join(const NicState& /* nic */)
{
}

uint32_t
CongestionControl::GetStartBytes()
{
    return 0;
}

uint32_t
CongestionControl::GetBurstBytes() const
{
    return 0;
}

TimePs
CongestionControl::GetNextChange(TimePs /* now */)
{
    return kNever;
}

void
CongestionControl::OnSent(TimePs /* now */, uint32_t /* wireBytes */)
{
}

void
CongestionControl::OnCnp(TimePs /* now */)
{
}

void
CongestionControl::OnAck(TimePs /* now */, const AckReport& /* report */)
{
}

void
CongestionControl::OnLoss(TimePs /* now */)
{
}

uint64_t
CongestionControl::GetWindowBytes() const
{
    return std::numeric_limits<uint64_t>::max();
}

TimePs
CongestionControl::GetCnpInterval() const
{
    return 0;
}

double
CongestionControl::GetAlpha(TimePs) const
{
    return 0;
}

bool
CongestionControl::WantsRhoMax() const
{
    return false;
}

void
CongestionControl::SetRhoMax(double)
{
    throw std::logic_error("this congestion control does not ask for rho_max");
}

bool
CongestionControl::WantsIdleRoundTrip() const
{
    return false;
}

void
CongestionControl::SetIdleRoundTrip(TimePs)
{
    throw std::logic_error("this congestion control does not ask for the idle round trip");
}

std::optional<CongestionControl::RoundTripParameter>
CongestionControl::GetRoundTripParameter() const
{
    return std::nullopt;
}

} // namespace ns3::rails
