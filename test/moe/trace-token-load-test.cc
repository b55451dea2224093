// SPDX-License-Identifier: GPL-2.0-only
#include "../harness/run/experiment-fixtures.h"

#include "ns3/rails-error.h"
#include "ns3/string.h"
#include "ns3/trace-token-load.h"

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

    const TemporaryFolder m_folder;
    Ptr<TraceTokenLoad> m_load = CreateObject<TraceTokenLoad>();
    LoadShape m_shape{2, 4, 2, 3};
};

} // namespace

TEST_F(TraceTokenLoadTest, ReplaysTheRecordAndBeginsAgainBehindIt)
{
    EXPECT_EQ(m_load->Draw(m_shape, {0, 0, 0, 0}), (Counts{3, 3, 0, 0, 0, 3, 3, 0}));
    EXPECT_EQ(m_load->Draw(m_shape, {0, 0, 1, 0}), (Counts{3, 2, 1, 0, 1, 1, 2, 2}));
    EXPECT_EQ(m_load->Draw(m_shape, {1, 7, 0, 3}), (Counts{0, 0, 3, 3, 3, 0, 0, 3}));
    EXPECT_EQ(m_load->Draw(m_shape, {2, 0, 2, 0}), m_load->Draw(m_shape, {0, 0, 0, 0}));
}

TEST_F(TraceTokenLoadTest, RecordsOfAnotherShapeAreRefused)
{
    EXPECT_NO_THROW(m_load->Check(m_shape));
    EXPECT_THROW(m_load->Check({2, 8, 2, 3}), ConfigurationError) << "experts";
    EXPECT_THROW(m_load->Check({4, 4, 2, 3}), ConfigurationError) << "ranks";
    EXPECT_THROW(m_load->Check({2, 4, 2, 6}), ConfigurationError) << "tokens";
    try
    {
        m_load->Check({2, 4, 3, 2}); // as many tokens, but three at an expert
        FAIL() << "experts of a token";
    }
    catch (const ConfigurationError& error)
    {
        EXPECT_NE(std::string(error.what()).find("counts 3 tokens at an expert, and a GPU has 2"),
                  std::string::npos)
            << error.what();
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
