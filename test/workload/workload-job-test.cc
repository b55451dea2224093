// SPDX-License-Identifier: GPL-2.0-only
#include "../collective/collective-fixtures.h"

#include "ns3/workload-job.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails::test
{

namespace
{

using Numbers = std::vector<uint32_t>;

/// A job whose servers have two GPUs.
struct FailedJob
{
    Numbers servers{0, 1};
    Numbers failedServers{};
    Numbers failedGpus{};
    Numbers spares{};

    /// \return GPUs of the cluster, by GPU of the job
    Numbers Replace() const
    {
        const auto job = CreateObject<WorkloadJob>();
        job->SetAttribute("FailedServers", CountListValue(CountList(failedServers)));
        job->SetAttribute("FailedGpus", CountListValue(CountList(failedGpus)));
        job->SetAttribute("Spares", CountListValue(CountList(spares)));
        EXPECT_EQ(job->GetSpares(), spares);
        return job->Replace(servers, 2);
    }

    /// \return the key of the error
    std::string FindError() const
    {
        try
        {
            Replace();
        }
        catch (const ConfigurationError& error)
        {
            return error.GetKey();
        }
        return "none";
    }
};

TEST(WorkloadJob, HasTheGpusOfItsServersWhereNothingHasFailed)
{
    EXPECT_EQ((FailedJob{{3, 1}, {}, {}, {7}}.Replace()), (Numbers{6, 7, 2, 3}));
}

TEST(WorkloadJob, ASpareServerReplacesOneThatFailed)
{
    EXPECT_EQ((FailedJob{{0, 1}, {1}, {}, {5}}.Replace()), (Numbers{0, 1, 10, 11}));
    EXPECT_EQ((FailedJob{{0, 1}, {1, 0}, {}, {5, 8}}.Replace()), (Numbers{16, 17, 10, 11}))
        << "in the order in which they are named";
}

TEST(WorkloadJob, TheGpuAtTheSamePlaceOfASpareServerReplacesOneThatFailed)
{
    EXPECT_EQ((FailedJob{{0, 1}, {}, {3}, {5}}.Replace()), (Numbers{0, 1, 2, 11}));
    EXPECT_EQ((FailedJob{{0, 1}, {}, {3, 0}, {5}}.Replace()), (Numbers{10, 1, 2, 11}))
        << "one server is enough for GPUs at different places";
    EXPECT_EQ((FailedJob{{0, 1}, {}, {3, 1}, {5, 8}}.Replace()), (Numbers{0, 17, 2, 11}))
        << "and not for others";
}

TEST(WorkloadJob, ServersAreReplacedBeforeGpus)
{
    EXPECT_EQ((FailedJob{{0, 1}, {1}, {0}, {5, 8}}.Replace()), (Numbers{16, 1, 10, 11}));
}

TEST(WorkloadJob, RefusesMoreFailuresThanSparesReplace)
{
    EXPECT_EQ((FailedJob{{0, 1}, {0}, {}, {}}.FindError()), "spares");
    EXPECT_EQ((FailedJob{{0, 1}, {0, 1}, {}, {5}}.FindError()), "spares");
    EXPECT_EQ((FailedJob{{0, 1}, {}, {1, 3}, {5}}.FindError()), "spares");
    EXPECT_EQ((FailedJob{{0, 1}, {0}, {2}, {5}}.FindError()), "spares");
}

TEST(WorkloadJob, RefusesFailuresOfWhatItDoesNotHave)
{
    EXPECT_EQ((FailedJob{{0, 1}, {}, {4}, {5}}.FindError()), "failed_gpus");
    EXPECT_EQ((FailedJob{{0, 1}, {}, {3, 3}, {5, 8}}.FindError()), "failed_gpus") << "twice";
    EXPECT_EQ((FailedJob{{0, 1}, {1}, {3}, {5, 8}}.FindError()), "failed_gpus")
        << "its server has failed";
    EXPECT_EQ((FailedJob{{0, 1}, {2}, {}, {5}}.FindError()), "failed_servers");
    EXPECT_EQ((FailedJob{{0, 1}, {1, 1}, {}, {5, 8}}.FindError()), "failed_servers") << "twice";
    EXPECT_EQ((FailedJob{{0, 1}, {0x80000000}, {}, {5}}.FindError()), "failed_servers")
        << "however large its number is";
}

} // namespace

} // namespace ns3::rails::test
