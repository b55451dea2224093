// SPDX-License-Identifier: GPL-2.0-only
#include "../collective-fixtures.h"

#include "ns3/string.h"

using namespace ns3;
using namespace ns3::rails;

namespace
{

const ClusterShape kFileMatrixShape{3, 1};

Ptr<MatrixSource>
MakeFile(const std::string& path)
{
    return Make<MatrixSource>("FileMatrixSource", "Path", StringValue(path));
}

TEST(FileMatrix, ReadsASquareOfBytes)
{
    const TemporaryFile file("9,1, 2\r\n3,0,4\n\n5,6,7\n\n");
    const TrafficMatrix matrix = Generate(MakeFile(file.GetPath()), kFileMatrixShape);
    EXPECT_EQ(GetBytes(matrix, 0, 1), 1u);
    EXPECT_EQ(GetBytes(matrix, 0, 2), 2u);
    EXPECT_EQ(GetBytes(matrix, 1, 0), 3u);
    EXPECT_EQ(GetBytes(matrix, 1, 2), 4u);
    EXPECT_EQ(GetBytes(matrix, 2, 0), 5u);
    EXPECT_EQ(GetBytes(matrix, 2, 1), 6u);
    EXPECT_EQ(matrix.GetTotalBytes(), 21u) << "what a GPU has for itself does not count";
}

TEST(FileMatrix, ReadsWholeNumbersAsNumpyWritesThem)
{
    const TemporaryFile file("0.000000000000000000e+00,1.000000000000000000e+06,2.5e1\n"
                             "1.234567890120000000e+11,0,1e3\n"
                             "12.0,100000e-03,0.5e+1\n");
    const TrafficMatrix matrix = Generate(MakeFile(file.GetPath()), kFileMatrixShape);
    EXPECT_EQ(GetBytes(matrix, 0, 1), 1'000'000u);
    EXPECT_EQ(GetBytes(matrix, 0, 2), 25u);
    EXPECT_EQ(GetBytes(matrix, 1, 0), 123'456'789'012u);
    EXPECT_EQ(GetBytes(matrix, 1, 2), 1000u);
    EXPECT_EQ(GetBytes(matrix, 2, 0), 12u);
    EXPECT_EQ(GetBytes(matrix, 2, 1), 100u);
}

TEST(FileMatrix, NamesThePlaceOfAMistake)
{
    const auto expect = [](const std::string& content, const std::string& text) {
        const TemporaryFile file(content);
        ExpectConfigurationError([&] { MakeFile(file.GetPath())->Check(kFileMatrixShape); },
                                 "path",
                                 file.GetPath() + text);
    };
    expect("0,1,2\n0,x,2\n0,1,2\n", ":2:3: expected a whole number, found 'x'");
    expect("0,1,2\n0,1,2\n0,  1.5,2\n", ":3:5: expected a whole number, found '1.5'");
    expect("0,-1,2\n0,1,2\n0,1,2\n", ":1:3: expected a whole number, found '-1'");
    expect("0,1,2\n0,1,2\n0,1,\n", ":3:5: expected a whole number, found ''");
    expect("0,1,2\n0,4KB,2\n0,1,2\n", ":2:3: expected a whole number, found '4KB'");
    for (const std::string number : {"1.5e0",
                                     "1e-1",
                                     "1e",
                                     "e5",
                                     "1.2.3e4",
                                     ".5e1",
                                     "1e+-2",
                                     "1e4x",
                                     "nan",
                                     "1e999999999999",
                                     "1_000",
                                     "0x10"})
    {
        expect("0," + number + ",2\n0,1,2\n0,1,2\n",
               ":1:3: expected a whole number, found '" + number + "'");
    }
    expect("0,1e30,2\n0,1,2\n0,1,2\n", ":1:3: expected at most 1000000000000, found '1e30'");
    expect("0,99999999999999999999999,2\n0,1,2\n0,1,2\n", ":1:3: expected at most");
    expect("0,2000000000000,2\n0,1,2\n0,1,2\n", ":1:3: expected at most 1000000000000");
    expect("0,1,2\n0,1,2,3\n0,1,2\n", ":2:1: expected a row and a column for each of the 3 GPUs");
    expect("0,1,2\n0,1\n0,1,2\n", ":2:1: expected a row and a column for each of the 3 GPUs");
    expect("0,1,2\n0,1,2\n0,1,2\n0,1,2\n", ":4:1: expected a row and a column");
    expect("0,1,2\n0,1,2\n",
           ": expected a row and a column for each of the 3 GPUs of the "
           "topology, found 2 rows");
    expect("", ": expected a row and a column for each of the 3 GPUs");
}

TEST(FileMatrix, ALineThatNeverEndsIsNotReadWhole)
{
    const TemporaryFile file(std::string(5 << 20, '7'));
    ExpectConfigurationError([&] { MakeFile(file.GetPath())->Check(kFileMatrixShape); },
                             "path",
                             file.GetPath() + ":1:1: a line of more than 4 MiB");
}

TEST(FileMatrix, NamesAFileThatCannotBeRead)
{
    ExpectConfigurationError([] { MakeFile("/nowhere/at/all.csv")->Check(kFileMatrixShape); },
                             "path",
                             "/nowhere/at/all.csv: cannot be read");
    ExpectConfigurationError([] { MakeFile("/")->Check(kFileMatrixShape); },
                             "path",
                             "/: cannot be read");
    ExpectConfigurationError([] { MakeFile("")->Check(kFileMatrixShape); },
                             "path",
                             "expected the path");
}

} // namespace
