// SPDX-License-Identifier: GPL-2.0-only
#include "../../harness/run/experiment-fixtures.h"

#include "ns3/component-maker.h"
#include "ns3/compute-model.h"
#include "ns3/rails-error.h"
#include "ns3/string.h"

#include <fstream>
#include <gtest/gtest.h>
#include <string>

namespace ns3::rails
{

namespace
{

class TableComputeModelTest : public ::testing::Test
{
  protected:
    void Write(const std::string& rows, const std::string& header = "part,pass,tokens,seconds")
    {
        m_path = (m_folder.GetPath() / ("times" + std::to_string(m_files++) + ".csv")).string();
        std::ofstream(m_path) << header << "\n" << rows;
        m_table->SetAttribute("Path", StringValue(m_path));
    }

    /// \return what is wrong, behind the path
    std::string GetError()
    {
        try
        {
            m_table->Check(1, BF16);
        }
        catch (const std::exception& error)
        {
            const std::string what = error.what();
            const std::size_t at = what.find(m_path);
            return at == std::string::npos ? what : what.substr(at + m_path.size());
        }
        return "";
    }

    double GetMicroseconds(Work::Part part, double tokens, Pass pass = Pass::Forward)
    {
        Work work;
        work.part = part;
        work.tokens = tokens;
        work.pass = pass;
        work.times = GetTimes(pass);
        return static_cast<double>(m_table->GetTime(work)) / 1e6;
    }

    const TemporaryFolder m_folder;
    std::string m_path;
    uint32_t m_files{0};
    Ptr<ComputeModel> m_table = MakeComponent<ComputeModel>("TableComputeModel");
};

} // namespace

TEST_F(TableComputeModelTest, InterpolatesBetweenWhatWasMeasured)
{
    Write("experts,forward,2000,40e-6\n experts , forward,1000,30e-6\nexperts,backward,1000,1e-4\n"
          "attention,forward,4096,2e-4\noptimizer,forward,0,0.5\n");
    EXPECT_EQ(GetError(), "");
    using Part = Work::Part;
    EXPECT_DOUBLE_EQ(GetMicroseconds(Part::Experts, 1500), 35);
    EXPECT_DOUBLE_EQ(GetMicroseconds(Part::Experts, 2000), 40);
    EXPECT_DOUBLE_EQ(GetMicroseconds(Part::Experts, 10), 30);
    EXPECT_DOUBLE_EQ(GetMicroseconds(Part::Experts, 6000), 120);
    EXPECT_DOUBLE_EQ(GetMicroseconds(Part::Experts, 1000, Pass::Backward), 100);
    EXPECT_DOUBLE_EQ(GetMicroseconds(Part::Experts, 1000, Pass::Inputs), 50);
    EXPECT_DOUBLE_EQ(GetMicroseconds(Part::Experts, 1000, Pass::Weights), 50);
    EXPECT_DOUBLE_EQ(GetMicroseconds(Part::Attention, 4096, Pass::Backward), 400);
    EXPECT_DOUBLE_EQ(GetMicroseconds(Part::Attention, 4096, Pass::Weights), 200);
    EXPECT_DOUBLE_EQ(GetMicroseconds(Part::Optimizer, 4096), 5e5);
    EXPECT_THROW(GetMicroseconds(Part::Head, 1), ConfigurationError);
}

TEST_F(TableComputeModelTest, SaysWhereAFileIsWrong)
{
    Write("", "part,pass,tokens");
    EXPECT_EQ(GetError(), ":1:1: expected the columns part,pass,tokens,seconds");
    Write("", "part,way,tokens,seconds");
    EXPECT_EQ(GetError(), ":1:6: expected the column 'pass'");
    Write("gate,forward,1,1\ngates,forward,1,1\n");
    EXPECT_EQ(GetError(),
              ":3:1: expected attention, gate, experts, shared, dense, head or optimizer, found "
              "'gates'");
    Write("gate,back,1,1\n");
    EXPECT_EQ(GetError(), ":2:6: expected forward or backward, found 'back'");
    Write("gate,forward,1,-1\n");
    EXPECT_EQ(GetError(), ":2:16: expected seconds, found '-1'");
    Write("gate,forward,1,1s\n");
    EXPECT_EQ(GetError(), ":2:16: expected seconds, found '1s'");
    Write("gate,forward,1\n");
    EXPECT_EQ(GetError(), ":2:1: expected 4 columns as in the header, found 3");
    Write("gate,forward,1,1\ngate,forward,1,2\n");
    EXPECT_EQ(GetError(),
              ":3:14: there is a row with as many tokens of this part and pass already");
    Write("gate,backward,1,1\n");
    EXPECT_EQ(GetError(), ": has gate backward, and not forward");
    m_table->SetAttribute("Path", StringValue(""));
    EXPECT_EQ(GetError(), "expected a file of measured times");
}

} // namespace ns3::rails
