// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rng-seed-manager.h"

#include <gtest/gtest.h>

namespace
{

/// Every test draws as if it were the first: what ran before it leaves its seed behind.
class SeedReset : public testing::EmptyTestEventListener
{
  public:
    void OnTestStart(const testing::TestInfo& /* info */) override
    {
        ns3::RngSeedManager::SetSeed(1);
        ns3::RngSeedManager::SetRun(1);
    }
};

} // namespace

int
main(int argc, char** argv)
{
    testing::InitGoogleTest(&argc, argv);
    testing::UnitTest::GetInstance()->listeners().Append(new SeedReset); // which owns it
    return RUN_ALL_TESTS();
}
