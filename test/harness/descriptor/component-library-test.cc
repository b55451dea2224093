// SPDX-License-Identifier: GPL-2.0-only
#include "../run/experiment-fixtures.h"

#include "ns3/rails-component-library.h"

#include <chrono>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>

namespace ns3::rails
{

// A library that brings a component is loaded in test/tools/check-components.
class ComponentLibraryTest : public ExperimentTest
{
  protected:
    static std::string GetRefusal(const std::string& library)
    {
        try
        {
            LoadComponents(library);
        }
        catch (const ComponentLibraryError& error)
        {
            return error.what();
        }
        return "";
    }

    TemporaryFolder m_folder;
};

TEST_F(ComponentLibraryTest, WhatIsNoLibraryIsRefusedWithItsPlace)
{
    const std::string missing = (m_folder.GetPath() / "missing.so").string();
    EXPECT_EQ(GetRefusal(missing).find(missing + ": error: "), 0U) << GetRefusal(missing);
    const std::string text = m_folder.Write("text.so", "no library");
    EXPECT_EQ(GetRefusal(text).find(text + ": error: "), 0U) << GetRefusal(text);
    EXPECT_EQ(GetRefusal(text).find('\n'), std::string::npos) << GetRefusal(text);
    const std::string folder = m_folder.GetPath().string();
    EXPECT_NE(GetRefusal(folder).find("./rails build"), std::string::npos) << GetRefusal(folder);
}

TEST_F(ComponentLibraryTest, LibraryFromBeforeTheModuleIsRefused)
{
    const std::string old = m_folder.Write("old.so", "whatever");
    const auto now = std::filesystem::last_write_time(old);
    std::filesystem::last_write_time(old, now - std::chrono::hours(24 * 365 * 20));
    EXPECT_NE(GetRefusal(old).find("built before the module"), std::string::npos)
        << GetRefusal(old);
}

} // namespace ns3::rails
