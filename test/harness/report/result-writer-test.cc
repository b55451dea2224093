// SPDX-License-Identifier: GPL-2.0-only
#include "../run/experiment-fixtures.h"

#include "ns3/rails-fingerprint.h"
#include "ns3/rails-output-folder.h"
#include "ns3/rails-result-reader.h"
#include "ns3/rails-result-writer.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::rails
{

TEST(ResultWriter, JsonHasEveryKeyOfTheContract)
{
    const nlohmann::json json = MakeResultJson(MakeResult());
    for (const std::string key : {"name",
                                  "status",
                                  "seed",
                                  "version",
                                  "config",
                                  "matrix_hash",
                                  "fingerprint",
                                  "cct_s",
                                  "cct_sender_s",
                                  "phases",
                                  "lower_bound_s",
                                  "lower_bound_sender_s",
                                  "lower_bound_parts",
                                  "cct_over_bound",
                                  "slowest_flow_s",
                                  "published_bound_s",
                                  "cct_increase",
                                  "rho_max",
                                  "algbw_Bps",
                                  "busbw_Bps",
                                  "bytes",
                                  "messages",
                                  "frames",
                                  "frame_hops",
                                  "drops",
                                  "unroutable_frames",
                                  "link_losses",
                                  "retransmitted_frames",
                                  "ecn_marks",
                                  "cnps",
                                  "pfc_pauses",
                                  "pfc_paused_s",
                                  "queue_max_bytes",
                                  "nic_tx_bytes",
                                  "nic_rx_bytes",
                                  "events",
                                  "sim_s",
                                  "wall_s",
                                  "peak_rss_bytes"})
    {
        EXPECT_TRUE(json.contains(key)) << key;
    }
    for (const std::string key : {"module", "ns3", "compiler", "build"})
    {
        EXPECT_TRUE(json["version"].contains(key)) << key;
    }
}

TEST(ResultWriter, FiguresAreInTheirUnits)
{
    Result result = MakeResult();
    const nlohmann::json json = MakeResultJson(result);
    EXPECT_EQ(json["status"], 0);
    EXPECT_DOUBLE_EQ(json["cct_s"], 2e-6);
    EXPECT_DOUBLE_EQ(json["lower_bound_s"], 1e-6);
    EXPECT_DOUBLE_EQ(json["cct_over_bound"], 2);
    EXPECT_DOUBLE_EQ(json["algbw_Bps"], 1.5e9);
    EXPECT_DOUBLE_EQ(json["busbw_Bps"], 1.2e9);
    EXPECT_EQ(json["phases"][0]["name"], "dispatch");
    EXPECT_DOUBLE_EQ(json["phases"][0]["end_s"], 2e-6);
    EXPECT_EQ(json["lower_bound_parts"]["binding"], "server_send");
    EXPECT_DOUBLE_EQ(json["lower_bound_parts"]["server_send_s"], 1e-6);
    EXPECT_EQ(json["config"]["seed"], 7);
    EXPECT_EQ(json["fingerprint"], result.fingerprint);
    EXPECT_FALSE(json.contains("iteration_s"));
    EXPECT_FALSE(json.contains("report"));
    EXPECT_FALSE(json.contains("axes"));
    result.iteration = 5'000'000;
    EXPECT_DOUBLE_EQ(MakeResultJson(result)["iteration_s"], 5e-6);
}

TEST(ResultWriter, TimesOfAGraphAreOfAnIterationAndOfAGpu)
{
    Result result = MakeResult();
    EXPECT_FALSE(MakeResultJson(result).contains("graph"));
    GraphRecord graph;
    graph.gpus = 4;
    graph.iterations = 2;
    graph.computing = 8'000'000;
    graph.nodes = 16;
    graph.kinds = {{"experts", true, 8, 0, 8'000'000, 0, 3'000'000},
                   {"unused", false, 0, 0, 0, 0, 0},
                   {"dispatch", false, 8, 500, 24'000'000, 16'000'000, 7'000'000}};
    result.graph = graph;
    const nlohmann::json json = MakeResultJson(result)["graph"];
    EXPECT_DOUBLE_EQ(json["compute_s"], 1e-6);
    EXPECT_EQ(json["nodes"], 16);
    const nlohmann::json& experts = json["kinds"][0];
    EXPECT_EQ(experts["type"], "compute");
    EXPECT_DOUBLE_EQ(experts["busy_s"], 1e-6);
    EXPECT_TRUE(experts["exposed_s"].is_null());
    const nlohmann::json& dispatch = json["kinds"][1];
    EXPECT_EQ(dispatch["name"], "dispatch");
    EXPECT_EQ(dispatch["type"], "communication");
    EXPECT_EQ(dispatch["bytes"], 500);
    EXPECT_DOUBLE_EQ(dispatch["busy_s"], 3e-6);
    EXPECT_DOUBLE_EQ(dispatch["exposed_s"], 2e-6);
    EXPECT_DOUBLE_EQ(dispatch["hidden_s"], 1e-6);
    EXPECT_DOUBLE_EQ(dispatch["critical_s"], 3.5e-6);
}

TEST(ResultWriter, PublishedBoundIsNullWhereThereIsNone)
{
    Result result = MakeResult();
    for (const char* key : {"published_bound_s", "cct_increase", "rho_max"})
    {
        EXPECT_TRUE(MakeResultJson(result)[key].is_null()) << key;
    }
    result.publishedBound = 2'000'000;
    result.slowestFlow = 2'500'000;
    result.rhoMax = 0.75;
    EXPECT_DOUBLE_EQ(MakeResultJson(result)["published_bound_s"], 2e-6);
    EXPECT_DOUBLE_EQ(MakeResultJson(result)["cct_increase"], 0.25);
    EXPECT_DOUBLE_EQ(MakeResultJson(result)["rho_max"], 0.75);
    result.status = RunStatus::NotFinished;
    EXPECT_TRUE(MakeResultJson(result)["cct_increase"].is_null());
}

TEST(ResultWriter, MetricsOfARunThatDidNotEndWellAreNull)
{
    Result result = MakeResult();
    result.iteration = 5'000'000;
    result.publishedBound = 2'000'000;
    result.slowestFlow = 2'500'000;
    const std::vector<std::string> metrics{"cct_s",
                                           "cct_sender_s",
                                           "slowest_flow_s",
                                           "iteration_s",
                                           "cct_over_bound",
                                           "cct_increase",
                                           "algbw_Bps",
                                           "busbw_Bps"};
    for (const std::string& key : metrics)
    {
        EXPECT_TRUE(MakeResultJson(result)[key].is_number()) << key;
    }
    for (const RunStatus status : {RunStatus::NotFinished, RunStatus::InvariantBroken})
    {
        result.status = status;
        const nlohmann::json json = MakeResultJson(result);
        for (const std::string& key : metrics)
        {
            EXPECT_TRUE(json.contains(key)) << key;
            EXPECT_TRUE(json[key].is_null()) << key;
        }
        for (const char* key : {"lower_bound_s", "lower_bound_sender_s", "published_bound_s"})
        {
            EXPECT_TRUE(json[key].is_number()) << key;
        }
    }
}

TEST(ResultWriter, ResultWithoutMetricsIsWhole)
{
    const TemporaryFolder folder;
    Result result = MakeResult();
    result.status = RunStatus::NotFinished;
    WriteResult(result, folder.GetPath());
    EXPECT_TRUE(ReadResultJson(folder.GetPath()).at("cct_s").is_null());
}

TEST(ResultWriter, ABandwidthThatIsNotDefinedIsNull)
{
    Result result = MakeResult();
    result.algorithmBandwidth.reset();
    result.busBandwidth.reset();
    EXPECT_TRUE(MakeResultJson(result).at("algbw_Bps").is_null());
    EXPECT_TRUE(MakeResultJson(result).at("busbw_Bps").is_null());
}

TEST(ResultWriter, RunThatDidNotEndWellSaysWhy)
{
    Result result = MakeResult();
    result.status = RunStatus::NotFinished;
    result.report = "queue pair 3 is stuck";
    result.phases.push_back({"combine", 0, kNever, kNever});
    const nlohmann::json json = MakeResultJson(result);
    EXPECT_EQ(json["status"], 3);
    EXPECT_EQ(json["report"], "queue pair 3 is stuck");
    EXPECT_TRUE(json["phases"][1]["start_s"].is_null());
    EXPECT_TRUE(json["phases"][1]["end_s"].is_null());
}

TEST(ResultWriter, TablesHaveTheColumnsOfTheContract)
{
    const TemporaryFolder folder;
    WriteResult(MakeResult(), folder.GetPath());
    EXPECT_EQ(ReadFile(folder.GetPath() / "messages.csv"),
              "phase,pair_id,source,destination,rail,bytes,start_s,end_s,kind\n"
              "0,5,1,2,1,3000,0.000000000000,0.000001999999,dispatch\n"
              "0,5,1,2,-1,3000,0.000000000000,,dispatch\n");
    EXPECT_EQ(ReadFile(folder.GetPath() / "queues.csv"),
              "port_class,bytes_low,bytes_high,seconds\nleaf_up,0,1,1.5e-06\n");
    // 50,000 bytes at 400 Gbps take 1 us of the 2.
    EXPECT_EQ(ReadFile(folder.GetPath() / "links.csv"),
              "node,port,peer,peer_port,port_class,rate_bps,bytes,utilisation,queue_max_bytes,"
              "pauses,paused_s,marks,drops,data_frames,queue_mean_bytes,link_losses\n"
              "3,1,4,0,leaf_up,400000000000,50000,0.5,0,2,0.000000123456,9,0,11,2.5,0\n");
    EXPECT_EQ(ReadResultJson(folder.GetPath())["name"], "made-up");
}

TEST(ResultWriter, TablesThatAreNotWantedAreNotWritten)
{
    const TemporaryFolder folder;
    Result result = MakeResult();
    result.writesMessages = false;
    result.queueBins.reset();
    result.writesLinks = false;
    WriteResult(result, folder.GetPath());
    EXPECT_EQ(ListFolder(folder.GetPath()), std::vector<std::string>{"result.json"});
}

TEST(ResultWriter, WhatOnlyFramesHaveIsNullOrEmptyWithoutThem)
{
    const TemporaryFolder folder;
    Result result = MakeResult();
    result.engine = "flow";
    result.frameCounters.reset();
    result.portRecords.front().frames.reset();
    result.queueBins.reset();
    WriteResult(result, folder.GetPath());
    const nlohmann::json json = ReadResultJson(folder.GetPath());
    ASSERT_TRUE(json.is_object()) << "it is whole";
    for (const char* key : {"frames",
                            "frame_hops",
                            "pause_frames",
                            "drops",
                            "unroutable_frames",
                            "link_losses",
                            "retransmitted_frames",
                            "ecn_marks",
                            "cnps",
                            "pfc_pauses",
                            "pfc_paused_s",
                            "queue_max_bytes"})
    {
        EXPECT_TRUE(json.at(key).is_null()) << key;
    }
    EXPECT_EQ(ReadFile(folder.GetPath() / "links.csv"),
              "node,port,peer,peer_port,port_class,rate_bps,bytes,utilisation,queue_max_bytes,"
              "pauses,paused_s,marks,drops,data_frames,queue_mean_bytes,link_losses\n"
              "3,1,4,0,leaf_up,400000000000,50000,0.5,,,,,,,,\n");
    EXPECT_EQ(ListFolder(folder.GetPath()),
              (std::vector<std::string>{"links.csv", "messages.csv", "result.json"}));
}

TEST(ResultWriter, SharesThatAnEngineDoesNotKnowAreNull)
{
    Result result = MakeResult();
    result.explanation.emplace();
    result.explanation->nic = Explanation::Shares("server0-nic1", {30, 0, 0, 10, 0, 0});
    EXPECT_EQ(MakeResultJson(result)["explain"]["nic"]["paused"], 0);
    auto& times = result.explanation->nic->times;
    times[static_cast<std::size_t>(PortState::Paused)].reset();
    times[static_cast<std::size_t>(PortState::Rate)].reset();
    const nlohmann::json shares = MakeResultJson(result)["explain"]["nic"];
    EXPECT_DOUBLE_EQ(shares["busy"], 0.75);
    EXPECT_DOUBLE_EQ(shares["not_there_yet"], 0.25);
    EXPECT_TRUE(shares["paused"].is_null());
    EXPECT_TRUE(shares["rate_or_window"].is_null());
}

TEST(ResultWriter, FileThatCannotBeWrittenIsNamed)
{
    const TemporaryFolder folder;
    try
    {
        WriteResult(MakeResult(), folder.GetPath() / "absent");
        FAIL() << "nothing was thrown";
    }
    catch (const std::runtime_error& error)
    {
        EXPECT_NE(std::string(error.what()).find("messages.csv: error: cannot be written"),
                  std::string::npos)
            << error.what();
    }
}

TEST(ResultWriter, ResultThatIsNotWholeIsNotRead)
{
    const TemporaryFolder folder;
    EXPECT_TRUE(ReadResultJson(folder.GetPath()).is_discarded());
    WriteResult(MakeResult(), folder.GetPath());
    const std::string whole = ReadFile(folder.GetPath() / "result.json");
    EXPECT_FALSE(ReadResultJson(folder.GetPath()).is_discarded());
    folder.Write("result.json", whole.substr(0, whole.size() / 2));
    EXPECT_TRUE(ReadResultJson(folder.GetPath()).is_discarded());
    folder.Write("result.json", "{}");
    EXPECT_TRUE(ReadResultJson(folder.GetPath()).is_discarded());
    folder.Write("result.json", "[1, 2]");
    EXPECT_TRUE(ReadResultJson(folder.GetPath()).is_discarded());
}

} // namespace ns3::rails
