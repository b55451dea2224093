// SPDX-License-Identifier: GPL-2.0-only

// A balancer of one's own, from the class to its name in a descriptor. It takes a class that
// derives from RowPlanner and registers a TypeId; then `balance: {type: two-choices}` works, with
// keys, their checks and a page of `describe`, as for those that come with the module.
//
//   ./ns3 run rails-custom-balancer
//   ./ns3 run "rails-custom-balancer --describe"
//   ./ns3 run "rails-custom-balancer --chunk=1MB"      (and 1Mbps is refused)
//
// What to see: the less loaded of two rails drawn at random ("the power of two choices") is much
// better than one drawn at random, and not as good as RailS, which looks at all of them.

#include "ns3/command-line.h"
#include "ns3/demand-pieces.h"
#include "ns3/rails-catalogue.h"
#include "ns3/rails-descriptor.h"
#include "ns3/rails-scenario.h"
#include "ns3/row-planner.h"

#include <cstdint>
#include <iomanip>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace lab // any namespace will do
{

using namespace ns3;
using namespace ns3::rails;

/// Each piece on the less loaded of two rails that are drawn at random.
class TwoChoicesPlanner : public RowPlanner
{
  public:
    static TypeId GetTypeId()
    {
        // The class's name without "Planner", in kebab case, is its name in descriptors; each
        // attribute is a key, and its help what `describe` says.
        static TypeId tid = TypeId("lab::TwoChoicesPlanner")
                                .SetParent<RowPlanner>()
                                .AddConstructor<TwoChoicesPlanner>()
                                .AddAttribute("Chunk",
                                              "Largest piece of what one GPU has for another.",
                                              ByteSizeValue(ByteSize(4'000'000)),
                                              MakeByteSizeAccessor(&TwoChoicesPlanner::m_chunk),
                                              MakeByteRange(1));
        return tid;
    }

    std::vector<Piece> Plan(const ServerView& view) override
    {
        // A server knows its own row only, and draws its own numbers.
        std::seed_seq seed{m_seed, static_cast<int64_t>(view.server)};
        std::mt19937 draw(seed);
        std::vector<uint64_t> loads(view.shape.gpusPerServer, 0);
        std::vector<Piece> pieces = CutDemands(view, m_chunk);
        for (Piece& piece : pieces)
        {
            const uint16_t one = draw() % loads.size();
            const uint16_t other = draw() % loads.size();
            piece.txRail = loads[one] <= loads[other] ? one : other;
            piece.rxRail = piece.txRail;
            loads[piece.txRail] += piece.bytes;
        }
        return pieces;
    }

    int64_t AssignStreams(int64_t stream) override
    {
        m_seed = stream;
        return 1;
    }

  private:
    ByteSize m_chunk;
    int64_t m_seed{0};
};

NS_OBJECT_ENSURE_REGISTERED(TwoChoicesPlanner);

} // namespace lab

namespace
{

/// \return a descriptor that compares the balancer with two others
std::string
MakeDescriptor(const std::string& chunk)
{
    return R"(
name: custom-balancer
topology: {type: rail, domains: 4, gpus_per_domain: 8}
workload: {type: all-to-all, matrix: {type: sparse, density: 0.2, mean: 2MB}}
transport: {congestion_control: none}
balance: {type: two-choices}
sweep:
  seed: [1, 2, 3, 4, 5]
  balance: [{type: random}, {type: two-choices}, {type: rails}]
  balance.chunk: [)" +
           chunk + "]\n";
}

} // namespace

int
main(int argc, char** argv)
{
    using namespace ns3::rails;
    ns3::Time::SetResolution(ns3::Time::PS); // before anything that has a time

    bool describe = false;
    std::string chunk = "125KB";
    ns3::CommandLine cmd(__FILE__);
    cmd.AddValue("describe",
                 "Print what a user is told of the balancer, and run nothing",
                 describe);
    cmd.AddValue("chunk", "Largest piece, as in a descriptor", chunk);
    cmd.Parse(argc, argv);

    if (describe)
    {
        std::cout << DescribeName("two-choices");
        return 0;
    }
    try
    {
        const Descriptor descriptor = Descriptor::FromText(MakeDescriptor(chunk),
                                                           "custom-balancer.yaml",
                                                           {},
                                                           CheckExperiment);
        std::map<std::string, double> overBound; // by scheme, summed up over the seeds
        for (std::size_t point = 0; point < descriptor.GetPointCount(); ++point)
        {
            const Result result = RunScenario(descriptor.MakeExperiment(point));
            overBound[result.axes[1].second] += result.GetCctOverBound();
        }
        std::cout << "scheme        over bound (mean of 5 seeds)\n" << std::fixed;
        for (const auto& [scheme, sum] : overBound)
        {
            std::cout << std::left << std::setw(14) << scheme << std::right << std::setprecision(3)
                      << std::setw(10) << sum / 5 << "\n";
        }
    }
    catch (const DescriptorError& error)
    {
        std::cerr << error.what() << std::endl;
        return 2;
    }
    return 0;
}
