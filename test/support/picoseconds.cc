// SPDX-License-Identifier: GPL-2.0-only

// The fast path computes in picoseconds. ns-3 takes a resolution once, before anything runs, so no
// single test can set it.

#include "ns3/nstime.h"

#include <gtest/gtest.h>

namespace
{

class Picoseconds : public testing::Environment
{
  public:
    void SetUp() override
    {
        if (ns3::Time::GetResolution() != ns3::Time::PS)
        {
            ns3::Time::SetResolution(ns3::Time::PS);
        }
    }
};

const testing::Environment* const g_picoseconds =
    testing::AddGlobalTestEnvironment(new Picoseconds);

} // namespace
