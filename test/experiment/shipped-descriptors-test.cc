// SPDX-License-Identifier: GPL-2.0-only
#include "experiment-fixtures.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <string>

namespace ns3::rails
{

class ShippedDescriptorsTest : public ExperimentTest
{
};

TEST_F(ShippedDescriptorsTest, AllAreValid)
{
#ifdef RAILS_SOURCE_DIR
    const std::filesystem::path folder = std::filesystem::path(RAILS_SOURCE_DIR) / "experiments";
    std::size_t found = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
    {
        if (entry.path().extension() != ".yaml")
        {
            continue;
        }
        ++found;
        try
        {
            const Descriptor descriptor(entry.path().string(), {}, CheckExperiment);
            EXPECT_GE(descriptor.GetPointCount(), 1U);
        }
        catch (const DescriptorError& error)
        {
            // Traces of real runs are not part of the module.
            const bool noTrace =
                entry.path().stem() == "trace" &&
                std::string(error.what()).find("no such file") != std::string::npos;
            EXPECT_TRUE(noTrace) << error.what();
        }
    }
    EXPECT_GT(found, 0U) << folder;
#else
    GTEST_SKIP() << "the build does not say where the sources are";
#endif
}

} // namespace ns3::rails
