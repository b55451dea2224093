// SPDX-License-Identifier: GPL-2.0-only

// Whole runs, and whether what they report is consistent with itself.

#include "run-experiment-fixtures.h"

#include "ns3/rails-point-run.h"
#include "ns3/rails-result-reader.h"
#include "ns3/rails-result-writer.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

// Congested enough for pauses, marks and CNPs, with traffic inside servers too.
const std::string kScenarioCase =
    "name: sums\n"
    "seed: 3\n"
    "topology: {type: rail, domains: 6, gpus_per_domain: 2}\n"
    "switch: {buffer: 640KiB, ecn: {kmin: 50KB, kmax: 200KB, pmax: 0.2}}\n"
    "workload: {type: all-to-all, matrix: {type: sparse, density: 0.6, mean: 500KB, intra: true}, "
    "phases: [dispatch, compute: 3us, combine]}\n"
    "balance: {type: rails, chunk: 100KB}\n";

constexpr uint64_t kScenarioMtu = 4096;
constexpr uint64_t kScenarioDataOverhead = 62 + 20; // headers; preamble and gap
constexpr uint64_t kControlWireBytes = 64 + 20;

using Row = std::map<std::string, std::string>;

/// \return the rows of a CSV file by column; its first line must be the columns given
std::vector<Row>
ReadTable(const std::filesystem::path& path, const std::string& header)
{
    const auto split = [](const std::string& line) {
        std::vector<std::string> cells;
        std::istringstream stream(line);
        for (std::string cell; std::getline(stream, cell, ',');)
        {
            cells.push_back(cell);
        }
        return cells;
    };
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    EXPECT_EQ(line, header);
    const std::vector<std::string> columns = split(header);
    std::vector<Row> rows;
    while (std::getline(file, line))
    {
        const std::vector<std::string> cells = split(line);
        EXPECT_EQ(cells.size(), columns.size()) << line;
        Row row;
        for (std::size_t i = 0; i < std::min(cells.size(), columns.size()); ++i)
        {
            row[columns[i]] = cells[i];
        }
        rows.push_back(row);
    }
    return rows;
}

uint64_t
ToCount(const std::string& text)
{
    return std::stoull(text);
}

double
ToNumber(const std::string& text)
{
    return std::stod(text);
}

} // namespace

class ScenarioTest : public RunTest
{
};

/// One run with its files, looked at from several sides.
class ResultFilesTest : public RunTest
{
  public:
    static void SetUpTestSuite()
    {
        RunTest::SetUpTestSuite();
        folder = std::make_unique<TemporaryFolder>();
        PointTarget target;
        target.folder = folder->GetPath() / "result";
        const ExperimentFunction simulate = [](const Experiment& experiment,
                                               const ProgressCallback& progress) {
            return RunExperiment(experiment, progress);
        };
        status = RunPoint(Read(kScenarioCase), 0, target, simulate, nullptr).status;
        result = ReadResultJson(target.folder);
        messages = ReadTable(folder->GetPath() / "result/messages.csv",
                             "phase,pair_id,source,destination,rail,bytes,start_s,end_s,kind");
        queues = ReadTable(folder->GetPath() / "result/queues.csv",
                           "port_class,bytes_low,bytes_high,seconds");
        links = ReadTable(folder->GetPath() / "result/links.csv",
                          "node,port,peer,peer_port,port_class,rate_bps,bytes,utilisation,"
                          "queue_max_bytes,pauses,paused_s,marks,drops,data_frames,"
                          "queue_mean_bytes,link_losses");
    }

    static void TearDownTestSuite()
    {
        folder.reset();
        result = nlohmann::json();
        messages.clear();
        queues.clear();
        links.clear();
    }

  protected:
    static uint64_t SumColumn(const std::vector<Row>& rows, const std::string& column)
    {
        uint64_t sum = 0;
        for (const Row& row : rows)
        {
            sum += ToCount(row.at(column));
        }
        return sum;
    }

    /// \return payload that crossed the fabric
    static uint64_t GetFabricBytes()
    {
        uint64_t bytes = 0;
        for (const Row& row : messages)
        {
            bytes += row.at("rail") == "-1" ? 0 : ToCount(row.at("bytes"));
        }
        return bytes;
    }

    static inline std::unique_ptr<TemporaryFolder> folder;
    static inline int status{-1};
    static inline nlohmann::json result;
    static inline std::vector<Row> messages;
    static inline std::vector<Row> queues;
    static inline std::vector<Row> links;
};

TEST_F(ResultFilesTest, TheRunIsDoneAndLeavesItsFiles)
{
    EXPECT_EQ(status, 0);
    EXPECT_EQ(ListFolder(folder->GetPath()), std::vector<std::string>{"result"});
    EXPECT_EQ(ListFolder(folder->GetPath() / "result"),
              (std::vector<std::string>{"links.csv", "messages.csv", "queues.csv", "result.json"}));
    EXPECT_EQ(result["status"], 0);
    EXPECT_EQ(result["name"], "sums");
    EXPECT_EQ(result["seed"], 3);
    // What makes the other tests worth something.
    EXPECT_GT(result["pfc_pauses"], 0);
    EXPECT_GT(result["ecn_marks"], 0);
    EXPECT_GT(result["cnps"], 0);
}

TEST_F(ResultFilesTest, KeysAreThoseOfTheContractWithValuesOfTheirKind)
{
    const std::set<std::string> texts{"name", "engine", "matrix_hash", "fingerprint"};
    const std::set<std::string> objects{"version", "config", "lower_bound_parts", "explain"};
    // Null where there is none.
    const std::set<std::string> optional{"published_bound_s",
                                         "cct_increase",
                                         "rho_max",
                                         "algbw_Bps",
                                         "busbw_Bps"};
    const std::set<std::string> lists{"phases", "nic_tx_bytes", "nic_rx_bytes"};
    const std::set<std::string> numbers{"status",
                                        "seed",
                                        "cct_s",
                                        "cct_sender_s",
                                        "slowest_flow_s",
                                        "unroutable_frames",
                                        "lower_bound_s",
                                        "lower_bound_acks_s",
                                        "lower_bound_sender_s",
                                        "cct_over_bound",
                                        "bytes",
                                        "messages",
                                        "frames",
                                        "frame_hops",
                                        "drops",
                                        "link_losses",
                                        "retransmitted_frames",
                                        "ecn_marks",
                                        "cnps",
                                        "pfc_pauses",
                                        "pfc_paused_s",
                                        "queue_max_bytes",
                                        "events",
                                        "sim_s",
                                        "wall_s",
                                        "peak_rss_bytes"};
    const auto expect = [](const std::set<std::string>& keys,
                           bool (*holds)(const nlohmann::json&)) {
        for (const std::string& key : keys)
        {
            EXPECT_TRUE(result.contains(key) && holds(result[key])) << key;
        }
    };
    using Json = nlohmann::json;
    expect(texts, [](const Json& value) { return value.is_string(); });
    expect(objects, [](const Json& value) { return value.is_object(); });
    expect(lists, [](const Json& value) { return value.is_array(); });
    expect(numbers, [](const Json& value) { return value.is_number() && value >= 0; });
    expect(optional, [](const Json& value) { return value.is_null() || value.is_number(); });
    for (const auto& [key, value] : result.items())
    {
        const bool known = texts.count(key) + objects.count(key) + lists.count(key) +
                           numbers.count(key) + optional.count(key);
        // Beyond the contract.
        EXPECT_TRUE(known || key == "pause_frames" || key == "notes" || key == "artefacts") << key;
    }
    EXPECT_EQ(result["matrix_hash"].get<std::string>().size(), 64U);
    EXPECT_EQ(result["fingerprint"].get<std::string>().size(), 64U);
    for (const std::string key : {"module", "ns3", "compiler", "build"})
    {
        EXPECT_FALSE(result["version"][key].get<std::string>().empty()) << key;
    }
}

TEST_F(ResultFilesTest, MessagesAddUpToTheirTotals)
{
    EXPECT_EQ(SumColumn(messages, "bytes"), result["bytes"]);
    uint64_t pieces = 0;
    uint64_t frames = 0;
    std::map<std::pair<std::size_t, std::size_t>, uint64_t> sent;
    std::map<std::pair<std::size_t, std::size_t>, uint64_t> received;
    double first = 1e9;
    double last = 0;
    for (const Row& row : messages)
    {
        const std::size_t source = ToCount(row.at("source"));
        const std::size_t destination = ToCount(row.at("destination"));
        const uint64_t bytes = ToCount(row.at("bytes"));
        EXPECT_EQ(ToCount(row.at("pair_id")), source * 12 + destination);
        EXPECT_LT(ToNumber(row.at("start_s")), ToNumber(row.at("end_s")));
        first = std::min(first, ToNumber(row.at("start_s")));
        last = std::max(last, ToNumber(row.at("end_s")));
        EXPECT_EQ(row.at("rail") == "-1", source / 2 == destination / 2);
        if (row.at("rail") != "-1")
        {
            const std::size_t rail = ToCount(row.at("rail"));
            ++pieces;
            frames += (bytes + kScenarioMtu - 1) / kScenarioMtu;
            sent[{source / 2, rail}] += bytes;
            received[{destination / 2, rail}] += bytes;
        }
    }
    EXPECT_LT(pieces, messages.size()) << "there is traffic inside servers";
    EXPECT_EQ(result["messages"], pieces);
    EXPECT_EQ(result["frames"], frames);
    EXPECT_EQ(result["retransmitted_frames"], 0);
    for (std::size_t server = 0; server < 6; ++server)
    {
        for (std::size_t rail = 0; rail < 2; ++rail)
        {
            EXPECT_EQ(result["nic_tx_bytes"][server][rail], (sent[{server, rail}]));
            EXPECT_EQ(result["nic_rx_bytes"][server][rail], (received[{server, rail}]));
        }
    }
    EXPECT_NEAR(result["cct_s"], last - first, 1e-12);
}

TEST_F(ResultFilesTest, LinksCarryWhatWasSent)
{
    // A NIC sends data, and an ACK for each data frame that it gets; a leaf passes all of it on and
    // sends the pause frames.
    const uint64_t frames = result["frames"];
    const uint64_t cnps = result["cnps"];
    const uint64_t pauseFrames = result["pause_frames"];
    const uint64_t up =
        GetFabricBytes() + frames * kScenarioDataOverhead + (frames + cnps) * kControlWireBytes;
    std::map<std::string, uint64_t> bytes;
    for (const Row& row : links)
    {
        bytes[row.at("port_class")] += ToCount(row.at("bytes"));
    }
    EXPECT_EQ(bytes.size(), 2U);
    EXPECT_EQ(bytes["nic_tx"], up);
    EXPECT_EQ(bytes["leaf_down"], up + pauseFrames * kControlWireBytes);
    EXPECT_EQ(result["frame_hops"], 2 * (2 * frames + cnps));
}

TEST_F(RunTest, WhatMovesNothingIsDoneAndHasNoBound)
{
    const Result result = Run("topology: {type: rail, domains: 1, gpus_per_domain: 2}\n"
                              "workload: {type: all-to-all, matrix: uniform}\n"
                              "balance: rails\n");
    EXPECT_EQ(result.status, RunStatus::Done) << result.report;
    const TemporaryFolder folder;
    WriteResult(result, folder.GetPath());
    const auto json = nlohmann::json::parse(ReadFile(folder.GetPath() / "result.json"));
    EXPECT_TRUE(json["cct_over_bound"].is_null());
    EXPECT_TRUE(json["explain"].is_null());
    const std::string links = ReadFile(folder.GetPath() / "links.csv");
    EXPECT_NE(links.find("nic_tx,400000000000,0,0,0,"), std::string::npos) << links;
}

TEST_F(ResultFilesTest, LinksAddUpToTheirTotals)
{
    ASSERT_EQ(links.size(), 2U * 12) << "both ends of the cable of every NIC";
    std::set<std::pair<std::string, std::string>> ends;
    double paused = 0;
    uint64_t queueMax = 0;
    for (const Row& row : links)
    {
        EXPECT_GT(ToNumber(row.at("utilisation")), 0);
        EXPECT_LE(ToNumber(row.at("utilisation")), 1);
        // All bytes but the ACKs behind the last delivery, each frame rounded up to a picosecond.
        const double all = ToNumber(row.at("bytes")) * 8 / ToNumber(row.at("rate_bps")) /
                           result["cct_s"].get<double>();
        EXPECT_GT(ToNumber(row.at("utilisation")), 0.999 * all);
        EXPECT_LT(ToNumber(row.at("utilisation")), 1.0002 * all);
        ends.insert(
            {row.at("node") + "." + row.at("port"), row.at("peer") + "." + row.at("peer_port")});
        paused += ToNumber(row.at("paused_s"));
        if (row.at("port_class") != "nic_tx")
        {
            queueMax = std::max(queueMax, ToCount(row.at("queue_max_bytes")));
        }
    }
    for (const auto& [here, there] : ends)
    {
        EXPECT_EQ(ends.count({there, here}), 1U) << here << " - " << there;
    }
    EXPECT_EQ(SumColumn(links, "pauses"), result["pfc_pauses"]);
    EXPECT_EQ(SumColumn(links, "marks"), result["ecn_marks"]);
    EXPECT_EQ(SumColumn(links, "drops"), result["drops"]);
    EXPECT_NEAR(paused, result["pfc_paused_s"], 1e-12);
    EXPECT_EQ(queueMax, result["queue_max_bytes"]);
}

TEST_F(ResultFilesTest, QueueTimesAddUpToPortsTimesTime)
{
    std::map<std::string, double> seconds;
    std::map<std::string, uint64_t> longest;
    std::map<std::string, uint64_t> end;
    for (const Row& row : queues)
    {
        const uint64_t low = ToCount(row.at("bytes_low"));
        EXPECT_LT(low, ToCount(row.at("bytes_high")));
        EXPECT_GE(low, end[row.at("port_class")]) << "bins overlap";
        end[row.at("port_class")] = ToCount(row.at("bytes_high"));
        seconds[row.at("port_class")] += ToNumber(row.at("seconds"));
        longest[row.at("port_class")] = low;
    }
    const double time = result["sim_s"];
    EXPECT_EQ(seconds.size(), 2U);
    EXPECT_NEAR(seconds["nic_tx"], 12 * time, 1e-12);
    EXPECT_NEAR(seconds["leaf_down"], 12 * time, 1e-12);
    EXPECT_LE(longest["leaf_down"], result["queue_max_bytes"]);
    EXPECT_GT(end["leaf_down"], result["queue_max_bytes"]);
}

TEST_F(ResultFilesTest, DerivedFiguresFollowFromTheOthers)
{
    const double cct = result["cct_s"];
    const double bound = result["lower_bound_s"];
    EXPECT_GT(bound, 0);
    EXPECT_GE(cct, bound);
    EXPECT_GE(result["cct_sender_s"], result["lower_bound_sender_s"]);
    EXPECT_DOUBLE_EQ(result["cct_over_bound"], cct / bound);
    EXPECT_TRUE(result["algbw_Bps"].is_null()) << "GPUs compute in between";
    EXPECT_TRUE(result["busbw_Bps"].is_null());
    const std::string binding = result["lower_bound_parts"]["binding"];
    EXPECT_TRUE(result["lower_bound_parts"].contains(binding + "_s")) << binding;
    EXPECT_GE(result["sim_s"], cct);
    EXPECT_FALSE(result.contains("iteration_s"));
}

TEST_F(ResultFilesTest, TheConfigurationInItGivesTheSameRun)
{
    const Result again = Run(result["config"].dump());
    EXPECT_EQ(GetFingerprint(again), result["fingerprint"]);
    EXPECT_EQ(again.matrixHash, result["matrix_hash"]);
    EXPECT_EQ(nlohmann::json::parse(again.resolvedConfig), result["config"]);
}

TEST_F(ScenarioTest, PhasesFollowEachOtherWithoutGap)
{
    const Result result =
        Run(kScenarioCase,
            {"workload.phases=[compute: 7us, dispatch, gap: 2us, combine, compute: 5us]",
             "workload.iterations=3"});
    ASSERT_EQ(result.status, RunStatus::Done) << result.report;
    ASSERT_EQ(result.phases.size(), 15U);
    const std::vector<std::string> names{"compute", "dispatch", "gap", "combine", "compute"};
    const std::vector<TimePs> waits{7'000'000, 0, 2'000'000, 0, 5'000'000};
    std::vector<TimePs> lastEnd(15, 0);
    for (const MessageRecord& message : result.messageRecords)
    {
        lastEnd[message.kind] = std::max(lastEnd[message.kind], message.end);
        EXPECT_EQ(message.start, result.phases[message.kind].start);
    }
    for (std::size_t i = 0; i < 15; ++i)
    {
        SCOPED_TRACE("phase " + std::to_string(i));
        const PhaseRecord& phase = result.phases[i];
        EXPECT_EQ(phase.name, names[i % 5]);
        EXPECT_EQ(phase.iteration, i / 5);
        EXPECT_EQ(phase.start, i == 0 ? 0 : result.phases[i - 1].end);
        EXPECT_EQ(phase.end, waits[i % 5] > 0 ? phase.start + waits[i % 5] : lastEnd[i]);
    }
    // From the first post to the last byte: without what comes before and behind.
    EXPECT_EQ(result.cct, result.phases[13].end - result.phases[1].start);
    EXPECT_EQ(result.iteration, result.phases[14].end / 3);
    EXPECT_GE(result.simulated, result.phases[14].end);
    EXPECT_GE(result.cct, result.lowerBound);
    EXPECT_GE(result.lowerBound, 3 * 2'000'000 + 2 * (5'000'000 + 7'000'000)) << "waits count";
}

TEST_F(ScenarioTest, CombineIsTheTransposeOfDispatch)
{
    const Result result = Run(kScenarioCase);
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> there;
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> back;
    for (const MessageRecord& message : result.messageRecords)
    {
        if (message.kind == 0)
        {
            there[{message.source, message.destination}] += message.bytes;
        }
        else
        {
            back[{message.destination, message.source}] += message.bytes;
        }
    }
    EXPECT_FALSE(there.empty());
    EXPECT_EQ(there, back);
}

TEST_F(ScenarioTest, APhaseEndsInTheInstantOfItsLastByteWhereverThatIs)
{
    // NVLink is slow, so the last bytes are inside a server: server 2 has no other traffic, server
    // 0 gets frames as well.
    for (const std::string late : {"0,9000000,1000,0,0,0\n0,0,0,0,0,0\n1000,0,0,1000,0,0\n"
                                   "0,0,0,0,0,0\n0,0,0,0,0,0\n0,0,0,0,0,0\n",
                                   "0,0,1000,0,0,0\n0,0,0,0,0,0\n1000,0,0,1000,0,0\n"
                                   "0,0,0,0,0,0\n0,0,0,0,0,9000000\n0,0,0,0,0,0\n"})
    {
        const TemporaryFolder folder;
        const std::string path = folder.Write("matrix.csv", late);
        const Result result =
            Run("topology: {type: rail, domains: 3, gpus_per_domain: 2, nvlink_rate: 500Gbps}\n"
                "workload: {type: all-to-all, phases: [dispatch, combine], matrix: {type: file, "
                "path: " +
                path + "}}\nbalance: rails\n");
        ASSERT_EQ(result.status, RunStatus::Done) << result.report;
        std::vector<TimePs> ends(2, 0);
        for (const MessageRecord& message : result.messageRecords)
        {
            ends[message.kind] = std::max(ends[message.kind], message.end);
        }
        // 9 MB at 500 Gbps, and a latency.
        EXPECT_EQ(ends[0], 144'000'000 + 25'000);
        EXPECT_EQ(result.phases[0].end, ends[0]);
        EXPECT_EQ(result.phases[1].start, ends[0]);
        EXPECT_EQ(result.phases[1].end, ends[1]);
        for (const MessageRecord& message : result.messageRecords)
        {
            EXPECT_EQ(message.start, message.kind == 0 ? 0 : ends[0]);
        }
        EXPECT_EQ(result.cct, ends[1]);
    }
}

TEST_F(ScenarioTest, ASlowerPartMakesTheWholeSlower)
{
    const Result usual = Run(kScenarioCase);
    EXPECT_GT(Run(kScenarioCase, {"topology.nic_rate=200Gbps"}).cct, usual.cct * 3 / 2);
    EXPECT_GT(Run(kScenarioCase, {"topology.nvlink_rate=100Gbps"}).cct, usual.cct * 3 / 2);
    EXPECT_GT(Run(kScenarioCase, {"nic.message_gap=20us"}).cct, usual.cct * 3 / 2);
    EXPECT_GT(Run(kScenarioCase, {"workload.phases=[dispatch, compute: 2ms, combine]"}).cct,
              2'000'000'000);
}

TEST_F(ScenarioTest, LeastOutstandingPostsAsItSends)
{
    const Result result = Run(kScenarioCase, {"balance={type: least-outstanding, chunk: 100KB}"});
    ASSERT_EQ(result.status, RunStatus::Done) << result.report;
    std::set<TimePs> starts;
    for (const MessageRecord& message : result.messageRecords)
    {
        EXPECT_GE(message.start, result.phases[message.kind].start);
        starts.insert(message.start);
    }
    EXPECT_GT(starts.size(), 10U);
}

class EveryComponentTest : public RunTest, public testing::WithParamInterface<std::string>
{
};

TEST_P(EveryComponentTest, MovesEveryByteOnce)
{
    const std::string text =
        "seed: 5\n"
        "topology: {type: rail, domains: 6, gpus_per_domain: 2, leaf_ports: 3, rail_spines: 2, "
        "spines: 2}\n"
        "switch: {buffer: 768KiB, ecn: {kmin: 50KB, kmax: 200KB, pmax: 0.2}}\n"
        "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 30KB}, "
        "phases: [dispatch, combine]}\n"
        "balance: rails\n";
    const Result result = Run(text, {GetParam()});
    EXPECT_EQ(result.status, RunStatus::Done) << result.report;
    uint64_t bytes = 0;
    uint64_t crossing = 0;
    for (const MessageRecord& message : result.messageRecords)
    {
        EXPECT_NE(message.end, kNever);
        bytes += message.bytes;
        crossing += message.rail == kNoRail ? 0 : message.bytes;
    }
    EXPECT_EQ(bytes, result.bytes);
    uint64_t sent = 0;
    uint64_t received = 0;
    for (std::size_t server = 0; server < 6; ++server)
    {
        for (std::size_t rail = 0; rail < 2; ++rail)
        {
            sent += result.nicTxBytes[server][rail];
            received += result.nicRxBytes[server][rail];
        }
    }
    EXPECT_EQ(sent, crossing);
    EXPECT_EQ(received, crossing);
    EXPECT_GE(result.cct, result.lowerBound);
    EXPECT_GE(result.cctSender, result.lowerBoundSender);
}

INSTANTIATE_TEST_SUITE_P(
    Of,
    EveryComponentTest,
    testing::Values(
        "balance=ecmp",
        "balance={type: rail-source, chunk: 8KB}",
        "balance=rail-destination",
        "balance={type: round-robin, chunk: 8KB}",
        "balance={type: random, chunk: 8KB}",
        "balance={type: least-outstanding, chunk: 8KB}",
        "balance={type: rails, chunk: 8KB, tie: lowest}",
        "balance={type: rails, chunk: whole}",
        "balance=even-split",
        "transport.congestion_control=none",
        "transport.congestion_control={type: dcqcn, preset: paper}",
        "transport.congestion_control={type: dcqcn, preset: mellanox}",
        "transport={loss_recovery: selective-repeat, window: 40KB}",
        "transport.qp_per=gpu-pair",
        "transport.qp_per=message",
        "transport={mtu: 1000B, data_header: 70B}",
        "nic.message_gap=300ns",
        "switch={pfc: false, buffer: 64MiB}",
        "topology={type: rail, domains: 6, gpus_per_domain: 2, nvlink_rate: 200Gbps}",
        "topology={type: rail, domains: 6, gpus_per_domain: 2, leaf_ports: 2, rail_spines: 1, "
        "uplinks_per_spine: 2, uplink_rate: 100Gbps}",
        "topology={type: rail, domains: 6, gpus_per_domain: 2, link_loss: 0.005}",
        "workload.matrix={type: sparse, density: 0.2, mean: 50KB, intra: true}",
        "workload.matrix={type: zipf, exponent: 1.2, bytes_per_gpu: 200KB}",
        "workload.matrix={type: moe, experts: 12, tokens_per_gpu: 64, hidden: 512}",
        "workload.matrix={type: moe, experts: 6, tokens_per_gpu: 64, hidden: 512, "
        "popularity: {type: zipf, exponent: 1}}",
        "workload.matrix={type: moe, experts: 24, tokens_per_gpu: 64, hidden: 512, "
        "popularity: {type: dirichlet, concentration: 0.5}}",
        "workload.matrix={type: moe, experts: 3, tokens_per_gpu: 64, hidden: 512, "
        "popularity: {type: given, shares: [0.5, 0.3, 0.2]}}"));

} // namespace ns3::rails
