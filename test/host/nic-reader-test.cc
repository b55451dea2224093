// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nic-reader.h"

#include <gtest/gtest.h>
#include <tuple>
#include <vector>

namespace ns3::rails
{

namespace
{

using Asked = std::tuple<uint64_t, uint32_t, uint64_t>; // message, end and bytes

/// A reader, and what it has asked for.
struct Reading
{
    explicit Reading(uint32_t reads)
        : reader(reads, 100, [this](uint32_t end, MessageState& transfer, uint64_t bytes) {
              asked.emplace_back(transfer.id, end, bytes);
          })
    {
    }

    /// \return what it asks for when a request has been met
    Asked Meet()
    {
        const std::size_t before = asked.size();
        reader.OnRead();
        reader.AskForMore();
        return asked.size() > before ? asked.back() : Asked();
    }

    std::vector<Asked> asked;
    NicReader reader;
};

TEST(NicReader, HasSoManyRequestsUnderWayOfASegmentEach)
{
    Reading reading(2);
    MessageState transfer;
    transfer.id = 7;
    reading.reader.Add(0, 3, transfer, 250);
    reading.reader.AskForMore();
    EXPECT_EQ(reading.asked, (std::vector<Asked>{{7, 3, 100}, {7, 3, 100}}));
    EXPECT_EQ(reading.Meet(), Asked(7, 3, 50));
    EXPECT_EQ(reading.Meet(), Asked());
}

TEST(NicReader, QueuePairsTakeTurnsAndEachIsReadInTheOrderOfItsMessages)
{
    Reading reading(1);
    MessageState transfers[4];
    for (uint64_t id = 0; id < 4; ++id)
    {
        transfers[id].id = id;
        transfers[id].order = id;
    }
    reading.reader.Add(0, 1, transfers[1], 200);
    reading.reader.AskForMore();
    reading.reader.Add(0, 1, transfers[0], 100); // posted earlier, and here later
    reading.reader.Add(1, 2, transfers[2], 200);
    reading.reader.Add(5, 3, transfers[3], 100);
    EXPECT_EQ(reading.Meet(), Asked(2, 2, 100));
    EXPECT_EQ(reading.Meet(), Asked(3, 3, 100));
    EXPECT_EQ(reading.Meet(), Asked(0, 1, 100));
    EXPECT_EQ(reading.Meet(), Asked(2, 2, 100));
    EXPECT_EQ(reading.Meet(), Asked(1, 1, 100));
    EXPECT_EQ(reading.Meet(), Asked());
}

TEST(NicReader, MessagesThatWereMadeInAnotherOrderAreReadAsTheyWerePosted)
{
    Reading reading(1);
    MessageState transfers[2];
    transfers[0].id = 9; // made last
    transfers[1].id = 5;
    transfers[1].order = 1;
    reading.reader.Add(0, 2, transfers[1], 100);
    reading.reader.Add(0, 1, transfers[0], 100);
    reading.reader.AskForMore();
    EXPECT_EQ(reading.asked, (std::vector<Asked>{{9, 1, 100}}));
    EXPECT_EQ(reading.Meet(), Asked(5, 2, 100));
}

TEST(NicReader, WhatIsPostedTogetherTakesTurnsFromTheFirstRequestOn)
{
    Reading reading(4);
    MessageState transfers[2];
    transfers[1].id = 1;
    reading.reader.Add(0, 2, transfers[0], 200);
    reading.reader.Add(1, 3, transfers[1], 200);
    reading.reader.AskForMore();
    EXPECT_EQ(reading.asked,
              (std::vector<Asked>{{0, 2, 100}, {1, 3, 100}, {0, 2, 100}, {1, 3, 100}}));
}

} // namespace

} // namespace ns3::rails
