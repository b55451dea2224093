// SPDX-License-Identifier: GPL-2.0-only
#include "experiment-fixtures.h"

#include "ns3/rails-failure-plan.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

class ScheduledFailureTest : public ExperimentTest
{
  protected:
    /// \return what is wrong with a schedule of two leaves, two spines and parallel cables
    static std::string FindScheduleErrors(const std::string& schedule)
    {
        return FindErrors("topology: {type: rail, domains: 4, gpus_per_domain: 1, leaf_ports: 2, "
                          "rail_spines: 2, uplinks_per_spine: 2}\n"
                          "workload: {type: all-to-all, matrix: uniform}\n"
                          "balance: rails\n"
                          "failures:\n"
                          "  schedule:\n" +
                          schedule);
    }
};

TEST_F(ScheduledFailureTest, WhatAScheduleSaysIsRead)
{
    const Experiment experiment =
        Descriptor::FromText(kSmallDescriptor +
                                 "failures:\n"
                                 "  schedule:\n"
                                 "    - {at: 5us, link: [a, b], cable: 1, state: down}\n"
                                 "    - {at: 7us, link: [server0-nic1], rate: 100Gbps}\n"
                                 "    - {from: 1us, every: 20us, down_for: 5us, times: 10, "
                                 "switch: c}\n"
                                 "    - {at: 9us, nic: d, state: up}\n",
                             "test.yaml")
            .MakeExperiment(0);
    const std::vector<FailureEntry> entries =
        experiment.Get<FailurePlan>("failures")->MakeSchedule().entries;
    ASSERT_EQ(entries.size(), 4U);
    EXPECT_EQ(entries[0].target, FailureEntry::Target::Link);
    EXPECT_EQ(entries[0].names, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(entries[0].cable, 1U);
    EXPECT_EQ(entries[0].at, 5'000'000);
    EXPECT_EQ(entries[0].change, FailureEntry::Change::Down);
    EXPECT_EQ(entries[1].rateBps, 100'000'000'000U);
    EXPECT_EQ(entries[1].change, FailureEntry::Change::Rate);
    EXPECT_FALSE(entries[1].cable);
    EXPECT_EQ(entries[2].target, FailureEntry::Target::Switch);
    EXPECT_EQ(entries[2].names, std::vector<std::string>{"c"});
    EXPECT_EQ(entries[2].at, 1'000'000);
    EXPECT_EQ(entries[2].every, 20'000'000);
    EXPECT_EQ(entries[2].downFor, 5'000'000);
    EXPECT_EQ(entries[2].times, 10U);
    EXPECT_EQ(entries[3].target, FailureEntry::Target::Nic);
    EXPECT_EQ(entries[3].change, FailureEntry::Change::Up);
    EXPECT_NE(experiment.resolvedConfig.find(
                  R"("schedule":[{"at":"5us","link":["a","b"],"cable":1,"state":"down"},)"
                  R"({"at":"7us","link":["server0-nic1"],"rate":"100Gbps"},)"
                  R"({"from":"1us","every":"20us","down_for":"5us","times":10,"switch":"c"},)"
                  R"({"at":"9us","nic":"d","state":"up"}])"),
              std::string::npos)
        << experiment.resolvedConfig;
}

TEST_F(ScheduledFailureTest, EffectiveConfigurationIsADescriptor)
{
    const std::string text = kSmallDescriptor +
                             "failures:\n"
                             "  convergence: 20us\n"
                             "  in_flight: lost\n"
                             "  schedule:\n"
                             "    - {at: 5us, nic: server0-nic1, state: down}\n"
                             "    - {from: 9us, every: 2us, down_for: 1us, times: 3, nic: "
                             "server1-nic1}\n";
    const Experiment experiment = Read(text).MakeExperiment(0);
    const Experiment again = Read(experiment.resolvedConfig).MakeExperiment(0);
    EXPECT_EQ(again.resolvedConfig, experiment.resolvedConfig);
    EXPECT_EQ(again.Get<FailurePlan>("failures")->MakeSchedule().entries.size(), 2U);
    EXPECT_NE(experiment.resolvedConfig.find(R"("convergence":"20us")"), std::string::npos);
}

TEST_F(ScheduledFailureTest, ByDefaultNothingFailsAndRoutingConvergesWithinTwentyMicroseconds)
{
    const auto plan = Read(kSmallDescriptor).MakeExperiment(0).Get<FailurePlan>("failures");
    EXPECT_TRUE(plan->IsEmpty());
    EXPECT_TRUE(plan->Converges());
    EXPECT_EQ(plan->GetConvergence(), 20'000'000);
    const std::string effective = Read(kSmallDescriptor).MakeExperiment(0).resolvedConfig;
    EXPECT_NE(effective.find(R"("convergence":"20us")"), std::string::npos);
}

TEST_F(ScheduledFailureTest, MistakesAreNamedWithPlaceAndRemedy)
{
    const std::vector<std::pair<std::string, std::vector<std::string>>> cases{
        {"    - {at: 1us, link: [rail0-laef0, rail0-spine1], state: down}\n",
         {"test.yaml:6:17", "'rail0-laef0'", "did you mean 'rail0-leaf0'?"}},
        {"    - {at: 1us, link: [rail0-leaf0, rail0-leaf1], state: down}\n",
         {"no cable joins", "is joined to", "rail0-spine0"}},
        {"    - {at: 1us, link: [rail0-leaf0, rail0-leaf0], state: down}\n", {"no cable joins"}},
        {"    - {at: 1us, link: [rail0-leaf0], state: down}\n",
         {"two ends", "switch: rail0-leaf0"}},
        {"    - {at: 1us, switch: server0-nic0, state: down}\n", {"there is no switch"}},
        {"    - {at: 1us, nic: server0-nic1, state: down}\n",
         {"there is no NIC", "did you mean 'server0-nic0'?"}},
        {"    - {at: 1us, link: [rail0-leaf0, rail0-spine0], cable: 2, state: down}\n",
         {"test.yaml:6:52", "2 cables", "from 0"}},
        {"    - {at: 1us, switch: rail0-leaf0, cable: 0, state: down}\n",
         {"6:38", "parallel cables"}},
        {"    - {at: 1us, nic: server0-nic0, rate: 500Gbps}\n", {"at most 400Gbps"}},
        {"    - {at: 1us, nic: server0-nic0, rate: 0bps}\n", {"6:42", "at least 1bps"}},
        {"    - {at: 1us, nic: server0-nic0, state: dwon}\n", {"did you mean 'down'?"}},
        {"    - {at: 1us, nic: server0-nic0}\n", {"state: down", "rate: RATE"}},
        {"    - {at: 1us, state: down}\n", {"nothing is named that fails"}},
        {"    - {at: 1us, nic: a, switch: b, state: down}\n",
         {"one of link, switch, nic, gpu and server"}},
        {"    - {at: 1us, gpu: 12, state: down}\n",
         {"test.yaml:6:17", "no GPU 12", "it has 4, counted from 0"}},
        {"    - {at: 1us, nic: server0-nic0, state: down}\n"
         "    - {at: 1us, server: 4, state: down}\n",
         {"test.yaml:7:17", "no server 4", "it has 4, counted from 0"}},
        {"    - {at: 1us, gpu: 1, state: up}\n", {"6:25", "at and state: down alone"}},
        {"    - {at: 1us, server: 1, rate: 1Gbps}\n", {"6:28", "at and state: down alone"}},
        {"    - {from: 0s, every: 5us, down_for: 1us, times: 2, gpu: 1}\n",
         {"at and state: down alone"}},
        {"    - {at: 1us, gpu: 1, server: 0, state: down}\n", {"this one has two"}},
        {"    - {at: 1us, gpu: server0, state: down}\n", {"test.yaml:6:22", "is not a count"}},
        {"    - {gpu: 1, state: down}\n", {"needs 'at'"}},
        {"    - {nic: server0-nic0, state: down}\n", {"needs 'at'"}},
        {"    - {at: 5, nic: server0-nic0, state: down}\n", {"test.yaml:6:12", "5"}},
        {"    - {at: 5us, nic: server0-nic0, stat: down}\n", {"did you mean 'state'?"}},
        {"    - {from: 0s, every: 5us, times: 2, nic: server0-nic0}\n", {"needs 'down_for'"}},
        {"    - {from: 0s, every: 5us, down_for: 5us, times: 2, nic: server0-nic0}\n",
         {"shorter than every"}},
        {"    - {from: 0s, every: 5us, down_for: 1us, times: 0, nic: server0-nic0}\n",
         {"out of range"}},
        {"    - {from: 0s, every: 5us, down_for: 1us, times: 2, at: 1us, nic: server0-nic0}\n",
         {"'at' does not go with"}},
        {"    - {at: 9us, nic: server0-nic0, state: down}\n"
         "    - {at: 3us, nic: server0-nic0, state: up}\n",
         {"test.yaml:7:8", "is not down at 3us"}},
        {"    - {at: 0s, switch: rail0-leaf0, state: up}\n", {"is not down at 0"}},
        {"    nic: server0-nic0\n", {"expected a list of failures"}},
        {"    - down\n", {"expected a failure (a map of from, every, ", "found 'down'"}},
        {"    - {at: 1us, link: [a, b, c], state: down}\n", {"6:23", "a list of 1 to 2 names"}},
        {"    - {at: 1us, link: [server0-nic0], cable: 0, state: down}\n",
         {"6:39", "parallel cables"}},
        {"    - {at: 3000000s, nic: server0-nic0, state: down}\n", {"too late"}},
        {"    - {from: 0s, every: 50000s, down_for: 1us, times: 100000, nic: server0-nic0}\n",
         {"lasts too long"}},
    };
    for (const auto& [schedule, parts] : cases)
    {
        const std::string errors = FindScheduleErrors(schedule);
        EXPECT_FALSE(errors.empty()) << schedule;
        for (const std::string& part : parts)
        {
            EXPECT_NE(errors.find(part), std::string::npos)
                << "expected " << part << " in " << errors << " for " << schedule;
        }
    }
    EXPECT_EQ(FindScheduleErrors(
                  "    - {at: 3us, link: [rail0-spine0, rail0-leaf0], cable: 1, state: down}\n"
                  "    - {at: 1us, link: [server0-nic0, rail0-leaf0], state: down}\n"
                  "    - {at: 2us, link: [server0-nic0], state: up}\n"
                  "    - {at: 9us, link: [rail0-spine0, rail0-leaf0], state: up}\n"),
              "");
}

TEST_F(ScheduledFailureTest, OtherKeysOfTheSectionAreChecked)
{
    const auto find = [](const std::string& keys) {
        return FindErrors(kSmallDescriptor + "failures: {" + keys + "}\n");
    };
    EXPECT_NE(find("convergence: nevr").find("'never'"), std::string::npos);
    EXPECT_NE(find("convergence: 5").find("unit"), std::string::npos);
    EXPECT_NE(find("queued: lost").find("dropped, held"), std::string::npos);
    EXPECT_NE(find("random: {probability: 1.5}").find("0 to 1"), std::string::npos);
    // One leaf a rail: there are no cables between switches.
    EXPECT_NE(find("random: {probability: 0.5}").find("no such cables"), std::string::npos);
    EXPECT_NE(find("convergence: 1s, schedule: [{at: 0s, nic: server0-nic0, state: down}]")
                  .find("more patient than the routing"),
              std::string::npos);
    EXPECT_EQ(find("convergence: never"), "");
    const std::string impatient = FindErrors(
        kSmallDescriptor + "transport: {loss_recovery: {type: go-back-n, timeout: 5us}}\n"
                           "watchdog: {no_progress_after: 10us}\n"
                           "failures: {schedule: [{at: 0s, nic: server0-nic0, state: down}]}\n");
    EXPECT_EQ(impatient.find("test.yaml:5:12: error: "), 0U) << impatient;
    EXPECT_NE(impatient.find("failures.convergence, which is 20us unless it is set"),
              std::string::npos)
        << impatient;
}

} // namespace ns3::rails
