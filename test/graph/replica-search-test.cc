// SPDX-License-Identifier: GPL-2.0-only
#include "replica-fixtures.h"

#include "ns3/replica-search.h"

#include <gtest/gtest.h>
#include <optional>
#include <string>

namespace ns3::rails
{

namespace
{

using test::ReplicaProgram;

/// \return the kind of nodes in which four replicas differ; "" where they do not
std::string
Compare(const ReplicaProgram& program, const ReplicaRules& rules = {})
{
    ReplicaFold fold(program.GetShape(), program.GetReplicas());
    return FindDifference(program, fold, rules).value_or("");
}

} // namespace

TEST(ReplicaSearch, FindsReplicasThatDoTheSameAndWhoSendsToWhom)
{
    const ReplicaProgram program(4);
    ReplicaFold fold(program.GetShape(), program.GetReplicas());
    EXPECT_EQ(FindDifference(program, fold), std::nullopt);
    EXPECT_EQ(fold.GetTarget(fold.FindCrossing(0, 0, 2), 2), 3U);
}

TEST(ReplicaSearch, FindsASlowGpuInAnyReplica)
{
    EXPECT_EQ(Compare(ReplicaProgram(4, 0)), "compute");
    EXPECT_EQ(Compare(ReplicaProgram(4, 7)), "compute");
}

TEST(ReplicaSearch, FindsAByteMoreInAnyReplica)
{
    EXPECT_EQ(Compare(ReplicaProgram(4, 9, {{0, {2, 1}}})), "across");
    EXPECT_EQ(Compare(ReplicaProgram(4, 9, {{7, {6, 1}}})), "across");
}

TEST(ReplicaSearch, WhatAllSendToSeveralIsFoldedWhereEachIsPlannedApart)
{
    const ReplicaProgram three(4, 9, {{0, {3, 1}}, {2, {5, 1}}, {4, {7, 1}}});
    EXPECT_EQ(Compare(three, {false, true}), "across") << "the last does not";
    const ReplicaProgram all(4, 9, {{0, {3, 1}}, {2, {5, 1}}, {4, {7, 1}}, {6, {1, 1}}});
    EXPECT_EQ(Compare(all), "across") << "planned together";
    EXPECT_EQ(Compare(all, {false, true}), "");
}

TEST(ReplicaSearch, OthersMaySendToReplicasFurtherOnIfEachGetsAsMuch)
{
    EXPECT_EQ(Compare(ReplicaProgram(4, 9, {{1, {4, 1}}, {3, {6, 1}}, {5, {0, 1}}, {7, {2, 1}}})),
              "");
    EXPECT_EQ(Compare(ReplicaProgram(4, 9, {{1, {4, 1}}, {3, {0, 1}}, {5, {0, 1}}, {7, {2, 1}}})),
              "what comes from others")
        << "the first gets two";
}

} // namespace ns3::rails
