// SPDX-License-Identifier: GPL-2.0-only
#include "transfer-bound.h"

#include <algorithm>

namespace ns3::rails
{

TransferBound::TransferBound(const ClusterShape& shape, const ClusterSpeeds& speeds)
    : m_shape(shape),
      m_frames(speeds.frames),
      m_path(FindPathTimes(speeds))
{
    for (uint32_t gpu = 0; gpu < shape.GetGpus(); ++gpu)
    {
        m_sending.push_back(GetGpuRate(speeds, shape, gpu, true));
        m_receiving.push_back(GetGpuRate(speeds, shape, gpu, false));
    }
    for (uint32_t server = 0; server < shape.domains; ++server)
    {
        Wide& rate = m_nics.emplace_back(0);
        for (uint32_t rail = 0; rail < shape.nicsPerDomain; ++rail)
        {
            rate += GetNicRate(speeds, shape, shape.GetNic(server, rail));
        }
    }
}

TimePs
TransferBound::GetGpuTime(const std::vector<Wide>& rates, uint32_t gpu, uint64_t bytes) const
{
    const uint64_t frame = m_frames.GetDataWire(m_frames.mtu, 1);
    return rates[gpu] == 0 ? 0 : GetTransferTime(bytes, rates[gpu], frame);
}

TimePs
TransferBound::GetServerTime(uint32_t server, uint64_t bytes) const
{
    return m_nics[server] == 0 ? 0
                               : GetTransferTime(m_frames.GetMessageWire(bytes), m_nics[server]);
}

TimePs
TransferBound::GetMessageTime(uint32_t source, uint32_t destination, uint64_t bytes) const
{
    const TimePs sending = GetGpuTime(m_sending, source, bytes);
    const TimePs receiving = GetGpuTime(m_receiving, destination, bytes);
    const uint32_t from = m_shape.GetDomain(source);
    const uint32_t to = m_shape.GetDomain(destination);
    if (from == to)
    {
        return std::max(sending + std::min(m_path.crossing, m_path.afterSending),
                        receiving + std::min(m_path.crossing, m_path.beforeReceiving));
    }
    return std::max(std::max(sending, GetServerTime(from, bytes)) + m_path.afterSending,
                    std::max(receiving, GetServerTime(to, bytes)) + m_path.beforeReceiving);
}

TimePs
TransferBound::GetReceivingTime(uint32_t gpu, uint64_t bytes) const
{
    return bytes == 0 ? 0
                      : GetGpuTime(m_receiving, gpu, bytes) +
                            std::min(m_path.crossing, m_path.beforeReceiving);
}

} // namespace ns3::rails
