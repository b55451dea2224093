// SPDX-License-Identifier: GPL-2.0-only
#include "rails-shared-buffer.h"

#include <algorithm>

namespace ns3::rails
{

SharedBuffer::SharedBuffer(uint64_t bytes, double alpha, uint64_t xonOffset)
    : m_size(bytes),
      m_alpha(alpha),
      m_xonOffset(xonOffset),
      m_sharedSize(bytes)
{
}

bool
SharedBuffer::AddPort(uint64_t headroom)
{
    m_ports.push_back({headroom, {}});
    if (headroom >= m_sharedSize)
    {
        return false;
    }
    m_sharedSize -= headroom;
    return true;
}

uint64_t
SharedBuffer::GetThreshold() const
{
    return static_cast<uint64_t>(m_alpha * static_cast<double>(m_sharedSize - m_sharedUsed));
}

void
SharedBuffer::Take(uint64_t bytes)
{
    m_used += bytes;
    m_usedMax = std::max(m_usedMax, m_used);
}

void
SharedBuffer::GiveBack(uint64_t bytes, uint64_t fromShared)
{
    m_consistent = m_consistent && bytes <= m_used && fromShared <= m_sharedUsed;
    m_sharedUsed -= fromShared;
    m_used -= bytes;
}

SharedBuffer::Admission
SharedBuffer::AdmitLossless(uint32_t ingress, uint8_t trafficClass, uint32_t bytes)
{
    IngressPort& port = m_ports[ingress];
    Ingress& charge = port.classes[trafficClass];
    if (charge.shared + bytes <= GetThreshold() && m_sharedUsed + bytes <= m_sharedSize)
    {
        charge.shared += bytes;
        m_sharedUsed += bytes;
        Take(bytes);
        return Admission::Admitted;
    }
    if (charge.headroom + bytes > port.headroomSize)
    {
        return Admission::Refused;
    }
    charge.headroom += bytes;
    Take(bytes);
    if (charge.pausing)
    {
        return Admission::Admitted;
    }
    charge.pausing = true;
    return Admission::AdmittedAndPause;
}

bool
SharedBuffer::ReleaseLossless(uint32_t ingress, uint8_t trafficClass, uint32_t bytes)
{
    Ingress& charge = m_ports[ingress].classes[trafficClass];
    const uint64_t fromHeadroom = std::min<uint64_t>(charge.headroom, bytes);
    charge.headroom -= fromHeadroom;
    charge.shared -= bytes - fromHeadroom;
    GiveBack(bytes, bytes - fromHeadroom);
    if (!charge.pausing || charge.headroom != 0)
    {
        return false;
    }
    const uint64_t threshold = GetThreshold();
    const uint64_t resumeAt = threshold > m_xonOffset ? threshold - m_xonOffset : 0;
    if (charge.shared > resumeAt)
    {
        return false;
    }
    charge.pausing = false;
    return true;
}

SharedBuffer::Admission
SharedBuffer::AdmitLossy(uint64_t queueBytes, uint32_t bytes)
{
    if (queueBytes + bytes > GetThreshold() || m_sharedUsed + bytes > m_sharedSize)
    {
        return Admission::Refused;
    }
    m_sharedUsed += bytes;
    Take(bytes);
    return Admission::Admitted;
}

void
SharedBuffer::ReleaseLossy(uint32_t bytes)
{
    GiveBack(bytes, bytes);
}

bool
SharedBuffer::IsConsistent() const
{
    return m_consistent && m_usedMax <= m_size;
}

bool
SharedBuffer::IsPausing(uint32_t ingress, uint8_t trafficClass) const
{
    return m_ports[ingress].classes[trafficClass].pausing;
}

uint64_t
SharedBuffer::GetCharged(uint32_t ingress, uint8_t trafficClass) const
{
    const Ingress& charge = m_ports[ingress].classes[trafficClass];
    return charge.shared + charge.headroom;
}

} // namespace ns3::rails
