// SPDX-License-Identifier: GPL-2.0-only
#include "transfer-bound.h"

#include <algorithm>

namespace ns3::rails
{

TransferBound::TransferBound(const ClusterShape& shape, const ClusterSpeeds& speeds)
    : m_shape(shape),
      m_frames(speeds.frames),
      m_path(FindPathTimes(speeds)),
      m_cuts(shape, speeds)
{
    for (uint32_t server = 0; server < shape.servers; ++server)
    {
        Wide& rate = m_nics.emplace_back(0);
        for (uint32_t rail = 0; rail < shape.nicsPerServer; ++rail)
        {
            rate += GetNicRate(speeds, shape, shape.GetNic(server, rail));
        }
    }
}

TimePs
TransferBound::GetCutTime(const Wide& rate, uint64_t bytes) const
{
    const uint64_t frame = m_frames.GetDataWire(m_frames.mtu, 1);
    return rate == 0 ? 0 : GetTransferTime(bytes, rate, frame);
}

TimePs
TransferBound::GetServerTime(uint32_t server, uint64_t wire) const
{
    return m_nics[server] == 0 ? 0 : GetTransferTime(wire, m_nics[server]);
}

TimePs
TransferBound::GetTime(uint32_t source, uint32_t destination, const Volumes& volumes) const
{
    const TimePs sending = GetCutTime(m_cuts.GetGpuRate(source, true), volumes.sent);
    const TimePs receiving = GetCutTime(m_cuts.GetGpuRate(destination, false), volumes.got);
    const TimePs inside = volumes.hasInside ? m_path.crossing : kNever;
    const TimePs ofGpus = std::max(sending + std::min(inside, m_path.afterSending),
                                   receiving + std::min(inside, m_path.beforeReceiving));
    const uint32_t from = m_shape.GetServer(source);
    const uint32_t to = m_shape.GetServer(destination);
    if (from == to)
    {
        return ofGpus;
    }
    return std::max({ofGpus,
                     GetServerTime(from, volumes.sentWire) + m_path.afterSending,
                     GetServerTime(to, volumes.gotWire) + m_path.beforeReceiving});
}

TimePs
TransferBound::GetGroupTime(std::size_t group, bool sends, uint64_t bytes, bool hasInside) const
{
    const TimePs network = sends ? m_path.afterSending : m_path.beforeReceiving;
    return GetCutTime(m_cuts.GetGroupRate(group, sends), bytes) +
           (hasInside ? std::min(m_path.crossing, network) : network);
}

TimePs
TransferBound::GetReplyTime() const
{
    return m_path.ackReturn;
}

TimePs
TransferBound::GetCrossingTime() const
{
    return m_path.crossing;
}

TimePs
TransferBound::GetMessageTime(uint32_t source, uint32_t destination, uint64_t bytes) const
{
    const uint64_t wire = m_frames.GetMessageWire(bytes);
    const bool isInside = m_shape.GetServer(source) == m_shape.GetServer(destination);
    TimePs time = GetTime(source, destination, {bytes, bytes, wire, wire, isInside});
    m_cuts.VisitGroups(source, destination, [&](std::size_t group, bool leaves) {
        time = std::max(time, GetGroupTime(group, leaves, bytes, isInside));
    });
    return time;
}

TimePs
TransferBound::GetReceivingTime(uint32_t gpu, uint64_t bytes) const
{
    return bytes == 0 ? 0
                      : GetCutTime(m_cuts.GetGpuRate(gpu, false), bytes) +
                            std::min(m_path.crossing, m_path.beforeReceiving);
}

} // namespace ns3::rails
