// SPDX-License-Identifier: GPL-2.0-only
#include "run-experiment-fixtures.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

namespace ns3::rails
{

namespace
{

/// Servers of two leaves send to each other over as many spines as there are NICs on a leaf.
const std::string kTree =
    "topology: {type: leaf-spine, domains: 8, gpus_per_domain: 1, leaf_ports: 4, spines: 4}\n"
    "workload: {type: permutation, bytes: 1MB}\n"
    "transport: {congestion_control: none, loss_recovery: selective-repeat}\n"
    "balance: {type: ecmp}\n";

class HashNoteTest : public RunTest
{
  protected:
    /// \return the warning of a hash that a run has; empty when there is none
    static std::string FindWarning(const std::string& text, const Sets& sets = {})
    {
        const Result result = Run(text, sets);
        EXPECT_EQ(result.status, RunStatus::Done) << result.report;
        const auto found =
            std::find_if(result.notes.begin(), result.notes.end(), [](const std::string& note) {
                return note.find("a hash has put") != note.npos;
            });
        return found == result.notes.end() ? "" : *found;
    }
};

} // namespace

TEST_F(HashNoteTest, ARunWhoseHashHasCostMuchWarnsWithTheRemedy)
{
    for (const std::string engine : {"engine=flow", "engine=frames"})
    {
        const bool byFrames = engine == "engine=frames";
        const std::string guess = FindWarning(kTree, {engine});
        EXPECT_EQ(guess.rfind("warning: balance.host: a hash has put flows on the same cables, "
                              "which may decide comparisons",
                              0),
                  0U)
            << guess;
        EXPECT_NE(guess.find("; set balance.host to spray"), std::string::npos) << guess;
        EXPECT_EQ(guess.find("selective-repeat") != std::string::npos, byFrames) << guess;
        const std::string known = FindWarning(kTree, {engine, "record.explain=true"});
        EXPECT_NE(known.find("it decides comparisons"), std::string::npos) << known;
        EXPECT_EQ(FindWarning(kTree, {engine, "balance.host=spray"}), "");
        EXPECT_EQ(FindWarning(kTree, {engine, "balance.switch=round-robin"}), "");
    }
}

TEST_F(HashNoteTest, NothingIsSaidWhereThereIsOnePathOrFlowsAreEven)
{
    const Sets flow{"engine=flow"};
    EXPECT_EQ(FindWarning("topology: {type: rail, domains: 8, gpus_per_domain: 2}\n"
                          "workload: {type: all-to-all, matrix: {type: zipf, bytes_per_gpu: 1MB}}\n"
                          "transport: {congestion_control: none}\n"
                          "balance: rail-source\n",
                          flow),
              "");
    // Twice as many servers as uplinks: what is slow is the tree.
    EXPECT_EQ(FindWarning(kTree, {"engine=flow", "topology.spines=1"}), "");
    // A NIC that sends to all is busier than any cable between switches.
    EXPECT_EQ(
        FindWarning(kTree, {"engine=flow", "workload={type: incast, senders: 7, bytes: 1MB}"}),
        "");
}

} // namespace ns3::rails
