// SPDX-License-Identifier: GPL-2.0-only
#include "../collective/collective-fixtures.h"
#include "../support/interiors.h"

#include "ns3/connections-file.h"
#include "ns3/lower-bound.h"
#include "ns3/phase-workload.h"
#include "ns3/rails-units.h"
#include "ns3/string.h"

using namespace ns3;
using namespace ns3::rails;

namespace
{

const ClusterShape kConnectionsWorkloadShape{6, 1};

std::vector<Connection>
Read(const std::string& content)
{
    const TemporaryFile file(content);
    return ReadConnections(file.GetPath(), kConnectionsWorkloadShape);
}

/// "source>destination:bytes@start" of each
std::string
Describe(const std::vector<Connection>& connections)
{
    std::string text;
    for (const Connection& one : connections)
    {
        text += std::to_string(one.source) + ">" + std::to_string(one.destination) + ":" +
                std::to_string(one.bytes) + "@" + std::to_string(one.start) + " ";
    }
    return text;
}

TEST(ConnectionsFile, ReadsCsvWithAndWithoutNamesAndStarts)
{
    EXPECT_EQ(Describe(Read("0,5,1048576\n5,0,1\n")), "0>5:1048576@0 5>0:1@0 ");
    EXPECT_EQ(Describe(Read("source,destination,bytes,start\n0, 5, 10, 2us\n\n1,2,20,0\n3,4,5\n")),
              "0>5:10@2000000 1>2:20@0 3>4:5@0 ");
}

TEST(ConnectionsFile, ReadsConnectionMatricesOfHtsim)
{
    EXPECT_EQ(Describe(Read("Nodes 6\nConnections 2\n0->5 id 1 start 0 size 1048576\n"
                            "3->1 id 2 start 7000 size 20\n")),
              "0>5:1048576@0 3>1:20@7000 ");
}

TEST(ConnectionsFile, NamesTheLineOfWhatItCannotRead)
{
    const struct
    {
        const char* content;
        const char* message;
    } cases[] = {
        {"", "has no connections"},
        {"source,destination,bytes\n", "has no connections"},
        {"0,1,10\n0,1\n", ":2:1: expected source,destination,bytes"},
        {"0,6,10\n", ":1:3: expected at most 5"},
        {"0,1,ten\n", ":1:5: expected a whole number"},
        {"0,1,0\n", ":1:1: expected from 1 to"},
        {"0,1,10\n2,2,10\n", ":2:1: GPU 2 sends to itself"},
        {"0,1,10,5\n", ":1:8: '5' is not a time"},
        {"Nodes 7\n", ":1:1: expected from 1 to the 6 GPUs"},
        {"Nodes 0\n", ":1:1: expected from 1 to the 6 GPUs"},
        {"Nodes 2\nConnections 1\n0->2 size 9\n", ":3:1: expected a GPU from 0 to 1"},
        {"Nodes 6\n", "expected a line 'Connections NUMBER'"},
        {"Nodes 6\nConnections 2\n0->1 id 1 start 0 size 9\n", "2 connections, and has 1"},
        {"Nodes 6\nConnections 1\n0->1 id 1 start 0\n", ":3:1: expected 'SOURCE->DESTINATION"},
        {"Nodes 6\nConnections 1\n0-1 size 9\n", ":3:1: expected 'SOURCE->DESTINATION"},
        {"Nodes 6\nConnections 1\n0->1 size -9\n", ":3:1: expected a whole number of bytes behind"},
        {"Nodes 6\nConnections 1\n0->1 start 0.5 size 9\n",
         ":3:1: expected a whole number of pico"},
        {"Nodes 6\nConnections 1\n0->1 start 0 size 0\n", ":3:1: 'size 0', a connection without"},
        {"Nodes 6\nConnections 1\nTriggers 1\n", ":3:1: triggers are not supported"},
        {"Nodes 6\nConnections 1\n0->1 size 9 send_done_trigger 1\n", ":3:1: triggers are not"},
        {"Nodes 6\nConnections 1\n0->9 size 9\n", ":3:1: expected a GPU from 0 to 5"},
        {"Nodes 6\nConnections 1\n0->1 trigger 1 size 9\n", ":3:1: triggers are not supported"},
        {"Nodes 6\nConnections 1\n0->1 prio 1 size 9\n", ":3:1: 'prio' is not supported"},
    };

    for (const auto& one : cases)
    {
        SCOPED_TRACE(one.content);
        ExpectConfigurationError([&] { Read(one.content); }, "path", one.message);
    }
    ExpectConfigurationError([] { ReadConnections("/no/such/file", kConnectionsWorkloadShape); },
                             "path",
                             "/no/such/file: cannot be read");
}

WorkloadSchedule
MakeSchedule(const std::string& content)
{
    const TemporaryFile file(content);
    Ptr<PhaseWorkload> workload =
        Make<PhaseWorkload>("ConnectionsWorkload", "Path", StringValue(file.GetPath()));
    workload->Check(WorkloadSetting(kConnectionsWorkloadShape));
    return workload->MakeSchedule(WorkloadSetting(kConnectionsWorkloadShape));
}

TEST(ConnectionsWorkload, ConnectionsThatStartTogetherMakeAStep)
{
    const WorkloadSchedule schedule =
        MakeSchedule("0,1,10,5us\n2,3,20,1us\n4,5,30,5us\n0,1,40,5us\n");
    ASSERT_EQ(schedule.phases.size(), 1u);
    const std::vector<TrafficStep>& steps = schedule.phases[0].steps;
    EXPECT_FALSE(schedule.phases[0].isChained);
    ASSERT_EQ(steps.size(), 3u) << "the second connection of a pair is a message of its own";
    EXPECT_EQ(steps[0].start, 1'000'000);
    EXPECT_EQ(steps[0].traffic->GetTotalBytes(), 20u);
    EXPECT_EQ(steps[1].start, 5'000'000);
    EXPECT_EQ(GetBytes(*steps[1].traffic, 0, 1), 10u);
    EXPECT_EQ(GetBytes(*steps[1].traffic, 4, 5), 30u);
    EXPECT_EQ(steps[2].start, 5'000'000);
    EXPECT_EQ(GetBytes(*steps[2].traffic, 0, 1), 40u);
    EXPECT_EQ(GetBytes(*schedule.matrix, 0, 1), 50u);
    EXPECT_EQ(schedule.GetTotalBytes(), 100u);
}

TEST(ConnectionsWorkload, BoundKnowsWhenTheyStart)
{
    // A frame at 1 us and one at 9 us: the second decides, 8 us after the first post.
    const PathLink link{400'000'000'000, 500'000};
    ClusterSpeeds speeds;
    speeds.nicRatesBps = {link.rateBps};
    speeds.interior = test::MakeNvswitch(1, link.rateBps);
    speeds.path = {link, link};
    const TimePs frame = 4178 * 20 + 2 * 500'000 + 83 * 20;
    const LowerBound late(MakeSchedule("0,1,4096,1us\n2,3,4096,9us\n"), speeds);
    EXPECT_EQ(late.GetTime(), 8'000'000 + frame);
    EXPECT_EQ(late.GetSenderTime(), 8'000'000 + frame + 2 * (500'000 + 84 * 20));
    // Ten frames from one GPU, of which one starts 20 ns later: the ten decide.
    const LowerBound early(MakeSchedule("0,1,36864,0\n0,2,4096,20ns\n"), speeds);
    EXPECT_EQ(early.GetTime(), frame + 9 * 4178 * 20);
}

} // namespace
