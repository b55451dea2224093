// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/worker-pool.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <stdexcept>
#include <vector>

namespace ns3::rails::test
{

TEST(WorkerPool, DoesEachTaskOnce)
{
    for (const uint32_t workers : {1U, 2U, 3U, 8U})
    {
        WorkerPool pool(workers);
        for (const std::size_t tasks : {0U, 1U, 2U, 7U, 100U, 3U})
        {
            std::vector<int> done(tasks, 0);
            std::vector<std::atomic<int>> busy(workers);
            std::atomic<bool> areApart{true};
            pool.Run(tasks, [&](uint32_t worker, std::size_t task) {
                if (++busy.at(worker) > 1)
                {
                    areApart = false;
                }
                ++done[task];
                --busy[worker];
            });
            EXPECT_EQ(std::count(done.begin(), done.end(), 1), static_cast<int>(tasks));
            EXPECT_TRUE(areApart) << "nobody does two tasks at once";
        }
    }
}

TEST(WorkerPool, TasksRunBesideEachOther)
{
    WorkerPool pool(3);
    std::atomic<uint32_t> here{0};
    pool.Run(3, [&](uint32_t, std::size_t) {
        ++here;
        while (here < 3) // none ends before all have begun
        {
        }
    });
    EXPECT_EQ(here, 3U);
}

TEST(WorkerPool, ThrowsWhatATaskThrewAndGoesOn)
{
    for (const uint32_t workers : {1U, 4U})
    {
        WorkerPool pool(workers);
        const auto fail = [](uint32_t, std::size_t task) {
            if (task == 5)
            {
                throw std::runtime_error("task 5");
            }
        };
        EXPECT_THROW(pool.Run(50, fail), std::runtime_error);
        std::atomic<uint32_t> done{0};
        pool.Run(20, [&done](uint32_t, std::size_t) { ++done; });
        EXPECT_EQ(done, 20U);
    }
}

TEST(WorkerPool, NeedsAnybody)
{
    EXPECT_THROW(WorkerPool(0), std::logic_error);
}

} // namespace ns3::rails::test
