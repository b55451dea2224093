// SPDX-License-Identifier: GPL-2.0-only
#ifndef GPU_DEVICE_H
#define GPU_DEVICE_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// A GPU of which its maker says what it can do.
struct GpuDevice
{
    std::string name;
    double bf16;          //!< operations that it can do in a second, dense
    double fp8;           //!< likewise
    bool hasMicroscaling; //!< it multiplies MXFP8
    double memory;        //!< bytes that its memory can move in a second
    uint32_t sms;         //!< streaming multiprocessors, or compute units
    double launch;        //!< seconds that its host takes for a kernel
    std::string source;
};

/// \return all of them
const std::vector<GpuDevice>& GetGpuDevices();

} // namespace ns3::rails

#endif // GPU_DEVICE_H
