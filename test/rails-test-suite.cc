// SPDX-License-Identifier: GPL-2.0-only

// Lets ns-3's own test runner (./test.py -s rails) run the GoogleTest cases of this module.

#include "ns3/test.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <string>
#include <vector>

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

/// Folders below test, each with a suite of its own.
constexpr std::array<const char*, 17> kRooms{"balance",
                                             "base",
                                             "collective",
                                             "fabric",
                                             "flow",
                                             "graph",
                                             "harness",
                                             "helper",
                                             "host",
                                             "max-min",
                                             "moe",
                                             "optical",
                                             "placement",
                                             "run",
                                             "topology",
                                             "wiring",
                                             "workload"};

/// \return the folder below test that has a source; empty for a file in test itself
std::string
GetRoom(const std::string& source)
{
    const std::string folder = "/test/";
    const std::string path = "/" + source; // which may be relative
    const std::size_t begin = path.rfind(folder);
    const std::size_t name = begin == std::string::npos ? path.size() : begin + folder.size();
    const std::size_t end = path.find('/', name);
    return end == std::string::npos ? "" : path.substr(name, end - name);
}

/// GoogleTest cases that are linked in: those of a room, or all.
class RailsTestSuite : public ns3::TestSuite
{
  public:
    explicit RailsTestSuite(const std::string& room)
        : TestSuite(room.empty() ? "rails" : "rails-" + room),
          m_room(room)
    {
    }

  private:
    // Only here, because when the suite is constructed not every case has registered itself yet.
    void DoSetup() override
    {
        static const bool isReady = [] {
            testing::InitGoogleTest();
            auto& listeners = testing::UnitTest::GetInstance()->listeners();
            delete listeners.Release(listeners.default_result_printer());
            return true;
        }();
        const testing::UnitTest& all = *testing::UnitTest::GetInstance();
        for (int i = 0; isReady && i < all.total_test_suite_count(); ++i)
        {
            const testing::TestSuite& suite = *all.GetTestSuite(i);
            for (int j = 0; j < suite.total_test_count(); ++j)
            {
                const testing::TestInfo& info = *suite.GetTestInfo(j);
                if (m_room.empty() || GetRoom(info.file()) == m_room)
                {
                    AddTestCase(new GoogleTestCase(info));
                }
            }
        }
    }

    std::string m_room; // empty: all
};

/// Registers the suites with ns-3's test runner.
struct RailsTestSuites
{
    RailsTestSuites()
    {
        for (const char* room : kRooms)
        {
            rooms.push_back(std::make_unique<RailsTestSuite>(room));
        }
    }

    RailsTestSuite all{""};
    std::vector<std::unique_ptr<RailsTestSuite>> rooms;
};

const RailsTestSuites g_railsTestSuites;

TEST(RailsTestSuites, HaveEveryCaseOfARoom)
{
    std::set<std::string> rooms{""}; // of this file
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    for (int i = 0; i < all.total_test_suite_count(); ++i)
    {
        for (int j = 0; j < all.GetTestSuite(i)->total_test_count(); ++j)
        {
            rooms.insert(GetRoom(all.GetTestSuite(i)->GetTestInfo(j)->file()));
        }
    }
    const std::set<std::string> expected(kRooms.begin(), kRooms.end());
    rooms.erase("");
    EXPECT_EQ(rooms, expected);
}

} // namespace
