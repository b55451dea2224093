// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/pcap-file.h"
#include "ns3/roce-packet.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

namespace
{

using Row = std::map<std::string, std::string>;

/// A data frame from NIC 3 to NIC 260.
RoceFrameInfo
MakeData(uint32_t payload, uint64_t psn, bool first, bool last)
{
    RoceFrameInfo info;
    info.kind = FrameKind::Data;
    info.bytes = payload + 62;
    info.sourceNic = 3;
    info.destinationNic = 260;
    info.queuePair = 0x123456;
    info.psn = psn;
    info.payload = payload;
    info.first = first;
    info.last = last;
    info.entropy = 77;
    info.dscp = 26;
    return info;
}

RoceFrameInfo
MakeControl(FrameKind kind, uint64_t psn)
{
    RoceFrameInfo info;
    info.kind = kind;
    info.bytes = 64;
    info.sourceNic = 260;
    info.destinationNic = 3;
    info.queuePair = 9;
    info.psn = psn;
    info.dscp = 48;
    return info;
}

std::vector<uint8_t>
GetBytes(const RoceFrameInfo& info)
{
    Ptr<Packet> packet = CreateRocePacket(info);
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    return bytes;
}

bool
IsTsharkInstalled()
{
    return std::system("command -v tshark >/dev/null 2>&1") == 0;
}

/// \return per frame, the fields as tshark prints them
std::vector<Row>
Dissect(const std::vector<RoceFrameInfo>& frames, const std::vector<std::string>& fields)
{
    const std::filesystem::path path =
        std::filesystem::path(testing::TempDir()) / "roce-packet-test.pcap";
    {
        PcapFile file;
        file.Open(path.string(), std::ios::out | std::ios::binary);
        file.Init(1, 65535, 0, false, true); // Ethernet, nanoseconds
        uint32_t nanosecond = 0;
        for (const RoceFrameInfo& info : frames)
        {
            file.Write(0, nanosecond++, CreateRocePacket(info));
        }
    }
    std::string command = "tshark -n -r '" + path.string() +
                          "' -o ip.check_checksum:TRUE -T fields -E separator='|' -E occurrence=f";
    for (const std::string& field : fields)
    {
        command += " -e " + field;
    }
    command += " 2>/dev/null";
    const auto close = [](FILE* pipe) { pclose(pipe); };
    const std::unique_ptr<FILE, decltype(close)> pipe(popen(command.c_str(), "r"), close);
    std::string output;
    std::array<char, 4096> buffer{};
    while (pipe && fgets(buffer.data(), buffer.size(), pipe.get()))
    {
        output += buffer.data();
    }
    std::filesystem::remove(path);

    std::vector<Row> rows;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);)
    {
        std::istringstream columns(line);
        Row row;
        for (const std::string& field : fields)
        {
            std::getline(columns, row[field], '|');
        }
        rows.push_back(row);
    }
    return rows;
}

} // namespace

TEST(RocePacket, DataFrameIsAsLongAsOnTheLinkWithoutFcs)
{
    for (const uint32_t payload : {1U, 3U, 1000U, 1001U, 4096U})
    {
        EXPECT_EQ(CreateRocePacket(MakeData(payload, 0, true, true))->GetSize(), payload + 58);
    }
}

TEST(RocePacket, LongerFramesArePaddedAndControlFramesAreWhole)
{
    RoceFrameInfo data = MakeData(1000, 0, true, true);
    data.bytes = 1100;
    EXPECT_EQ(CreateRocePacket(data)->GetSize(), 1096U);
    EXPECT_EQ(CreateRocePacket(MakeControl(FrameKind::Ack, 1))->GetSize(), 62U);
    EXPECT_EQ(CreateRocePacket(MakeControl(FrameKind::Nak, 1))->GetSize(), 62U);
    EXPECT_EQ(CreateRocePacket(MakeControl(FrameKind::Cnp, 1))->GetSize(), 74U);
    EXPECT_EQ(CreateRocePacket(MakeControl(FrameKind::Pause, 0))->GetSize(), 60U);
}

TEST(RocePacket, AddressesFollowFromTheNumberOfTheNic)
{
    EXPECT_EQ(GetNicMacAddress(0x01020304), Mac48Address("02:00:01:02:03:04"));
    EXPECT_EQ(GetNicIpv4Address(0), Ipv4Address("10.0.0.1"));
    EXPECT_EQ(GetNicIpv4Address(260), Ipv4Address("10.0.1.5"));
}

TEST(RocePacket, InvariantCrcEqualsThatOfAnotherImplementation)
{
    // Computed by Scapy 2.5 for the same frames.
    const auto crc = [](const RoceFrameInfo& info) {
        const std::vector<uint8_t> bytes = GetBytes(info);
        return std::vector<uint8_t>(bytes.end() - 4, bytes.end());
    };
    EXPECT_EQ(crc(MakeData(16, 5, true, true)), (std::vector<uint8_t>{0xd3, 0x00, 0x44, 0xe4}));
    RoceFrameInfo nak = MakeControl(FrameKind::Nak, 6);
    nak.entropy = 77;
    EXPECT_EQ(crc(nak), (std::vector<uint8_t>{0x51, 0x1e, 0x2f, 0xb8}));
}

TEST(RocePacket, InvariantCrcIgnoresWhatSwitchesChange)
{
    RoceFrameInfo marked = MakeData(64, 5, true, true);
    const std::vector<uint8_t> before = GetBytes(marked);
    marked.marked = true;
    marked.dscp = 3;
    const std::vector<uint8_t> after = GetBytes(marked);
    EXPECT_NE(before, after);
    EXPECT_TRUE(std::equal(before.end() - 4, before.end(), after.end() - 4));
    marked.psn = 6;
    const std::vector<uint8_t> other = GetBytes(marked);
    EXPECT_FALSE(std::equal(before.end() - 4, before.end(), other.end() - 4));
}

TEST(RocePacket, TsharkDissectsDataFramesAsRoce)
{
    if (!IsTsharkInstalled())
    {
        GTEST_SKIP() << "tshark is not installed: what it makes of a capture stays untested";
    }
    std::vector<RoceFrameInfo> frames{MakeData(4096, 0xffffff, true, false),
                                      MakeData(4096, 0x1000000, false, false),
                                      MakeData(1001, 0x1000001, false, true),
                                      MakeData(16, 7, true, true)};
    frames[1].marked = true;
    const std::vector<Row> rows = Dissect(frames,
                                          {"frame.protocols",
                                           "frame.len",
                                           "_ws.malformed",
                                           "eth.src",
                                           "ip.src",
                                           "ip.dst",
                                           "ip.checksum.status",
                                           "ip.dsfield.dscp",
                                           "ip.dsfield.ecn",
                                           "udp.srcport",
                                           "udp.dstport",
                                           "infiniband.bth.opcode",
                                           "infiniband.bth.destqp",
                                           "infiniband.bth.psn"});
    ASSERT_EQ(rows.size(), 4U);
    const std::vector<std::string> opcodes{"0", "1", "2", "4"};
    const std::vector<std::string> psns{"16777215", "0", "1", "7"};
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        Row row = rows[i];
        SCOPED_TRACE("frame " + std::to_string(i));
        EXPECT_EQ(row["frame.protocols"].rfind("eth:ethertype:ip:udp:infiniband", 0), 0U)
            << row["frame.protocols"];
        EXPECT_EQ(row["frame.len"], std::to_string(frames[i].bytes - 4));
        EXPECT_EQ(row["_ws.malformed"], "");
        EXPECT_EQ(row["eth.src"], "02:00:00:00:00:03");
        EXPECT_EQ(row["ip.src"], "10.0.0.4");
        EXPECT_EQ(row["ip.dst"], "10.0.1.5");
        EXPECT_EQ(row["ip.checksum.status"], "1") << "not the good one";
        EXPECT_EQ(row["ip.dsfield.dscp"], "26");
        EXPECT_EQ(row["ip.dsfield.ecn"], i == 1 ? "3" : "2");
        EXPECT_EQ(row["udp.srcport"], "49229");
        EXPECT_EQ(row["udp.dstport"], "4791");
        EXPECT_EQ(row["infiniband.bth.opcode"], opcodes[i]);
        EXPECT_EQ(row["infiniband.bth.destqp"], "0x123456");
        EXPECT_EQ(row["infiniband.bth.psn"], psns[i]);
    }
}

TEST(RocePacket, TsharkDissectsControlFrames)
{
    if (!IsTsharkInstalled())
    {
        GTEST_SKIP() << "tshark is not installed: what it makes of a capture stays untested";
    }
    RoceFrameInfo pause = MakeControl(FrameKind::Pause, 0);
    pause.pausedClass = 3;
    pause.quanta = 0xffff;
    std::vector<Row> rows = Dissect({MakeControl(FrameKind::Ack, 41),
                                     MakeControl(FrameKind::Nak, 42),
                                     MakeControl(FrameKind::Cnp, 0),
                                     pause},
                                    {"frame.protocols",
                                     "_ws.malformed",
                                     "infiniband.bth.opcode",
                                     "infiniband.bth.psn",
                                     "infiniband.aeth.syndrome",
                                     "eth.dst",
                                     "macc.opcode",
                                     "macc.cbfc.enbv"});
    ASSERT_EQ(rows.size(), 4U);
    for (Row& row : rows)
    {
        EXPECT_EQ(row["_ws.malformed"], "") << row["frame.protocols"];
    }
    EXPECT_EQ(rows[0]["infiniband.bth.opcode"], "17");
    EXPECT_EQ(rows[0]["infiniband.bth.psn"], "41");
    EXPECT_EQ(rows[0]["infiniband.aeth.syndrome"], "31");
    EXPECT_EQ(rows[1]["infiniband.bth.opcode"], "17");
    EXPECT_EQ(rows[1]["infiniband.bth.psn"], "42");
    EXPECT_EQ(rows[1]["infiniband.aeth.syndrome"], "96");
    EXPECT_EQ(rows[2]["infiniband.bth.opcode"], "129");
    EXPECT_EQ(rows[3]["eth.dst"], "01:80:c2:00:00:01");
    EXPECT_EQ(rows[3]["macc.opcode"], "0x0101");
    EXPECT_EQ(rows[3]["macc.cbfc.enbv"], "0x0008");
}
