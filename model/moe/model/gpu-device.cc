// SPDX-License-Identifier: GPL-2.0-only
#include "gpu-device.h"

namespace ns3::rails
{

namespace
{

// Host time of a kernel: PyTorch's linear layer in BF16, on an Intel Xeon 8480C of a DGX H100, and
// on Grace of a GB200 (github.com/NVIDIA/TransformerEngine, issue 2053).
constexpr double kXeon = 13.48e-6;
constexpr double kGrace = 37.08e-6;

} // namespace

const std::vector<GpuDevice>&
GetGpuDevices()
{
    // Dense peaks: data sheets of NVIDIA give peaks with sparsity, twice as high.
    static const std::vector<GpuDevice> devices{
        {"h100",
         989.4e12,
         1978.9e12,
         false,
         3.35e12,
         132,
         kXeon,
         "NVIDIA H100 SXM, its data sheet"},
        {"h200", 989.4e12, 1978.9e12, false, 4.8e12, 132, kXeon, "NVIDIA H200 SXM, its data sheet"},
        {"h800",
         989.4e12,
         1978.9e12,
         false,
         3.35e12,
         132,
         kXeon,
         "NVIDIA H800 SXM: an H100 with less NVLink (arXiv 2505.09343)"},
        {"h20", 148e12, 296e12, false, 4.0e12, 78, kXeon, "NVIDIA H20, its data sheet"},
        {"b200",
         2250e12,
         4500e12,
         true,
         7.7e12,
         148,
         kXeon,
         "NVIDIA HGX B200, an eighth of its data sheet"},
        {"b300",
         2250e12,
         4500e12,
         true,
         7.7e12,
         160,
         kXeon,
         "NVIDIA HGX B300, an eighth of its data sheet; multiprocessors: Inside NVIDIA Blackwell "
         "Ultra"},
        {"gb200",
         2500e12,
         5000e12,
         true,
         8e12,
         148,
         kGrace,
         "NVIDIA GB200 NVL72, a 72nd of its data sheet"},
        {"gb300",
         2500e12,
         5000e12,
         true,
         8e12,
         160,
         kGrace,
         "NVIDIA GB300 NVL72, a 72nd of its data sheet; multiprocessors: Inside NVIDIA Blackwell "
         "Ultra"},
        {"mi300x", 1307.4e12, 2614.9e12, false, 5.3e12, 304, kXeon, "AMD MI300X, its data sheet"},
        {"mi355x", 2516.6e12, 5033.2e12, true, 8e12, 256, kXeon, "AMD MI355X, its data sheet"}};
    return devices;
}

} // namespace ns3::rails
