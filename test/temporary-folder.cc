// SPDX-License-Identifier: GPL-2.0-only

// Gives every test process a testing::TempDir() of its own, so that tests can run side by side.

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>

namespace
{

class TemporaryFolder : public testing::Environment
{
  public:
    void SetUp() override
    {
        m_path = std::filesystem::temp_directory_path() / "rails-test-XXXXXX";
        ASSERT_NE(mkdtemp(m_path.data()), nullptr) << m_path;
        setenv("TEST_TMPDIR", m_path.c_str(), 1);
    }

    void TearDown() override
    {
        std::filesystem::remove_all(m_path);
        unsetenv("TEST_TMPDIR");
    }

  private:
    std::string m_path;
};

[[maybe_unused]] testing::Environment* const g_temporaryFolder =
    testing::AddGlobalTestEnvironment(new TemporaryFolder);

} // namespace
