// SPDX-License-Identifier: GPL-2.0-only
#include "bench-planners.h"

#include "bench-case.h"
#include "bench-measuring.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/exchange-counts.h"
#include "ns3/object-factory.h"
#include "ns3/planner.h"
#include "ns3/rails-units.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/server-layout.h"
#include "ns3/sparse-matrix-source.h"

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
/// Plans are made so often that the clock's steps do not matter.
constexpr double kLeastSeconds = 0.02;

/// A planner and how it cuts messages.
struct PlannerCase
{
    std::string name;  //!< as in a descriptor
    std::string type;  //!< class
    std::string chunk; //!< for people
    uint64_t bytes;    //!< most bytes of a piece; 0: not to be set
    uint32_t gpus;     //!< of a server, and NICs
};

constexpr uint64_t kWhole = UINT64_MAX;

std::vector<PlannerCase>
GetPlannerCases()
{
    std::vector<PlannerCase> cases;
    for (const uint32_t gpus : {8U, 16U, 32U, 72U})
    {
        cases.push_back({"rail-source", "RailSourcePlanner", "whole", 0, gpus});
        for (const auto& [chunk, bytes] : {std::pair<const char*, uint64_t>{"whole", kWhole},
                                           {"1MB", 1'000'000},
                                           {"256KB", 256'000},
                                           {"64KB", 64'000}})
        {
            cases.push_back({"rails", "RailsPlanner", chunk, bytes, gpus});
        }
        cases.push_back({"even-split", "EvenSplitPlanner", "1/N", 0, gpus});
        for (const auto& [chunk, bytes] :
             {std::pair<const char*, uint64_t>{"1MB", 1'000'000}, {"64KB", 64'000}})
        {
            cases.push_back({"rails-plus", "RailsPlusPlanner", chunk, bytes, gpus});
            cases.push_back({"rails-plus-row", "RailsPlusRowPlanner", chunk, bytes, gpus});
        }
    }
    return cases;
}

/// \return messages of exponential sizes between all GPUs of different servers
TrafficMatrix
MakePlannerMatrix(const ClusterShape& shape)
{
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(1);
    const auto source = CreateObject<SparseMatrixSource>();
    const uint64_t others = static_cast<uint64_t>(shape.GetGpus()) - shape.gpusPerServer;
    source->SetAttribute("Density", DoubleValue(1));
    source->SetAttribute("Mean", ByteSizeValue(ByteSize(kBytesPerGpu / others)));
    source->AssignStreams(1);
    source->Check(shape);
    return source->Generate(shape);
}

Ptr<Planner>
MakePlanner(const PlannerCase& bench)
{
    ObjectFactory factory("ns3::rails::" + bench.type);
    if (bench.bytes > 0)
    {
        factory.Set(
            "Chunk",
            ByteSizeValue(bench.bytes == kWhole ? ByteSize::Special() : ByteSize(bench.bytes)));
    }
    return factory.Create<Planner>();
}

/// Each server plans in turn, as plans of one server alone would stay in the caches.
nlohmann::ordered_json
MeasurePlanner(const PlannerCase& bench)
{
    const ClusterShape shape{kServers, bench.gpus};
    const TrafficMatrix matrix = MakePlannerMatrix(shape);
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
    const Ptr<Planner> planner = MakePlanner(bench);
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
                pieces += planner->MakePieces(view, &counts).size();
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
RunPlannerCases(nlohmann::ordered_json& figures)
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
    for (const PlannerCase& bench : GetPlannerCases())
    {
        const nlohmann::ordered_json row = MeasureApart(MeasurePlanner, bench);
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
