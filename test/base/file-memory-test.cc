// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/file-memory.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <thread>

using namespace ns3::rails;

namespace
{

/// Longer than files are taken for unfinished after a change.
void
LetItSettle()
{
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
}

class FileMemoryTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        m_path = testing::TempDir() + "file-memory.txt";
        Write("1");
    }

    void TearDown() override
    {
        std::filesystem::remove(m_path);
    }

    void Write(const std::string& text) const
    {
        std::ofstream(m_path) << text;
    }

    uint64_t Get(uint64_t selected = 0)
    {
        return m_memory.Get(m_path, {selected}, [this, selected] {
            ++m_reads;
            uint64_t number = 0;
            std::ifstream(m_path) >> number;
            return number + selected;
        });
    }

    std::string m_path;
    FileMemory<uint64_t> m_memory;
    int m_reads{0};
};

TEST_F(FileMemoryTest, AFileThatStaysAsItIsIsReadOnce)
{
    LetItSettle();
    EXPECT_EQ(Get(), 1u);
    EXPECT_EQ(Get(), 1u);
    EXPECT_EQ(m_reads, 1);
    EXPECT_EQ(Get(10), 11u) << "of another part of the file nothing is known";
    EXPECT_EQ(m_reads, 2);
}

TEST_F(FileMemoryTest, AFileThatChangedIsReadAgain)
{
    LetItSettle();
    EXPECT_EQ(Get(), 1u);
    Write("2"); // as many bytes
    EXPECT_EQ(Get(), 2u);
    LetItSettle();
    EXPECT_EQ(Get(), 2u);
    const auto written = std::filesystem::last_write_time(m_path);
    Write("3");
    std::filesystem::last_write_time(m_path, written);
    EXPECT_EQ(Get(), 3u) << "also when it pretends to be the old one";
}

TEST_F(FileMemoryTest, AFileThatWasJustWrittenMayChangeWithinTheSameInstant)
{
    Write("4");
    EXPECT_EQ(Get(), 4u);
    EXPECT_EQ(Get(), 4u);
    EXPECT_EQ(m_reads, 2);
}

TEST_F(FileMemoryTest, FailuresAreNotRemembered)
{
    LetItSettle();
    const auto fail = []() -> uint64_t { throw std::runtime_error("unreadable"); };
    EXPECT_THROW(m_memory.Get(m_path, {0}, fail), std::runtime_error);
    EXPECT_EQ(Get(), 1u);
    std::filesystem::remove(m_path);
    EXPECT_THROW(m_memory.Get(m_path, {0}, fail), std::runtime_error)
        << "a file that is gone is read, which says so";
}

} // namespace
