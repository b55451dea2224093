// SPDX-License-Identifier: GPL-2.0-only
#include "experiment-fixtures.h"

#include "ns3/rails-experiment-check.h"
#include "ns3/rails-run-memory.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

constexpr double kMemoryMebibyte = 1 << 20;

class RunMemoryTest : public ExperimentTest
{
  protected:
    static RunSize Estimate(const std::string& text, const std::vector<std::string>& sets = {})
    {
        FabricCache fabrics;
        return EstimateRunSize(Read(text, sets).MakeExperiment(0), fabrics);
    }

    void Write(const std::string& file, const std::string& text) const
    {
        const std::filesystem::path path = m_root.GetPath() / file;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }

    uint64_t FindMemory() const
    {
        return FindAvailableMemory(m_root.GetPath().string());
    }

    TemporaryFolder m_root;
};

const std::string kMemoryFabric = "topology: {type: rail, domains: 64, gpus_per_domain: 8, "
                                  "leaf_ports: 64, rail_spines: 64, spines: 64}\n"
                                  "transport: {congestion_control: none}\n"
                                  "record: {messages: false, links: false}\n"
                                  "balance: rails\nengine: flow\n";

TEST_F(RunMemoryTest, EstimateIsNearWhatWasMeasured)
{
    // Of bench/memory.txt: a class of run each.
    struct Measured
    {
        std::string workload;
        std::vector<std::string> sets;
        double mebibytes;
    };

    const std::string all = "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: ";
    const std::string groups = ", groups: {size: 64, layout: ";
    const std::vector<Measured> cases{
        {all + "100KB}}\n", {"topology.domains=8"}, 23},
        {all + "100KB}}\n", {"topology.domains=128"}, 304},
        {all + "100KB}}\n", {"topology.domains=128", "record.messages=true"}, 352},
        {all + "1MB}" + groups + "contiguous}}\n", {"topology.domains=512"}, 117},
        {all + "1MB}" + groups + "strided}}\n", {"topology.domains=512"}, 297},
        {all + "20KB}}\n", {"engine=frames"}, 135},
        {all + "50KB}" + groups + "contiguous}}\n",
         {"engine=frames", "topology.domains=512"},
         215}};
    for (const Measured& each : cases)
    {
        const double estimate =
            Estimate(kMemoryFabric + each.workload, each.sets).memoryBytes / kMemoryMebibyte;
        EXPECT_GT(estimate, 0.6 * each.mebibytes) << each.workload;
        EXPECT_LT(estimate, 1.5 * each.mebibytes) << each.workload;
    }
}

TEST_F(RunMemoryTest, RemedyIsTheKeyThatLowersItMost)
{
    const std::string all =
        kMemoryFabric +
        "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 32MB}}\n";
    const std::string pieces = "balance.chunk=4MB";
    const RunSize cut = Estimate(all, {pieces});
    const RunSize written = Estimate(all, {pieces, "record.messages=true"});
    EXPECT_EQ(written.memoryKey, "record.messages");
    EXPECT_LT(cut.memoryBytes, 0.7 * written.memoryBytes);
    EXPECT_EQ(cut.memoryKey, "balance") << "eight pieces of a message";
    EXPECT_EQ(Estimate(all, {"balance.chunk=whole"}).memoryKey, "topology");
    EXPECT_LT(Estimate(all, {"balance.chunk=whole"}).memoryBytes, 0.5 * cut.memoryBytes);
}

TEST_F(RunMemoryTest, LackIsToldWithTheRemedy)
{
    RunSize size{"flow", 1, "", 3.2 * 1024 * kMemoryMebibyte, "topology", "take fewer GPUs"};
    EXPECT_EQ(DescribeLack(size, 4096 * uint64_t{1 << 20}), "");
    EXPECT_EQ(DescribeLack(size, 0), "") << "nobody knows";
    EXPECT_EQ(DescribeLack(size, 512 << 20),
              "the run takes about 3.2 GiB of memory, and there is 512 MiB: take fewer GPUs "
              "(--any-memory begins it all the same)");
    size.memoryBytes = 0;
    EXPECT_EQ(DescribeLack(size, 1), "") << "of what is not estimated";
}

TEST_F(RunMemoryTest, MachineAndEveryControlGroupAboveCount)
{
    EXPECT_EQ(FindMemory(), 0U);
    Write("proc/meminfo", "MemTotal:       9000 kB\nMemAvailable:       8000 kB\n");
    EXPECT_EQ(FindMemory(), 8000U * 1024);
    Write("proc/self/cgroup", "0::/slurm/job/step\n");
    EXPECT_EQ(FindMemory(), 8000U * 1024) << "no files of groups";
    Write("sys/fs/cgroup/slurm/job/step/memory.max", "max\n");
    Write("sys/fs/cgroup/slurm/job/step/memory.current", "100000\n");
    EXPECT_EQ(FindMemory(), 8000U * 1024) << "no limit";
    Write("sys/fs/cgroup/slurm/job/memory.max", "1000000\n");
    Write("sys/fs/cgroup/slurm/job/memory.current", "300000\n");
    EXPECT_EQ(FindMemory(), 700000U);
    Write("sys/fs/cgroup/slurm/job/memory.stat", "anon 5\ninactive_file 50000\n");
    EXPECT_EQ(FindMemory(), 750000U) << "the kernel gives files back";
    Write("sys/fs/cgroup/slurm/memory.max", "200000\n");
    Write("sys/fs/cgroup/slurm/memory.current", "300000\n");
    EXPECT_EQ(FindMemory(), 1U) << "nothing left, which is known";
}

TEST_F(RunMemoryTest, OlderControlGroupsCountToo)
{
    Write("proc/meminfo", "MemAvailable:       8000 kB\n");
    Write("proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/job\n");
    Write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "1000000\n");
    Write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "400000\n");
    EXPECT_EQ(FindMemory(), 600000U);
}

} // namespace

} // namespace ns3::rails
