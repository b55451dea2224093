// SPDX-License-Identifier: GPL-2.0-only
#include "writers.h"

#include "ns3/writer-identity.h"

#include <array>
#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace ns3::rails
{

TEST(WriterIdentityTest, TextIsReadBackAndNothingElse)
{
    const WriterIdentity own = WriterIdentity::OfThisProcess();
    const std::string text = own.ToText();
    ASSERT_TRUE(WriterIdentity::Parse(text));
    EXPECT_TRUE(*WriterIdentity::Parse(text) == own);
    EXPECT_EQ(own.process, getpid());
    EXPECT_GT(own.start, 0U);
    const std::string place = "0123456789ab-0123456789ab-0123456789ab-";
    EXPECT_TRUE(WriterIdentity::Parse(place + "7-0"));
    for (const std::string& other : {std::string(),
                                     text + "0x",
                                     text + "-",
                                     text + "-1",
                                     " " + text,
                                     text.substr(1),
                                     place + "7",
                                     place + "07-1",
                                     place + "0-1",
                                     place + "-7-1",
                                     place + "4294967303-1",
                                     place + "7-99999999999999999999",
                                     std::string("0123456789AB") + place.substr(12) + "7-1"})
    {
        EXPECT_FALSE(WriterIdentity::Parse(other)) << other;
    }
}

TEST(WriterIdentityTest, NameOfTheMachineIsNotInIt)
{
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    ASSERT_NE(host[0], '\0');
    EXPECT_EQ(WriterIdentity::OfThisProcess().ToText().find(host.data()), std::string::npos);
}

TEST(WriterIdentityTest, ProcessIsTheSameOneOnlyWhenAllIsTheSame)
{
    const WriterIdentity own = WriterIdentity::OfThisProcess();
    EXPECT_EQ(own.GetState(), WriterState::Living);
    EXPECT_EQ(own.Describe(), "process " + std::to_string(getpid()) + " on this machine");
    WriterIdentity other = own;
    ++other.start; // its number was given again
    EXPECT_EQ(other.GetState(), WriterState::Dead);
    EXPECT_EQ(MakeDeadWriter().GetState(), WriterState::Dead);
    const pid_t child = fork();
    if (child == 0)
    {
        _exit(0);
    }
    siginfo_t info{};
    waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
    other = own;
    other.process = child;
    EXPECT_EQ(kill(child, 0), 0) << "it has ended, and is still there";
    std::ifstream stat("/proc/" + std::to_string(child) + "/stat");
    std::string field;
    for (int i = 0; i < 22; ++i) // see proc(5); its name has no blank
    {
        stat >> field;
    }
    other.start = std::stoull(field);
    EXPECT_EQ(other.GetState(), WriterState::Dead);
    waitpid(child, nullptr, 0);
    other = own;
    other.boot = "0123456789ab";
    EXPECT_EQ(other.GetState(), WriterState::Dead);
    other.host = "0123456789ab";
    EXPECT_EQ(other.GetState(), WriterState::Unknown);
    other = own;
    other.processes = "0123456789ab";
    EXPECT_EQ(other.GetState(), WriterState::Unknown);
    EXPECT_EQ(MakeUnknownWriter().GetState(), WriterState::Unknown);
    EXPECT_EQ(other.Describe(), "a process on another machine or in another container");
}

} // namespace ns3::rails
