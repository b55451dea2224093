// SPDX-License-Identifier: GPL-2.0-only

// Lets ns-3's own test runner (./test.py -s rails) run the GoogleTest cases of this module.

#include "ns3/test.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

namespace
{

/// The name under which GoogleTest selects a case.
std::string
GetFilter(const testing::TestInfo& info)
{
    return std::string(info.test_suite_name()) + "." + info.name();
}

/// ns-3 refuses slashes, which GoogleTest puts into the names of parametrised cases.
std::string
GetNs3Name(const testing::TestInfo& info)
{
    std::string name = GetFilter(info);
    std::replace(name.begin(), name.end(), '/', ':');
    return name;
}

/// One GoogleTest case as an ns-3 test case: each failed expectation is a failure of its own.
class GoogleTestCase : public ns3::TestCase
{
  public:
    explicit GoogleTestCase(const testing::TestInfo& info)
        : TestCase(GetNs3Name(info)),
          m_info(info)
    {
    }

  private:
    void DoRun() override
    {
        testing::GTEST_FLAG(filter) = GetFilter(m_info);
        const bool failed = RUN_ALL_TESTS() != 0;
        const testing::TestResult& result = *m_info.result();
        for (int i = 0; i < result.total_part_count(); ++i)
        {
            const testing::TestPartResult& part = result.GetTestPartResult(i);
            if (part.failed())
            {
                const char* file = part.file_name() ? part.file_name() : "";
                ReportTestFailure(GetName(), "", "", part.message(), file, part.line_number());
            }
        }
        if (failed && !IsStatusFailure())
        {
            ReportTestFailure(GetName(),
                              "",
                              "",
                              "its fixture failed",
                              m_info.file(),
                              m_info.line());
        }
    }

    const testing::TestInfo& m_info;
};

/// All GoogleTest cases that are linked in.
class RailsTestSuite : public ns3::TestSuite
{
  public:
    RailsTestSuite()
        : TestSuite("rails")
    {
    }

  private:
    // Only here, because when the suite is constructed not every case has registered itself yet.
    void DoSetup() override
    {
        testing::InitGoogleTest();
        auto& listeners = testing::UnitTest::GetInstance()->listeners();
        delete listeners.Release(listeners.default_result_printer());
        const testing::UnitTest& all = *testing::UnitTest::GetInstance();
        for (int i = 0; i < all.total_test_suite_count(); ++i)
        {
            const testing::TestSuite& suite = *all.GetTestSuite(i);
            for (int j = 0; j < suite.total_test_count(); ++j)
            {
                AddTestCase(new GoogleTestCase(*suite.GetTestInfo(j)));
            }
        }
    }
};

/// Registers itself with ns-3's test runner.
const RailsTestSuite g_railsTestSuite;

} // namespace
