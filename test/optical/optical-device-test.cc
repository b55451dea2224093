// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/optical-device.h"
#include "ns3/string.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <optional>

namespace ns3::rails::test
{

namespace
{

constexpr TimePs kNanosecond = 1'000;
constexpr TimePs kMicrosecond = 1'000 * kNanosecond;
constexpr TimePs kDeviceMillisecond = 1'000 * kMicrosecond;

void
ExpectDevice(OpticalDeviceName name, uint32_t ports, std::optional<TimePs> delay)
{
    const OpticalDevice device = GetOpticalDevice(name);
    EXPECT_EQ(device.ports, ports);
    EXPECT_EQ(device.delay, delay);
}

TEST(OpticalDevice, HasThePortsAndDelaysOfMixNetsTable)
{
    ExpectDevice(TELESCENT, 1008, std::nullopt); // minutes
    ExpectDevice(POLATIS, 576, 25 * kDeviceMillisecond);
    ExpectDevice(CALIENT, 320, 15 * kDeviceMillisecond);
    ExpectDevice(PALOMAR, 136, std::nullopt); // not reported
    ExpectDevice(ROTORNET, 128, 10 * kMicrosecond);
    ExpectDevice(LIGHTMATTER, 32, 7 * kMicrosecond);
    ExpectDevice(EPIPHOTONICS, 16, 10 * kNanosecond);
}

TEST(OpticalDevice, IsCalledByNamesInDescriptors)
{
    const Ptr<const AttributeChecker> checker = MakeOpticalDeviceChecker();
    const auto isName = [&](const char* name) {
        return checker->CreateValidValue(StringValue(name)) != nullptr;
    };
    for (const char* name :
         {"polatis", "telescent", "calient", "palomar", "rotornet", "lightmatter", "epiphotonics"})
    {
        EXPECT_TRUE(isName(name)) << name;
    }
}

} // namespace

} // namespace ns3::rails::test
