// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/linear-program.h"

#include <gtest/gtest.h>
#include <stdexcept>

namespace ns3::rails::test
{

namespace
{

constexpr double kInfinity = LinearProgram::kInfinity;

TEST(LinearProgram, StaysWithinAllBounds)
{
    LinearProgram program;
    const uint32_t x = program.AddColumn(-3, 0, 4);
    const uint32_t y = program.AddColumn(-2, -kInfinity, 10);
    const uint32_t z = program.AddColumn(1, 1);
    program.AddRow(-kInfinity, {{x, 1}, {y, 1}}, 6);
    program.AddRow(0, {{x, 1}, {y, -1}}, 1);
    program.AddRow(2, {{z, 2}, {x, -1}}, kInfinity);
    program.AddRow(7, {{z, 1}, {x, 1}}, 7);
    const LinearSolution solution = program.Minimise();
    // z = 7 - x and 2 z >= 2 + x leave x <= 4; y is at most 6 - x, and x - y at most 1.
    EXPECT_NEAR(solution.columns[x], 3.5, 1e-9);
    EXPECT_NEAR(solution.columns[y], 2.5, 1e-9);
    EXPECT_NEAR(solution.columns[z], 3.5, 1e-9);
    EXPECT_NEAR(solution.cost, -10.5 - 5 + 3.5, 1e-9);
}

TEST(LinearProgram, LowerBoundOfARangeHolds)
{
    LinearProgram program;
    const uint32_t x = program.AddColumn(1);
    const uint32_t y = program.AddColumn(2);
    program.AddRow(3, {{x, 1}, {y, 1}}, 5);
    program.AddRow(-2, {{x, 1}, {y, -1}}, 1);
    const LinearSolution solution = program.Minimise();
    EXPECT_NEAR(solution.columns[x], 2, 1e-9);
    EXPECT_NEAR(solution.columns[y], 1, 1e-9);
}

TEST(LinearProgram, SaysWhenThereIsNoOptimum)
{
    LinearProgram impossible;
    impossible.AddRow(2, {{impossible.AddColumn(1, 0, 1), 1}}, kInfinity);
    EXPECT_THROW(impossible.Minimise(), std::runtime_error);
    LinearProgram endless;
    endless.AddRow(1, {{endless.AddColumn(-1), 1}}, kInfinity);
    EXPECT_THROW(endless.Minimise(), std::runtime_error);
}

} // namespace

} // namespace ns3::rails::test
