// SPDX-License-Identifier: GPL-2.0-only
#include "../collective/collective-fixtures.h"

#include "ns3/phase-workload.h"
#include "ns3/rails-units.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::rails;

namespace
{

Ptr<PhaseWorkload>
MakeIncast(uint32_t senders, uint32_t receiver)
{
    return Make<PhaseWorkload>("IncastWorkload",
                               "Senders",
                               UintegerValue(senders),
                               "Receiver",
                               UintegerValue(receiver),
                               "Bytes",
                               ByteSizeValue(ByteSize(700)));
}

TEST(IncastWorkload, TheNextGpusOfOtherServersSend)
{
    // Servers {0, 1}, {2, 3}, {4, 5}: behind GPU 3's server come 4, 5, and round to 0.
    const WorkloadSchedule schedule = MakeIncast(3, 3)->MakeSchedule(WorkloadSetting({3, 2}));
    const TrafficMatrix& traffic = *schedule.phases.at(0).traffic;
    EXPECT_EQ(traffic.GetTotalBytes(), 3u * 700);
    for (uint32_t sender : {0, 4, 5})
    {
        EXPECT_EQ(GetBytes(traffic, sender, 3), 700u) << sender;
    }
}

TEST(IncastWorkload, RefusesWhatCannotBe)
{
    EXPECT_NO_THROW(MakeIncast(4, 5)->Check(WorkloadSetting({3, 2})));
    ExpectConfigurationError(
        [] {
            MakeIncast(5, 5)->Check(WorkloadSetting({3, 2}));
        },
        "senders",
        "at most 4");
    ExpectConfigurationError(
        [] {
            MakeIncast(1, 6)->Check(WorkloadSetting({3, 2}));
        },
        "receiver",
        "no GPU 6");
}

} // namespace
