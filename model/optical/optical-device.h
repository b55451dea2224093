// SPDX-License-Identifier: GPL-2.0-only
#ifndef OPTICAL_DEVICE_H
#define OPTICAL_DEVICE_H

#include "ns3/attribute.h"
#include "ns3/ptr.h"
#include "ns3/rails-units.h"

#include <cstdint>
#include <optional>

namespace ns3::rails
{

/// Commercial and prototype optical circuit switches. (MixNet, arXiv 2501.03905, Table 2)
enum OpticalDeviceName
{
    TELESCENT,
    POLATIS,
    CALIENT,
    PALOMAR,
    ROTORNET,
    LIGHTMATTER,
    EPIPHOTONICS
};

/// Properties of an optical circuit switch.
struct OpticalDevice
{
    uint32_t ports{0};           //!< full-duplex
    std::optional<TimePs> delay; //!< longest reconfiguration delay in the table; empty: no number
};

OpticalDevice GetOpticalDevice(OpticalDeviceName name);

/// \return the checker of an attribute that names a device
Ptr<const AttributeChecker> MakeOpticalDeviceChecker();

} // namespace ns3::rails

#endif // OPTICAL_DEVICE_H
