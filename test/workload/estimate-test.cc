// SPDX-License-Identifier: GPL-2.0-only

// What sources and workloads say they will send, against what they then draw.

#include "../collective/collective-fixtures.h"

#include "ns3/boolean.h"
#include "ns3/component-list.h"
#include "ns3/component-registry.h"
#include "ns3/double.h"
#include "ns3/pointer.h"
#include "ns3/rails-units.h"
#include "ns3/rails-workload.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/value-list.h"
#include "ns3/workload-job.h"

#include <cmath>
#include <set>

using namespace ns3;
using namespace ns3::rails;

namespace
{

ByteSizeValue
MakeBytes(uint64_t bytes)
{
    return ByteSizeValue(ByteSize(bytes));
}

/// Servers of one GPU, of several, and one alone.
const std::vector<ClusterShape> kShapes{{6, 1}, {4, 8}, {1, 8}};

/// The total of some draws as the mean and its standard error.
struct Drawn
{
    double mean{0};
    double error{0};
};

template <typename Draw>
Drawn
DrawSeeds(uint64_t seeds, Draw&& draw)
{
    double sum = 0;
    double squares = 0;
    for (uint64_t seed = 1; seed <= seeds; ++seed)
    {
        const double total = draw(seed);
        sum += total;
        squares += total * total;
    }
    const auto count = static_cast<double>(seeds);
    const double mean = sum / count;
    const double variance = std::max(0.0, squares / count - mean * mean);
    return {mean, std::sqrt(variance / (count - 1))};
}

Drawn
DrawMatrices(const Ptr<MatrixSource>& source, const ClusterShape& shape, uint64_t seeds)
{
    return DrawSeeds(seeds, [&](uint64_t seed) {
        return static_cast<double>(Generate(source, shape, seed).GetTotalBytes());
    });
}

/// For sources that draw nothing, or nothing that changes the total.
void
ExpectExact(const Ptr<MatrixSource>& source, const std::vector<ClusterShape>& shapes = kShapes)
{
    for (const ClusterShape& shape : shapes)
    {
        for (const uint64_t seed : {1, 2})
        {
            const auto total = static_cast<double>(Generate(source, shape, seed).GetTotalBytes());
            EXPECT_NEAR(source->EstimateBytes(shape), total, 1e-9 * total)
                << shape.servers << " x " << shape.gpusPerServer << ", seed " << seed;
        }
    }
}

/**
 * For sources that draw their sizes: within four standard errors of the mean of 30 draws, and half
 * a byte a pair where drawn sizes are rounded.
 */
void
ExpectMean(const Ptr<MatrixSource>& source, double bytesPerPair = 0)
{
    for (const ClusterShape& shape : kShapes)
    {
        const Drawn drawn = DrawMatrices(source, shape, 30);
        const double pairs = static_cast<double>(shape.GetGpus()) * shape.GetGpus();
        EXPECT_NEAR(source->EstimateBytes(shape),
                    drawn.mean,
                    4 * drawn.error + bytesPerPair * pairs + 1e-9 * drawn.mean)
            << shape.servers << " x " << shape.gpusPerServer;
    }
}

TEST(Estimate, UniformMatrix)
{
    for (const bool intra : {false, true})
    {
        ExpectExact(Make<MatrixSource>("UniformMatrixSource", "Intra", BooleanValue(intra)));
        ExpectExact(Make<MatrixSource>("UniformMatrixSource",
                                       "Intra",
                                       BooleanValue(intra),
                                       "BytesPerPair",
                                       MakeBytes(12'345)));
    }
}

TEST(Estimate, SparseMatrix)
{
    for (const bool intra : {false, true})
    {
        for (const double density : {0.0, 0.1, 0.7, 1.0})
        {
            for (const uint64_t mean : {1, 3, 1'000'000})
            {
                SCOPED_TRACE(std::to_string(density) + " of " + std::to_string(mean) + " B");
                ExpectMean(Make<MatrixSource>("SparseMatrixSource",
                                              "Intra",
                                              BooleanValue(intra),
                                              "Density",
                                              DoubleValue(density),
                                              "Mean",
                                              MakeBytes(mean)));
            }
        }
    }
}

TEST(Estimate, PairsOfAMatrix)
{
    const ClusterShape shape{8, 8};
    const auto count = [&](const Ptr<MatrixSource>& source) {
        const TrafficMatrix matrix = Generate(source, shape, 1);
        double pairs = 0;
        for (uint32_t gpu = 0; gpu < shape.GetGpus(); ++gpu)
        {
            pairs += static_cast<double>(matrix.GetRow(gpu).size());
        }
        return pairs;
    };
    for (const bool intra : {false, true})
    {
        const auto uniform =
            Make<MatrixSource>("UniformMatrixSource", "Intra", BooleanValue(intra));
        EXPECT_EQ(uniform->EstimatePairs(shape), count(uniform));
        const auto sparse = Make<MatrixSource>("SparseMatrixSource",
                                               "Intra",
                                               BooleanValue(intra),
                                               "Density",
                                               DoubleValue(0.3));
        EXPECT_NEAR(sparse->EstimatePairs(shape), count(sparse), 0.1 * count(sparse));
    }
}

TEST(Estimate, ZipfMatrix)
{
    for (const bool intra : {false, true})
    {
        for (const double exponent : {0.0, 1.2, 10.0})
        {
            const auto make = [&](double jitter, uint64_t bytes) {
                return Make<MatrixSource>("ZipfMatrixSource",
                                          "Intra",
                                          BooleanValue(intra),
                                          "Exponent",
                                          DoubleValue(exponent),
                                          "Jitter",
                                          DoubleValue(jitter),
                                          "BytesPerGpu",
                                          MakeBytes(bytes));
            };
            SCOPED_TRACE(exponent);
            ExpectExact(make(0, 1'000'000'007));
            ExpectExact(make(0, 50));
            ExpectMean(make(0.2, 1'000'000'007));
            ExpectMean(make(1, 1'000'000));
            ExpectMean(make(0.5, 50), 0.5);
        }
    }
}

Ptr<MatrixSource>
MakeMoe(uint32_t experts, const Ptr<Object>& popularity)
{
    return Make<MatrixSource>("MoeMatrixSource",
                              "TokensPerGpu",
                              UintegerValue(100),
                              "TopK",
                              UintegerValue(2),
                              "Hidden",
                              UintegerValue(3),
                              "BytesPerElement",
                              MakeBytes(4),
                              "Experts",
                              UintegerValue(experts),
                              "Popularity",
                              PointerValue(popularity));
}

TEST(Estimate, MoeMatrix)
{
    NumberList shares(std::vector<double>{9, 1, 2, 0.5, 0.5, 1, 3, 100});
    for (const std::string name : {"Uniform", "Zipf", "Dirichlet", "Given"})
    {
        SCOPED_TRACE(name);
        const auto popularity = [&] {
            return name == "Given"
                       ? Make<Object>("GivenPopularity", "Shares", NumberListValue(shares))
                       : Make<Object>(name + "Popularity");
        };
        // Several experts a GPU, one, and several GPUs an expert.
        for (const ClusterShape& shape : {ClusterShape{2, 2}, {4, 2}, {4, 8}, {1, 8}})
        {
            const Ptr<MatrixSource> source = MakeMoe(8, popularity());
            const Drawn drawn = DrawMatrices(source, shape, 30);
            EXPECT_NEAR(source->EstimateBytes(shape),
                        drawn.mean,
                        4 * drawn.error + 1e-9 * drawn.mean)
                << shape.servers << " x " << shape.gpusPerServer;
        }
    }
}

TEST(Estimate, CopiesOfMoeMatrix)
{
    const NumberList shares(std::vector<double>{9, 1, 2, 0.5, 0.5, 1, 3, 100});
    for (const std::string name : {"Uniform", "Zipf", "Dirichlet", "Given"})
    {
        const auto popularity =
            name == "Given" ? Make<Object>("GivenPopularity", "Shares", NumberListValue(shares))
                            : Make<Object>(name + "Popularity");
        // The last: a group has parts of servers, and an expert some GPUs of one.
        for (const GpuPartition& groups :
             {GpuPartition(ClusterShape{2, 2}),
              GpuPartition(ClusterShape{4, 2}),
              GpuPartition(ClusterShape{4, 8}),
              GpuPartition(ClusterShape{1, 8}),
              GpuPartition(ClusterShape{4, 4}, 8, GpuPartition::STRIDED),
              GpuPartition(ClusterShape{16, 3}, 16, GpuPartition::CONTIGUOUS)})
        {
            const Ptr<MatrixSource> source = MakeMoe(8, popularity);
            const Drawn drawn = DrawSeeds(30, [&](uint64_t seed) {
                RngSeedManager::SetRun(seed);
                source->AssignStreams(100);
                const TokenCopies copies = source->GenerateCopies(groups);
                return static_cast<double>(copies.toServers.GetTotalBytes() +
                                           copies.inServers.GetTotalBytes());
            });
            EXPECT_NEAR(source->EstimateCopyBytes(groups),
                        drawn.mean,
                        4 * drawn.error + 1e-9 * drawn.mean)
                << name << " " << groups.GetShape().servers << " x "
                << groups.GetShape().gpusPerServer;
        }
    }
}

TEST(Estimate, MatrixOfOneServerWithOneGpu)
{
    EXPECT_EQ(MakeMoe(8, Make<Object>("UniformPopularity"))->EstimateBytes(ClusterShape{1, 1}), 0);
    EXPECT_EQ(Make<MatrixSource>("SparseMatrixSource")->EstimateBytes(ClusterShape{1, 1}), 0);
}

TEST(Estimate, FileMatrix)
{
    const TemporaryFile file("9,1,2\n3,8,4\n5,6,7\n");
    ExpectExact(Make<MatrixSource>("FileMatrixSource", "Path", StringValue(file.GetPath())),
                {{3, 1}, {1, 3}});
}

TEST(Estimate, TraceMatrix)
{
    // One expert a GPU, and one for two GPUs.
    const TemporaryFile two("iteration,layer,microbatch,rank,e0,e1\n"
                            "1,0,0,0,10,7\n1,0,0,1,5,4\n"
                            "1,1,0,0,3,3\n1,1,0,1,8,1\n");
    const TemporaryFile one("iteration,layer,microbatch,rank,e0\n1,0,0,0,7\n1,0,0,1,4\n");
    for (const uint32_t layer : {0, 1})
    {
        for (const uint32_t hidden : {1, 4096})
        {
            const auto make = [&](const TemporaryFile& file) {
                return Make<MatrixSource>("TraceMatrixSource",
                                          "Path",
                                          StringValue(file.GetPath()),
                                          "Layer",
                                          UintegerValue(layer),
                                          "Hidden",
                                          UintegerValue(hidden));
            };
            ExpectExact(make(two), {{2, 1}, {1, 2}});
            if (layer == 0)
            {
                ExpectExact(make(one), {{2, 1}});
            }
        }
    }
}

/// For workloads whose total does not depend on what they draw.
void
ExpectExact(const Ptr<Workload>& workload, const std::vector<ClusterShape>& shapes = kShapes)
{
    for (const ClusterShape& shape : shapes)
    {
        workload->Check(WorkloadSetting(shape));
        workload->AssignStreams(100);
        const auto total = static_cast<double>(
            workload->MakeProgram(WorkloadSetting(shape))->GetTotal().GetTotalBytes());
        EXPECT_NEAR(workload->EstimateBytes(WorkloadSetting(shape)), total, 1e-9 * total)
            << shape.servers << " x " << shape.gpusPerServer;
    }
}

TEST(Estimate, AllToAllWorkload)
{
    constexpr TimePs kTime = 1'000;
    const std::vector<std::vector<Phase>> iterations{
        {{PhaseKind::Dispatch}},
        {{PhaseKind::Dispatch}, {PhaseKind::Compute, kTime}, {PhaseKind::Combine}},
        {{PhaseKind::Gap, kTime},
         {PhaseKind::Combine},
         {PhaseKind::Combine},
         {PhaseKind::Dispatch}},
    };
    for (const std::vector<Phase>& phases : iterations)
    {
        for (const uint32_t count : {1, 5})
        {
            ExpectExact(Make<Workload>("AllToAllWorkload",
                                       "Matrix",
                                       PointerValue(Make<MatrixSource>("UniformMatrixSource")),
                                       "Phases",
                                       MakePhases(phases),
                                       "Iterations",
                                       UintegerValue(count)));
        }
    }
}

TEST(Estimate, RingWorkload)
{
    for (const std::string operation : {"all-reduce", "all-gather", "reduce-scatter"})
    {
        for (const uint64_t bytes : {32, 1'000, 4'003})
        {
            ExpectExact(Make<Workload>("RingWorkload",
                                       "Operation",
                                       StringValue(operation),
                                       "Bytes",
                                       MakeBytes(bytes)));
        }
    }
}

TEST(Estimate, IncastWorkload)
{
    for (const uint32_t senders : {1, 5})
    {
        ExpectExact(Make<Workload>("IncastWorkload",
                                   "Senders",
                                   UintegerValue(senders),
                                   "Bytes",
                                   MakeBytes(700)),
                    {{6, 1}, {4, 8}});
    }
}

TEST(Estimate, PermutationWorkload)
{
    ExpectExact(Make<Workload>("PermutationWorkload"));
    ExpectExact(Make<Workload>("PermutationWorkload", "Bytes", MakeBytes(999)));
}

TEST(Estimate, ConnectionsWorkload)
{
    const TemporaryFile list("0,1,10,5us\n2,3,20,1us\n4,5,30,5us\n0,1,40,5us\n");
    const TemporaryFile htsim("Nodes 6\nConnections 2\n0->5 id 1 start 0 size 1000\n"
                              "3->1 id 2 start 9 size 77\n");
    for (const TemporaryFile* file : {&list, &htsim})
    {
        ExpectExact(Make<Workload>("ConnectionsWorkload", "Path", StringValue(file->GetPath())));
    }
}

TEST(Estimate, GraphWorkload)
{
    const auto make = [](const std::string& stages) {
        return Make<Workload>("GraphWorkload",
                              "Stages",
                              StringValue(stages),
                              "Iterations",
                              UintegerValue(3));
    };
    const std::vector<ClusterShape> shapes{{6, 1}, {4, 8}};
    const std::string name = "ns3::rails::";
    ExpectExact(make(name + "ComputeGraphStage"), shapes);
    ExpectExact(make(name + "ExchangeGraphStage[Matrix=ns3::rails::UniformMatrixSource]; " + name +
                     "ReturnGraphStage"),
                shapes);
    for (const std::string ring : {"AllReduce", "AllGather", "ReduceScatter"})
    {
        ExpectExact(make(name + ring + "GraphStage[Bytes=1001]"), shapes);
    }
    for (const std::string distance : {"1", "-2", "5"})
    {
        ExpectExact(make(name + "SendGraphStage[Bytes=7|Distance=" + distance + "]"), shapes);
        ExpectExact(make(name + "SendGraphStage[Wraps=true|Distance=" + distance + "]"), shapes);
    }
}

TEST(Estimate, TrainingWorkload)
{
    const std::string name = "ns3::rails::";
    const ClusterShape shape{4, 4};
    for (const std::string layout : {"Ep=4", "Tp=2|Cp=2|Pp=2|Ep=4|Etp=2"})
    {
        const Ptr<Workload> workload =
            Make<Workload>("TrainingWorkload",
                           "Parallel",
                           StringValue(name + "ParallelLayout[" + layout + "]"),
                           "Batch",
                           StringValue(name + "TrainingBatch[Sequence=64]"),
                           "Layers",
                           UintegerValue(3),
                           "Microbatches",
                           UintegerValue(2));
        const Drawn drawn = DrawSeeds(30, [&](uint64_t seed) {
            RngSeedManager::SetRun(seed);
            workload->AssignStreams(1);
            return static_cast<double>(
                workload->MakeProgram(WorkloadSetting(shape))->GetTotal().GetTotalBytes());
        });
        EXPECT_NEAR(workload->EstimateBytes(WorkloadSetting(shape)),
                    drawn.mean,
                    4 * drawn.error + 1e-9 * drawn.mean)
            << layout;
    }
}

TEST(Estimate, JobsWorkload)
{
    const std::string name = "ns3::rails::";
    const Ptr<Workload> workload = Make<Workload>("JobsWorkload");
    ComponentListValue jobs;
    for (const std::string type : {"Permutation", "Incast", "Ring"})
    {
        const Ptr<WorkloadJob> job = CreateObject<WorkloadJob>();
        const Ptr<Workload> own = Make<Workload>(type + "Workload");
        own->SetAttributeFailSafe("Senders", UintegerValue(3));
        job->SetAttribute("Workload", PointerValue(own));
        job->SetAttribute("Placement", StringValue(name + "ContiguousServerPlacement[Servers=3]"));
        job->SetAttribute("Runs", BooleanValue(type != "Incast"));
        jobs.Add(type, job);
    }
    workload->SetAttribute("Jobs", jobs);
    ExpectExact(Ptr<Workload>(workload), {{9, 2}, {12, 8}});
}

/// A new source or workload gets a test of its own in this file.
TEST(Estimate, EveryTypeHasItsTest)
{
    const auto names = [](TypeId base) {
        std::set<std::string> found;
        for (const ComponentType& type : GetComponentTypes(base))
        {
            if (type.id.GetName().rfind("ns3::rails::", 0) == 0)
            {
                found.insert(type.name);
            }
        }
        return found;
    };
    EXPECT_EQ(names(MatrixSource::GetTypeId()),
              (std::set<std::string>{"file", "moe", "sparse", "trace", "uniform", "zipf"}));
    EXPECT_EQ(names(Workload::GetTypeId()),
              (std::set<std::string>{"all-to-all",
                                     "connections",
                                     "goal",
                                     "graph",
                                     "incast",
                                     "jobs",
                                     "permutation",
                                     "ring",
                                     "training"}));
}

} // namespace
