// SPDX-License-Identifier: GPL-2.0-only
#include "experiment-fixtures.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

/// What no engine can do is refused with each of them, in the same words.
class ExperimentCheckTest : public ExperimentTest
{
  protected:
    static std::string FindErrorsOf(const std::string& engine, std::vector<std::string> sets)
    {
        sets.push_back("transport.congestion_control=none");
        sets.push_back("engine=" + engine);
        return FindErrors(kSmallDescriptor, sets);
    }

    static void ExpectRefused(const std::vector<std::string>& sets, const std::string& reason)
    {
        for (const std::string engine : {"frames", "flow"})
        {
            const std::string errors = FindErrorsOf(engine, sets);
            EXPECT_NE(errors.find(reason), std::string::npos) << engine << ": " << errors;
        }
    }

    static void ExpectTaken(const std::vector<std::string>& sets)
    {
        for (const std::string engine : {"frames", "flow"})
        {
            EXPECT_EQ(FindErrorsOf(engine, sets), "") << engine;
        }
    }
};

} // namespace

TEST_F(ExperimentCheckTest, SubflowsOfPiecesWhoseNicIsChosenAtSendingAreRefused)
{
    ExpectRefused({"balance={type: least-outstanding, host: subflow}"},
                  "subflows of a message leave by one NIC at once");
    ExpectTaken({"balance={type: least-outstanding, host: {type: subflow, count: 1}}"});
    ExpectTaken({"balance={type: rail-source, host: subflow}"});
}

TEST_F(ExperimentCheckTest, AWatchdogLessPatientThanANicThatPostsIsRefused)
{
    ExpectRefused({"watchdog.no_progress_after=80ms", "nic.message_gap=80ms"},
                  "the watchdog must be more patient than a NIC that posts");
    ExpectTaken({"watchdog.no_progress_after=80ms", "nic.message_gap=79999us"});
}

} // namespace ns3::rails
