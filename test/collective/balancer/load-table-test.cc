// SPDX-License-Identifier: GPL-2.0-only
// The load arithmetic of RailS against a table of reference values (8 servers of 8 GPUs, worst NIC
// load in either direction over the lower bound, means of 20 seeds, rounded to 0.01).
#include "../../support/sanitized.h"
#include "../collective-fixtures.h"
#include "rail-loads.h"

#include "ns3/rails-units.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

using namespace ns3;
using namespace ns3::rails;

namespace
{

const ClusterShape kLoadTableShape{8, 8};
constexpr int kSeeds = 125; // of eight servers: 1,000 rows
constexpr int kSeedsOfManyPieces = 40;
constexpr int kReferenceSeeds = 20;

std::map<std::string, Ptr<Balancer>>
MakeSchemes()
{
    const auto rails = [](ByteSize chunk, const char* tie) {
        return Make<RowBalancer>("RailsBalancer",
                                 "Chunk",
                                 ByteSizeValue(chunk),
                                 "Tie",
                                 StringValue(tie));
    };
    return {{"rail-source", Make<RowBalancer>("RailSourceBalancer")},
            {"rail-destination", Make<RowBalancer>("RailDestinationBalancer")},
            {"whole", rails(ByteSize::Special(), "lowest")},
            {"whole-rotated", rails(ByteSize::Special(), "rotated")},
            {"16MB", rails(ByteSize(16'000'000), "lowest")},
            {"4MB", rails(ByteSize(4'000'000), "lowest")},
            {"1MB", rails(ByteSize(1'000'000), "lowest")}};
}

struct Sample
{
    std::vector<double> ratios; //!< by seed

    double GetMean() const
    {
        double sum = 0;
        for (double ratio : ratios)
        {
            sum += ratio;
        }
        return sum / ratios.size();
    }

    /// Of one seed.
    double GetDeviation() const
    {
        double squares = 0;
        for (double ratio : ratios)
        {
            squares += (ratio - GetMean()) * (ratio - GetMean());
        }
        return std::sqrt(squares / (ratios.size() - 1));
    }
};

using Table = std::map<std::string, Sample>;

Table
Measure(const char* matrixSource)
{
    Table table;
    auto schemes = MakeSchemes();
    for (int seed = 1; seed <= kSeeds; ++seed)
    {
        const TrafficMatrix matrix =
            Generate(Make<MatrixSource>(matrixSource), kLoadTableShape, seed);
        for (const auto& [name, balancer] : schemes)
        {
            if (name == "1MB" && seed > kSeedsOfManyPieces)
            {
                continue; // most of the time for the smallest spread
            }
            table[name].ratios.push_back(RailLoads(matrix, *balancer).GetRatio());
        }
    }
    return table;
}

/**
 * Allows two standard errors of the difference, as the reference is a sample too, of 20 other
 * seeds, whose spread is taken to be ours, and the half of the last digit that it was rounded to.
 * That is nearly all the reference's error; see test/plots/test_rails_theorems.py for plans that
 * are compared exactly.
 */
void
ExpectMeans(const Table& table, const std::map<std::string, double>& reference)
{
    for (const auto& [name, expected] : reference)
    {
        const Sample& sample = table.at(name);
        const double ours = 1.0 / static_cast<double>(sample.ratios.size());
        const double error = sample.GetDeviation() * std::sqrt(ours);
        const double difference = sample.GetDeviation() * std::sqrt(ours + 1.0 / kReferenceSeeds);
        std::ostringstream text;
        text.precision(4);
        text << sample.GetMean() << " (reference " << expected << ", standard error " << error
             << ", largest " << *std::max_element(sample.ratios.begin(), sample.ratios.end())
             << ")";
        testing::Test::RecordProperty(name, text.str());
        EXPECT_NEAR(sample.GetMean(), expected, 2 * difference + 0.005)
            << name << ": " << text.str();
    }
}

int
CountLosses(const Table& table)
{
    int losses = 0;
    for (int seed = 0; seed < kSeeds; ++seed)
    {
        losses += table.at("whole").ratios[seed] > table.at("rail-source").ratios[seed];
    }
    return losses;
}

void
ExpectOrder(const Table& table, const std::vector<std::string>& names)
{
    for (size_t i = 1; i < names.size(); ++i)
    {
        EXPECT_LT(table.at(names[i - 1]).GetMean(), table.at(names[i]).GetMean())
            << names[i - 1] << " against " << names[i];
    }
}

TEST(LoadTable, UniformTrafficIsBalancedByEveryScheme)
{
    const TrafficMatrix matrix =
        Generate(Make<MatrixSource>("UniformMatrixSource"), kLoadTableShape);
    auto schemes = MakeSchemes();
    schemes["even-split"] = Make<RowBalancer>("EvenSplitBalancer");
    schemes["round-robin"] = Make<RowBalancer>("RoundRobinBalancer");
    schemes["ecmp"] = Make<RowBalancer>("EcmpBalancer");
    for (const auto& [name, balancer] : schemes)
    {
        EXPECT_DOUBLE_EQ(RailLoads(matrix, *balancer).GetRatio(), 1) << name;
    }
}

TEST(LoadTable, SparseTrafficGivesTheReferenceMeans)
{
    const Table table = Measure("SparseMatrixSource");
    ExpectMeans(table,
                {{"rail-source", 2.31},
                 {"rail-destination", 2.19},
                 {"whole", 1.92},
                 {"whole-rotated", 1.83},
                 {"16MB", 1.10},
                 {"4MB", 1.02},
                 {"1MB", 1.00}});
    ExpectOrder(table, {"1MB", "4MB", "16MB", "whole", "rail-destination"});
    ExpectOrder(table, {"whole", "rail-source"});
    EXPECT_LT(table.at("4MB").GetMean(), 1.03);

    // The reference has 6 of 20.
    const int losses = CountLosses(table);
    testing::Test::RecordProperty("seeds in which whole flows lose to source pinning", losses);
    EXPECT_GE(losses, 1);
    EXPECT_LE(losses, kSeeds / 2);
}

TEST(LoadTable, HotDestinationsGiveTheReferenceMeans)
{
    RAILS_LONG_CASE();
    const Table table = Measure("ZipfMatrixSource");
    ExpectMeans(table,
                {{"rail-source", 1.04},
                 {"rail-destination", 6.46},
                 {"whole", 1.12},
                 {"whole-rotated", 1.04},
                 {"16MB", 1.04},
                 {"4MB", 1.01},
                 {"1MB", 1.00}});
    ExpectOrder(table, {"1MB", "4MB", "16MB", "whole", "rail-destination"});

    // The reference has 19 of 20.
    const int losses = CountLosses(table);
    testing::Test::RecordProperty("seeds in which whole flows lose to source pinning", losses);
    EXPECT_GE(losses, kSeeds * 8 / 10);
}

TEST(LoadTable, LoadsOfABalancerThatChoosesLaterAreNotKnown)
{
    const TrafficMatrix matrix =
        Generate(Make<MatrixSource>("UniformMatrixSource"), kLoadTableShape);
    EXPECT_THROW(RailLoads(matrix, *Make<RowBalancer>("LeastOutstandingBalancer")),
                 std::logic_error);
}

} // namespace
