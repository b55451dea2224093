// SPDX-License-Identifier: GPL-2.0-only
#include "bench-balancers.h"

#include "bench-case.h"
#include "bench-measuring.h"

#include "ns3/abort.h"
#include "ns3/balancer.h"
#include "ns3/component-maker.h"
#include "ns3/double.h"
#include "ns3/exchange-counts.h"
#include "ns3/matrix-source.h"
#include "ns3/object-factory.h"
#include "ns3/rails-units.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/server-layout.h"

#include <cstdint>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

constexpr uint32_t kServers = 8;
constexpr uint64_t kBytesPerGpu = 64'000'000;
constexpr uint64_t kNicRate = 400'000'000'000;
/// Repeats plans until the clock's resolution does not matter.
constexpr double kLeastSeconds = 0.02;

/// A balancer and its size of chunks.
struct BalancerCase
{
    std::string name;  //!< as in a descriptor
    std::string type;  //!< class
    std::string chunk; //!< for people
    uint64_t bytes;    //!< most bytes of a piece; 0: not to be set
    uint32_t gpus;     //!< of a server, and NICs
};

constexpr uint64_t kWhole = UINT64_MAX;

std::vector<BalancerCase>
GetBalancerCases()
{
    std::vector<BalancerCase> cases;
    for (const uint32_t gpus : {8U, 16U, 32U, 72U})
    {
        cases.push_back({"rail-source", "RailSourceBalancer", "whole", 0, gpus});
        for (const auto& [chunk, bytes] : {std::pair<const char*, uint64_t>{"whole", kWhole},
                                           {"1MB", 1'000'000},
                                           {"256KB", 256'000},
                                           {"64KB", 64'000}})
        {
            cases.push_back({"rails", "RailsBalancer", chunk, bytes, gpus});
        }
        cases.push_back({"even-split", "EvenSplitBalancer", "1/N", 0, gpus});
        for (const auto& [chunk, bytes] :
             {std::pair<const char*, uint64_t>{"1MB", 1'000'000}, {"64KB", 64'000}})
        {
            cases.push_back({"rails-plus", "RailsPlusBalancer", chunk, bytes, gpus});
            cases.push_back({"rails-plus-row", "RailsPlusRowBalancer", chunk, bytes, gpus});
        }
    }
    return cases;
}

/// \return messages of exponential sizes between all GPUs of different servers
TrafficMatrix
MakeBalancerMatrix(const ClusterShape& shape)
{
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(1);
    const auto source = MakeComponent<MatrixSource>("SparseMatrixSource");
    const uint64_t others = static_cast<uint64_t>(shape.GetGpus()) - shape.gpusPerServer;
    source->SetAttribute("Density", DoubleValue(1));
    source->SetAttribute("Mean", ByteSizeValue(ByteSize(kBytesPerGpu / others)));
    source->AssignStreams(1);
    source->Check(shape);
    return source->Generate(shape);
}

Ptr<Balancer>
MakeBalancer(const BalancerCase& bench)
{
    ObjectFactory factory("ns3::rails::" + bench.type);
    if (bench.bytes > 0)
    {
        factory.Set(
            "Chunk",
            ByteSizeValue(bench.bytes == kWhole ? ByteSize::Special() : ByteSize(bench.bytes)));
    }
    return factory.Create<Balancer>();
}

/// All servers plan in turn, as repeated plans of one server would stay in the caches.
nlohmann::ordered_json
MeasureBalancer(const BalancerCase& bench)
{
    const ClusterShape shape{kServers, bench.gpus};
    const TrafficMatrix matrix = MakeBalancerMatrix(shape);
    const ExchangeCounts counts(matrix, FrameFormat());
    const auto layout = std::make_shared<ServerLayout>(shape.gpusPerServer, shape.nicsPerServer);
    std::vector<ServerView> views;
    uint64_t demands = 0;
    for (uint32_t server = 0; server < kServers; ++server)
    {
        views.push_back(MakeServerView(matrix, server, layout));
        views.back().getNicRate = [](uint32_t, uint32_t) { return kNicRate; };
        demands += views.back().demands.size();
    }
    const Ptr<Balancer> balancer = MakeBalancer(bench);
    uint64_t pieces = 0;
    std::vector<double> times; // of a plan
    std::vector<double> empties;
    for (int round = 0; round < kRounds; ++round)
    {
        uint64_t plans = 0;
        pieces = 0;
        double seconds = 0;
        const std::clock_t start = std::clock(); // planning waits for nothing
        while (seconds < kLeastSeconds)
        {
            for (const ServerView& view : views)
            {
                pieces += balancer->MakePieces(view, &counts).size();
                ++plans;
            }
            seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        }
        pieces /= plans;
        times.push_back(seconds / static_cast<double>(plans));
        empties.push_back(MeasureEmptyEvent(1, 2'000'000));
    }
    NS_ABORT_MSG_UNLESS(pieces > 0, "a planner has planned nothing");
    const double nanoseconds = Median(times) * 1e9;
    return {{"case", bench.name},
            {"gpus_per_server", bench.gpus},
            {"chunk", bench.chunk},
            {"messages", demands / kServers},
            {"pieces", pieces},
            {"us_per_plan", nanoseconds / 1e3},
            {"ns_per_piece", nanoseconds / static_cast<double>(pieces)},
            {"ns_per_empty_event", Median(empties)}};
}

} // namespace

bool
RunBalancerCases(nlohmann::ordered_json& figures)
{
    std::printf("\n%-16s %5s %6s %9s %9s %12s %9s %9s\n",
                "plan of a server",
                "GPUs",
                "chunk",
                "messages",
                "pieces",
                "us",
                "ns/piece",
                "ns/empty");
    std::fflush(stdout);
    for (const BalancerCase& bench : GetBalancerCases())
    {
        const nlohmann::ordered_json row = MeasureApart(MeasureBalancer, bench);
        if (row.is_null())
        {
            return PrintFailure(bench.name + " with " + std::to_string(bench.gpus) + " GPUs");
        }
        std::printf("%-16s %5u %6s %9llu %9llu %12.1f %9.1f %9.1f\n",
                    bench.name.c_str(),
                    bench.gpus,
                    bench.chunk.c_str(),
                    row["messages"].get<unsigned long long>(),
                    row["pieces"].get<unsigned long long>(),
                    row["us_per_plan"].get<double>(),
                    row["ns_per_piece"].get<double>(),
                    row["ns_per_empty_event"].get<double>());
        std::fflush(stdout);
        figures.push_back(row);
    }
    return true;
}

} // namespace ns3::rails
