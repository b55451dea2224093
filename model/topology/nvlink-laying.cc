// SPDX-License-Identifier: GPL-2.0-only
#include "nvlink-laying.h"

namespace ns3::rails
{

NvlinkLaying::NvlinkLaying(ServerInterior& interior, const NvlinkPorts& nvlink)
    : m_interior(interior),
      m_latency(nvlink.latency)
{
    using Kind = ServerInterior::LinkKind;
    for (uint32_t gpu = 0; gpu < interior.GetLayout().GetGpus(); ++gpu)
    {
        m_out.push_back(
            interior.AddLink({Kind::NvlinkOut, "NVLink port", nvlink.rateBps, gpu, true}));
        m_in.push_back(
            interior.AddLink({Kind::NvlinkIn, "NVLink port", nvlink.rateBps, gpu, false}));
    }
}

uint32_t
NvlinkLaying::Join(uint32_t from, uint32_t to)
{
    return m_interior.AddHop(from, to, {m_out[from], m_in[to]}, m_latency);
}

} // namespace ns3::rails
