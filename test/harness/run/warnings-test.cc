// SPDX-License-Identifier: GPL-2.0-only
#include "run-experiment-fixtures.h"

#include "ns3/rails-warnings.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

const std::string kTwoLeaves =
    "topology: {type: rail, domains: 4, gpus_per_domain: 2, leaf_ports: 2, rail_spines: 4, "
    "spines: 2}\n"
    "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 200KB}}\n"
    "balance: {type: rails}\n";

class WarningsTest : public RunTest
{
  protected:
    /// \return the warnings of a descriptor, with their places
    static std::vector<std::string> Find(const Sets& sets, const std::string& text = kTwoLeaves)
    {
        const Descriptor descriptor = Read(text, sets);
        std::vector<std::string> found;
        for (const Diagnostic& warning : descriptor.GetWarnings())
        {
            found.push_back(warning.ToString("warning"));
        }
        return found;
    }
};

TEST_F(WarningsTest, ScatteredFramesUnderGoBackNAreWarnedOfWithPlaceAndRemedy)
{
    for (const char* set : {"balance.switch=ofan", "balance.host=reps"})
    {
        const std::vector<std::string> found = Find({set});
        ASSERT_EQ(found.size(), 1U) << set;
        const std::string key = std::string(set).substr(0, std::string(set).find('='));
        EXPECT_EQ(found[0].rfind("--set " + key + ": warning: ", 0), 0U) << found[0];
        EXPECT_NE(found[0].find("set transport.loss_recovery to selective-repeat"),
                  std::string::npos)
            << found[0];
    }
    const std::vector<std::string> found =
        Find({}, kTwoLeaves + "transport:\n  loss_recovery: go-back-n\n");
    EXPECT_TRUE(found.empty()) << found[0];
}

TEST_F(WarningsTest, NothingIsSaidWhereFramesKeepTheirOrderOrMayLoseIt)
{
    for (const Sets& sets :
         {Sets{},
          Sets{"balance.switch=flowlet"},
          Sets{"balance.host=subflow"},
          Sets{"balance.host=spray", "transport.loss_recovery=selective-repeat"},
          Sets{"balance.switch=jsq", "transport.loss_recovery=ideal", "transport.qp_per=message"},
          // One leaf for each rail, and rails that keep to theirs.
          Sets{"balance.switch=random", "topology.leaf_ports=4"},
          // One way up.
          Sets{"balance.switch=random", "topology.rail_spines=1"}})
    {
        const std::vector<std::string> found = Find(sets);
        EXPECT_TRUE(found.empty()) << found[0];
    }
    // The spines that join the rails are several ways for a scheme that uses them.
    EXPECT_EQ(Find({"balance={type: ecmp, switch: random}", "topology.leaf_ports=4"}).size(), 1U);
    EXPECT_EQ(
        Find({"balance={type: ecmp, switch: random}", "topology.leaf_ports=4", "topology.spines=1"})
            .size(),
        0U);
}

TEST_F(WarningsTest, EveryTopologyKnowsWhetherItsWaysFork)
{
    const std::string rest = "workload: {type: all-to-all, matrix: uniform}\n"
                             "balance: {type: ecmp, host: spray}\n";
    for (const auto& [topology, forks] :
         {std::pair{"{type: fat-tree, k: 4, gpus_per_domain: 2}", true},
          {"{type: leaf-spine, domains: 4, gpus_per_domain: 2, leaf_ports: 4, spines: 2}", true},
          {"{type: leaf-spine, domains: 4, gpus_per_domain: 2, leaf_ports: 4, spines: 1}", false},
          {"{type: leaf-spine, domains: 4, gpus_per_domain: 2, leaf_ports: 8, spines: 2}", false},
          {"{type: rail, domains: 8, gpus_per_domain: 1, rail_fabric: fat-tree, rail_k: 4}", true},
          {"{type: rail, domains: 2, gpus_per_domain: 1, rail_fabric: fat-tree, rail_k: 4}", false},
          {"{type: rail, domains: 4, gpus_per_domain: 1}", false}})
    {
        const std::string text = std::string("topology: ") + topology + "\n" + rest;
        EXPECT_EQ(Find({}, text).size(), forks ? 1U : 0U) << topology;
    }
}

TEST_F(WarningsTest, CircuitsThatAreSetOrLaidInVainAreWarnedOf)
{
    const std::string circuits =
        "topology:\n"
        "  type: nic-groups\n"
        "  domains: 4\n"
        "  gpus_per_domain: 2\n"
        "  fabrics: {ocs: {type: optical, region: 2}, eps: rail}\n"
        "  nic_groups: [{nics: [0], fabric: ocs}, {nics: [1], fabric: eps}]\n"
        "workload: {type: all-to-all, matrix: uniform}\n"
        "optical: {circuits: static}\n";
    const auto expectOne = [](const std::vector<std::string>& found, const std::string& text) {
        ASSERT_EQ(found.size(), 1U);
        EXPECT_NE(found[0].find(text), std::string::npos) << found[0];
    };
    EXPECT_TRUE(Find({"optical.device=polatis"}).empty()) << "the default";
    expectOne(Find({"balance=even-split"}, circuits), "delegates takes them");
    EXPECT_TRUE(Find({"balance=delegates"}, circuits).empty());
}

TEST_F(WarningsTest, HeadroomBelowTheFormulaIsWarnedOfWithWhatSuffices)
{
    // 15 frames of 4178 B on the wire, as doc/fabric.rst has it.
    const std::vector<std::string> found = Find({"switch.headroom=62669B"});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].rfind("--set switch.headroom: warning: ", 0), 0U) << found[0];
    EXPECT_NE(found[0].find("set it to 62670B"), std::string::npos) << found[0];
    for (const Sets& sets :
         {Sets{"switch.headroom=62670B"}, Sets{"switch={pfc: false, headroom: 10KB}"}})
    {
        EXPECT_TRUE(Find(sets).empty());
    }
}

TEST_F(WarningsTest, ARoundTripBelowThatOfTheIdleFabricIsWarnedOf)
{
    // Four cables of 500 ns there and back, and four times 4178 and 84 B at 400 Gbps.
    for (const std::string control : {"swift, base_target: ", "hpcc, base_round_trip: "})
    {
        const std::string set = "transport.congestion_control={type: " + control;
        const std::vector<std::string> found = Find({set + "4340ns}"});
        ASSERT_EQ(found.size(), 1U) << control;
        EXPECT_NE(found[0].find("takes up to 4341 ns"), std::string::npos) << found[0];
        EXPECT_TRUE(Find({set + "4341ns}"}).empty()) << control;
    }
    EXPECT_TRUE(Find({"transport.congestion_control=swift", "topology.link_delay=9us"}).empty());
}

TEST_F(WarningsTest, PointsOfASweepThatShareAWarningShareItsLine)
{
    const std::string text = kTwoLeaves + "sweep:\n"
                                          "  balance:\n"
                                          "    - {type: rails, switch: ofan}\n"
                                          "    - {type: rail-source, switch: ecmp}\n"
                                          "  seed: [1, 2, 3]\n";
    const std::vector<std::string> found = Find({}, text);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].rfind("test.yaml:6:21: warning: ", 0), 0U) << found[0];
}

TEST_F(WarningsTest, AreNotedInTheResultAndRightAboutIt)
{
    const Sets sets{"balance.switch=random",
                    "balance.chunk=whole",
                    "workload={type: permutation, bytes: 400KB}",
                    "topology.uplink_rate=200Gbps"};
    const Result scattered = Run(kTwoLeaves, sets);
    const auto isWarning = [](const std::string& note) {
        return note.rfind("warning: balance.switch: ", 0) == 0;
    };
    EXPECT_EQ(std::count_if(scattered.notes.begin(), scattered.notes.end(), isWarning), 1);
    EXPECT_GT(2 * scattered.frameCounters->retransmittedFrames, scattered.frameCounters->frames);
    Sets withRemedy = sets;
    withRemedy.emplace_back("transport.loss_recovery=selective-repeat");
    const Result remedied = Run(kTwoLeaves, withRemedy);
    EXPECT_EQ(std::count_if(remedied.notes.begin(), remedied.notes.end(), isWarning), 0);
    EXPECT_LT(2 * remedied.cct, scattered.cct);
}

/// \return the first note that says something; empty when there is none
std::string
FindNote(const Result& result, const std::string& text)
{
    const auto found =
        std::find_if(result.notes.begin(), result.notes.end(), [&text](const std::string& note) {
            return note.find(text) != std::string::npos;
        });
    return found == result.notes.end() ? "" : *found;
}

TEST_F(WarningsTest, FramesThatAreSentAgainThoughNoneIsLostAreNotedWithTheRemedy)
{
    const std::string text = "again though none was lost";
    const Sets sets{"balance.host=spray",
                    "transport={congestion_control: none, loss_recovery: selective-repeat}",
                    "topology.uplink_rate=200Gbps"};
    const Result result = Run(kTwoLeaves, sets);
    ASSERT_GT(result.frameCounters->retransmittedFrames, 0U);
    EXPECT_EQ(result.frameCounters->drops, 0U);
    const std::string note = FindNote(result, text);
    EXPECT_NE(note.find(std::to_string(result.frameCounters->retransmittedFrames) + " of "),
              std::string::npos)
        << note;
    EXPECT_NE(note.find("loss_threshold: 32"), std::string::npos) << note;
    Sets remedied = sets;
    remedied.emplace_back("transport.loss_recovery.loss_threshold=32");
    EXPECT_EQ(FindNote(Run(kTwoLeaves, remedied), text), "");
}

TEST_F(WarningsTest, FlowsSayThatTheyDoNotResendWhatIsOvertakenOnAnOversubscribedFabric)
{
    const std::string text = "flows do not model that";
    const Sets sets{"engine=flow",
                    "balance.host=spray",
                    "transport={congestion_control: none, loss_recovery: selective-repeat}"};
    const auto find = [&](const Sets& more) {
        Sets all = sets;
        all.insert(all.end(), more.begin(), more.end());
        return FindNote(Run(kTwoLeaves, all), text);
    };
    const Sets narrow{"topology.uplink_rate=100Gbps"};
    EXPECT_NE(find(narrow).find("loss_threshold: 32"), std::string::npos);
    EXPECT_NE(find({"transport.loss_recovery=go-back-n"}), "");
    EXPECT_EQ(find({}), "");
    EXPECT_EQ(find({narrow[0], "transport.loss_recovery.loss_threshold=32"}), "");
    EXPECT_EQ(find({narrow[0], "balance.host=flow"}), "");
}

TEST_F(WarningsTest, QueuePairsThatWaitForTheGpuThatPostedFirstAreNoted)
{
    const std::string text =
        "topology: {type: rail, domains: 2, gpus_per_domain: 8, nvlink_rate: 3200Gbps}\n"
        "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 10KB, intra: true}}\n"
        "balance: rail-destination\n"
        "transport: {congestion_control: none}\n";
    for (const std::string engine : {"engine=frames", "engine=flow"})
    {
        const auto find = [&](const Sets& more) {
            Sets sets{engine};
            sets.insert(sets.end(), more.begin(), more.end());
            return FindNote(Run(text, sets), "NICs wait for the GPU that posted first");
        };
        EXPECT_NE(find({}).find("57 % of its rate"), std::string::npos) << find({});
        EXPECT_EQ(find({"transport.qp_per=gpu-pair"}), "");
        EXPECT_EQ(find({"balance=rail-source"}), "");
        EXPECT_EQ(find({"workload.matrix.intra=false"}), "");
        EXPECT_EQ(find({"topology.nvlink_rate=7200Gbps"}), "");
    }
}

} // namespace

} // namespace ns3::rails
