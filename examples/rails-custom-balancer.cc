// SPDX-License-Identifier: GPL-2.0-only

// A user-defined load balancer, from the class to its name in a descriptor. The class derives from
// RowBalancer and registers a TypeId. Then `balance: {type: two-choices}` works, with keys, their
// checks and a page of `describe`, like the module's own balancers.
//
//   ./ns3 run rails-custom-balancer
//   ./ns3 run "rails-custom-balancer --describe"
//   ./ns3 run "rails-custom-balancer --chunk=1MB"      (and 1Mbps is refused)
//
// What to see: the less loaded of two random rails ("the power of two choices") is much better than
// one random rail, and not as good as RailS, which compares all rails.

#include "ns3/command-line.h"
#include "ns3/demand-pieces.h"
#include "ns3/rails-catalogue.h"
#include "ns3/rails-descriptor.h"
#include "ns3/row-balancer.h"
#include "ns3/run-experiment.h"

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

/// Sends each chunk on the less loaded of two random rails.
class TwoChoicesBalancer : public RowBalancer
{
  public:
    static TypeId GetTypeId()
    {
        // The class name without "Balancer", in kebab case, is the type in descriptors. Each
        // attribute is a key, and `describe` shows its help text.
        static TypeId tid = TypeId("lab::TwoChoicesBalancer")
                                .SetParent<RowBalancer>()
                                .AddConstructor<TwoChoicesBalancer>()
                                .AddAttribute("Chunk",
                                              "Largest piece of what one GPU has for another.",
                                              ByteSizeValue(ByteSize(4'000'000)),
                                              MakeByteSizeAccessor(&TwoChoicesBalancer::m_chunk),
                                              MakeByteRange(1));
        return tid;
    }

    std::vector<Piece> Plan(const ServerView& view) override
    {
        // A server knows only its own row of the matrix, and has its own random stream.
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

NS_OBJECT_ENSURE_REGISTERED(TwoChoicesBalancer);

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
            const Result result = RunExperiment(descriptor.MakeExperiment(point));
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
