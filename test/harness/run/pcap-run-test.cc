// SPDX-License-Identifier: GPL-2.0-only
#include "run-experiment-fixtures.h"

#include "ns3/rails-point-run.h"
#include "ns3/rails-result-reader.h"

#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

// An incast in both rails, with marks, CNPs and pauses.
const std::string kPcapRunCase =
    "topology: {type: rail, domains: 4, gpus_per_domain: 2}\n"
    "switch: {buffer: 400KiB, ecn: {kmin: 20KB, kmax: 80KB, pmax: 0.5}}\n"
    "workload: {type: all-to-all, matrix: {type: zipf, exponent: 1.5, bytes_per_gpu: 400KB}}\n"
    "balance: rail-destination\n"
    "record: {pcap: true}\n";

/// One captured frame, as tshark dissects it.
struct Captured
{
    std::string protocols;
    std::string malformed;
    std::string source;
    std::string opcode;
    std::string ecn;
};

std::vector<Captured>
Dissect(const std::filesystem::path& path)
{
    // Multiple IP headers (an ICMP error quotes one) do not occur, so fields are single.
    const std::string command = "tshark -r '" + path.string() +
                                "' -T fields -E separator=';' -e frame.protocols -e _ws.malformed "
                                "-e ip.src -e infiniband.bth.opcode -e ip.dsfield.ecn 2>/dev/null";
    std::vector<Captured> frames;
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::string line;
    for (int letter = std::fgetc(pipe.get()); letter != EOF; letter = std::fgetc(pipe.get()))
    {
        if (letter != '\n')
        {
            line += static_cast<char>(letter);
            continue;
        }
        std::istringstream stream(line);
        Captured frame;
        std::getline(stream, frame.protocols, ';');
        std::getline(stream, frame.malformed, ';');
        std::getline(stream, frame.source, ';');
        std::getline(stream, frame.opcode, ';');
        std::getline(stream, frame.ecn, ';');
        frames.push_back(frame);
        line.clear();
    }
    return frames;
}

bool
IsData(const Captured& frame)
{
    // SEND first, middle, last, only.
    return frame.opcode == "0" || frame.opcode == "1" || frame.opcode == "2" || frame.opcode == "4";
}

} // namespace

class PcapRunTest : public RunTest
{
};

TEST_F(PcapRunTest, TsharkFindsEveryFrameOfTheResult)
{
    if (std::system("command -v tshark >/dev/null 2>&1") != 0)
    {
        GTEST_SKIP() << "tshark is not installed: what it makes of a capture stays untested";
    }
    const TemporaryFolder folder;
    PointTarget target;
    target.folder = folder.GetPath() / "result";
    const ExperimentFunction simulate = [](const Experiment& experiment, const ProgressCallback&) {
        return RunExperiment(experiment);
    };
    ASSERT_EQ(RunPoint(Read(kPcapRunCase), 0, target, simulate, nullptr).status, 0);
    const nlohmann::json result = ReadResultJson(target.folder);
    ASSERT_GT(result["cnps"], 0);
    ASSERT_GT(result["pfc_pauses"], 0);

    uint64_t sent = 0;
    uint64_t received = 0;
    uint64_t marked = 0;
    uint64_t acks = 0;
    uint64_t cnps = 0;
    uint64_t pauses = 0;
    for (int nic = 0; nic < 8; ++nic)
    {
        const std::string name =
            "server" + std::to_string(nic / 2) + "-nic" + std::to_string(nic % 2) + ".pcap";
        const std::vector<Captured> frames = Dissect(folder.GetPath() / "result" / name);
        EXPECT_FALSE(frames.empty()) << name;
        const std::string own = "10.0.0." + std::to_string(nic + 1);
        for (const Captured& frame : frames)
        {
            EXPECT_EQ(frame.malformed, "") << frame.protocols;
            if (frame.source.empty())
            {
                EXPECT_EQ(frame.protocols, "eth:ethertype:macc") << "only pauses have no address";
                ++pauses;
                continue;
            }
            EXPECT_EQ(frame.protocols.rfind("eth:ethertype:ip:udp:infiniband", 0), 0U)
                << frame.protocols;
            const bool leaves = frame.source == own;
            sent += leaves && IsData(frame) ? 1 : 0;
            received += !leaves && IsData(frame) ? 1 : 0;
            marked += !leaves && IsData(frame) && frame.ecn == "3" ? 1 : 0;
            acks += leaves && frame.opcode == "17" ? 1 : 0;
            cnps += leaves && frame.opcode == "129" ? 1 : 0;
        }
    }
    EXPECT_EQ(sent, result["frames"]);
    EXPECT_EQ(received, result["frames"]);
    EXPECT_EQ(acks, result["frames"]) << "an ACK for every data frame";
    EXPECT_EQ(marked, result["ecn_marks"]);
    EXPECT_EQ(cnps, result["cnps"]);
    EXPECT_EQ(pauses, result["pause_frames"]);
}

TEST_F(PcapRunTest, CapturingChangesNothing)
{
    const TemporaryFolder folder;
    Experiment captured = Read(kPcapRunCase).MakeExperiment(0);
    captured.workFolder = folder.GetPath().string();
    const Result with = RunExperiment(captured);
    EXPECT_EQ(ListFolder(folder.GetPath()).size(), 8U);
    EXPECT_EQ(GetFingerprint(with), GetFingerprint(Run(kPcapRunCase, {"record.pcap=false"})));
}

} // namespace ns3::rails
