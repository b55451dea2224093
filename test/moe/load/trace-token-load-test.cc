// SPDX-License-Identifier: GPL-2.0-only
#include "../../harness/run/experiment-fixtures.h"

#include "ns3/component-maker.h"
#include "ns3/rails-error.h"
#include "ns3/string.h"
#include "ns3/token-load.h"

#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

using Counts = std::vector<uint32_t>;

/// Two iterations, one layer, two micro-batches, two ranks of three tokens for two experts each.
class TraceTokenLoadTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        std::ofstream file(m_folder.GetPath() / "trace.csv");
        file << "iteration,layer,microbatch,rank,e0,e1,e2,e3\n"
                "1,4,0,0,3,3,0,0\n1,4,0,1,0,3,3,0\n"
                "1,4,1,0,3,2,1,0\n1,4,1,1,1,1,2,2\n"
                "11,4,0,0,0,0,3,3\n11,4,0,1,3,0,0,3\n"
                "11,4,1,0,2,2,1,1\n11,4,1,1,2,1,2,1\n";
        file.close();
        m_load->SetAttribute("Path", StringValue((m_folder.GetPath() / "trace.csv").string()));
    }

    /// Takes another record.
    void Write(const std::string& rows, const std::string& experts = "e0,e1,e2,e3")
    {
        const auto path = m_folder.GetPath() / "other.csv";
        std::ofstream(path) << "iteration,layer,microbatch,rank," << experts << "\n" << rows;
        m_load->SetAttribute("Path", StringValue(path.string()));
    }

    const TemporaryFolder m_folder;
    Ptr<TokenLoad> m_load = MakeComponent<TokenLoad>("TraceTokenLoad");
    LoadShape m_shape{2, 4, 2, 3};
};

} // namespace

TEST_F(TraceTokenLoadTest, ReplaysTheRecordAndBeginsAgainBehindIt)
{
    EXPECT_EQ(m_load->Draw(m_shape, {0, 0, 0, 0}), (Counts{3, 3, 0, 0, 0, 3, 3, 0}));
    EXPECT_EQ(m_load->Draw(m_shape, {0, 0, 1, 0}), (Counts{3, 2, 1, 0, 1, 1, 2, 2}));
    EXPECT_EQ(m_load->Draw(m_shape, {1, 7, 0, 3}), (Counts{0, 0, 3, 3, 3, 0, 0, 3}));
    EXPECT_EQ(m_load->Draw(m_shape, {2, 0, 2, 0}), m_load->Draw(m_shape, {0, 0, 0, 0}));
    EXPECT_EQ(m_load->GetCycle(m_shape), 2U);
    EXPECT_EQ(m_load->CountIterations(), 2U);
}

TEST_F(TraceTokenLoadTest, RecordsOfAnotherShapeAreRefused)
{
    EXPECT_NO_THROW(m_load->Check(m_shape));
    EXPECT_THROW(m_load->Check({2, 8, 2, 3}), ConfigurationError) << "experts";
    EXPECT_THROW(m_load->Check({4, 4, 2, 3}), ConfigurationError) << "ranks";
    EXPECT_NO_THROW(m_load->Check({2, 4, 2, 6})) << "fewer tokens than a GPU has";
    EXPECT_THROW(m_load->Check({2, 4, 2, 2}), ConfigurationError) << "more tokens";
    try
    {
        m_load->Check({2, 4, 3, 2}); // as many tokens, but three at an expert
        FAIL() << "experts of a token";
    }
    catch (const ConfigurationError& error)
    {
        EXPECT_NE(std::string(error.what())
                      .find("counts 6 tokens at experts, 3 of them at one; a GPU has 2 tokens for "
                            "3 experts each: set tokens (or the batch) to 3"),
                  std::string::npos)
            << error.what();
    }
}

TEST_F(TraceTokenLoadTest, LayersAreThoseWithExperts)
{
    Write("0,0,0,0,1,1,0,0\n0,0,0,1,1,1,0,0\n0,1,0,0,0,0,1,1\n0,1,0,1,0,0,1,1\n");
    LoadShape shape{2, 4, 2, 1};
    shape.firstLayer = 3; // behind as many dense ones
    EXPECT_EQ(m_load->Draw(shape, {0, 3, 0, 0}), (Counts{1, 1, 0, 0, 1, 1, 0, 0}));
    EXPECT_EQ(m_load->Draw(shape, {0, 4, 0, 0}), (Counts{0, 0, 1, 1, 0, 0, 1, 1}));
    EXPECT_EQ(m_load->Draw(shape, {0, 5, 0, 0}), m_load->Draw(shape, {0, 3, 0, 0}));
}

TEST_F(TraceTokenLoadTest, RanksMayHaveUnlikeNumbersOfTokensOrNone)
{
    Write("0,0,0,0,3,3,0,0\n0,0,0,1,0,0,0,0\n0,0,0,2,0,1,1,0\n");
    const LoadShape shape{3, 4, 2, 3};
    EXPECT_NO_THROW(m_load->Check(shape));
    EXPECT_EQ(m_load->Draw(shape, {}), (Counts{3, 3, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0}));
}

TEST_F(TraceTokenLoadTest, HolesAreNamedBeforeARunBegins)
{
    Write("0,0,0,0,1,1\n0,0,1,0,1,1\n0,1,0,0,1,1\n", "e0,e1");
    LoadShape shape{1, 2, 2, 1};
    shape.microbatches = 2;
    EXPECT_NO_THROW(m_load->Check(shape)) << "the first layer is whole";
    shape.layers = 2;
    try
    {
        m_load->Check(shape);
        FAIL() << "a hole";
    }
    catch (const ConfigurationError& error)
    {
        EXPECT_NE(std::string(error.what()).find("has no iteration 0, layer 1, microbatch 1"),
                  std::string::npos)
            << error.what();
    }
}

TEST_F(TraceTokenLoadTest, RowsThatDoNotFitAreNamedBeforeARunBeginsWhereverTheyAre)
{
    const std::string good = "0,0,0,0,1,1\n";
    for (const std::string last : {"1,0,0,0,2,2\n", "0,1,0,0,2,2\n", "0,0,1,0,2,2\n"})
    {
        Write(good + last, "e0,e1");
        LoadShape shape{1, 2, 2, 1};
        EXPECT_NO_THROW(m_load->Check(shape)) << "the first row is all there is";
        (last[0] == '1'   ? shape.iterations
         : last[2] == '1' ? shape.layers
                          : shape.microbatches) = 2;
        EXPECT_THROW(m_load->Check(shape), ConfigurationError) << last;
    }
}

TEST_F(TraceTokenLoadTest, CopiesLieBetweenTheLargestCountAndAllPairs)
{
    const Counts counts = m_load->Draw(m_shape, {0, 0, 1, 0});
    const auto split = TokenSplit::OfWholeExperts(counts, {0, 0, 1, 1}, 2);
    const Counts copies = m_load->CountCopies(m_shape, {0, 0, 1, 0}, counts, split);
    ASSERT_EQ(copies.size(), 4U);
    EXPECT_EQ(copies[0], 3U) << "three tokens of three, whichever";
    EXPECT_EQ(copies[1], 1U);
    EXPECT_LE(copies[2], 2U);
    EXPECT_GE(copies[3], 2U);
}

} // namespace ns3::rails
