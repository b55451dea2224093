// SPDX-License-Identifier: GPL-2.0-only
#include "run-experiment-fixtures.h"

#include "ns3/automatic-switch.h"
#include "ns3/rails-record-options.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>

namespace ns3::rails
{

namespace
{

constexpr uint64_t kMillion = 1'000'000;

Ptr<RecordOptions>
MakeOptions(const std::string& attribute, AutomaticSwitch value)
{
    const Ptr<RecordOptions> options = CreateObject<RecordOptions>();
    options->SetAttribute(attribute, AutomaticSwitchValue(value));
    return options;
}

} // namespace

TEST(RecordOptions, QueuesAreThoseOfTheEngineUnlessSomebodyInsists)
{
    const Ptr<RecordOptions> automatic = CreateObject<RecordOptions>();
    EXPECT_TRUE(automatic->WantsQueues(true));
    EXPECT_FALSE(automatic->WantsQueues(false));
    EXPECT_TRUE(MakeOptions("Queues", AutomaticSwitch(true))->WantsQueues(false));
    EXPECT_FALSE(MakeOptions("Queues", AutomaticSwitch(false))->WantsQueues(true));
}

TEST(RecordOptions, MessagesAreWrittenUpToAMillionUnlessTheyAreAskedFor)
{
    const Ptr<RecordOptions> automatic = CreateObject<RecordOptions>();
    EXPECT_TRUE(automatic->WantsMessages(kMillion));
    EXPECT_EQ(automatic->ExplainMissingMessages(kMillion), "");
    EXPECT_FALSE(automatic->WantsMessages(kMillion + 1));
    EXPECT_EQ(automatic->ExplainMissingMessages(2'400'000),
              "messages.csv is not written: 2,400,000 messages; set record.messages to true");
    const Ptr<RecordOptions> all = MakeOptions("Messages", AutomaticSwitch(true));
    EXPECT_TRUE(all->WantsMessages(kMillion + 1));
    EXPECT_EQ(all->ExplainMissingMessages(kMillion + 1), "");
    const Ptr<RecordOptions> none = MakeOptions("Messages", AutomaticSwitch(false));
    EXPECT_FALSE(none->WantsMessages(1));
    EXPECT_EQ(none->ExplainMissingMessages(kMillion + 1), "");
}

class RecordOptionsRunTest : public RunTest
{
};

TEST_F(RecordOptionsRunTest, MessagesThatAreNotWrittenAreNotCopiedAndChangeNoFingerprint)
{
    const Result with = Run(kSmallDescriptor);
    const Result without = Run(kSmallDescriptor, {"record.messages=false"});
    EXPECT_TRUE(with.writesMessages);
    EXPECT_FALSE(with.messageRecords.empty());
    EXPECT_FALSE(without.writesMessages);
    EXPECT_TRUE(without.messageRecords.empty());
    EXPECT_EQ(without.messageRecords.capacity(), 0U);
    EXPECT_EQ(with.fingerprint.size(), 64U);
    EXPECT_EQ(without.fingerprint, with.fingerprint);
    EXPECT_EQ(without.slowestFlow, with.slowestFlow);
}

TEST_F(RecordOptionsRunTest, FramesHaveQueuesAndCounters)
{
    const Result automatic = Run(kSmallDescriptor);
    ASSERT_TRUE(automatic.queueBins);
    EXPECT_FALSE(automatic.queueBins->empty());
    ASSERT_TRUE(automatic.frameCounters);
    EXPECT_GT(automatic.frameCounters->frames, 0U);
    EXPECT_TRUE(std::all_of(automatic.portRecords.begin(),
                            automatic.portRecords.end(),
                            [](const PortRecord& port) { return port.frames.has_value(); }));
    EXPECT_FALSE(Run(kSmallDescriptor, {"record.queues=false"}).queueBins);
}

} // namespace ns3::rails
