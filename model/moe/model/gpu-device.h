// SPDX-License-Identifier: GPL-2.0-only
#ifndef GPU_DEVICE_H
#define GPU_DEVICE_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// Data sheet of a GPU.
struct GpuDevice
{
    std::string name;
    double bf16;          //!< dense BF16 operations per second
    double fp8;           //!< dense FP8 operations per second
    bool hasMicroscaling; //!< supports matrix products in MXFP8
    double memory;        //!< memory bandwidth, bytes per second
    uint32_t sms;         //!< streaming multiprocessors, or compute units
    double launch;        //!< seconds that the host takes to launch a kernel
    std::string source;
};

/// \return all known GPUs
const std::vector<GpuDevice>& GetGpuDevices();

} // namespace ns3::rails

#endif // GPU_DEVICE_H
