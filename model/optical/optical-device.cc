// SPDX-License-Identifier: GPL-2.0-only
#include "optical-device.h"

#include "ns3/enum.h"

namespace ns3::rails
{

OpticalDevice
GetOpticalDevice(OpticalDeviceName name)
{
    constexpr TimePs microsecond = 1'000'000;
    constexpr TimePs millisecond = 1'000 * microsecond;
    switch (name)
    {
    case TELESCENT: // a robot: minutes
        return {1008, std::nullopt};
    case POLATIS:
        return {576, 25 * millisecond};
    case CALIENT:
        return {320, 15 * millisecond};
    case PALOMAR: // not reported
        return {136, std::nullopt};
    case ROTORNET:
        return {128, 10 * microsecond};
    case LIGHTMATTER:
        return {32, 7 * microsecond};
    case EPIPHOTONICS:
        return {16, microsecond / 100};
    }
    return {};
}

Ptr<const AttributeChecker>
MakeOpticalDeviceChecker()
{
    return MakeEnumChecker(POLATIS,
                           "polatis",
                           TELESCENT,
                           "telescent",
                           CALIENT,
                           "calient",
                           PALOMAR,
                           "palomar",
                           ROTORNET,
                           "rotornet",
                           LIGHTMATTER,
                           "lightmatter",
                           EPIPHOTONICS,
                           "epiphotonics");
}

} // namespace ns3::rails
