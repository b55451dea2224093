// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rails-sha256.h"

#include <algorithm>
#include <future>
#include <gtest/gtest.h>
#include <link.h>
#include <string>
#include <vector>

namespace ns3::rails
{

// The examples of FIPS 180-4 as NIST publishes them, and the empty message.
constexpr const char* kOfNothing =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr const char* kOfAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr const char* kOfMillionA =
    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

TEST(Sha256, AgreesWithTheExamplesOfTheStandard)
{
    EXPECT_EQ(ComputeSha256(""), kOfNothing);
    EXPECT_EQ(ComputeSha256("abc"), kOfAbc);
    EXPECT_EQ(ComputeSha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(ComputeSha256(std::string(1'000'000, 'a')), kOfMillionA);
}

TEST(Sha256, PiecesAndNumbersAreTheBytesThatTheyStandFor)
{
    Sha256 pieces;
    for (std::size_t left = 1'000'000, size = 1; left > 0; size = 2 * size + 1)
    {
        const std::size_t next = std::min(size, left);
        pieces.Add(std::string(next, 'a'));
        left -= next;
    }
    EXPECT_EQ(pieces.Finish(), kOfMillionA);

    Sha256 numbers; // more than are kept back at once
    for (unsigned i = 0; i < 125'000; ++i)
    {
        numbers.Add(uint64_t{0x6161616161616161});
    }
    EXPECT_EQ(numbers.Finish(), kOfMillionA);

    Sha256 mixed;
    mixed.Add(uint64_t{0x6463626162636261});
    mixed.Add("efg");
    EXPECT_EQ(mixed.Finish(), ComputeSha256("abcbabcdefg"));
}

TEST(Sha256, ThreadsMayUseItAtOnce)
{
    std::vector<std::future<std::string>> digests;
    for (unsigned i = 0; i < 8; ++i)
    {
        digests.push_back(std::async(std::launch::async, [] { return ComputeSha256("abc"); }));
    }
    for (std::future<std::string>& digest : digests)
    {
        EXPECT_EQ(digest.get(), kOfAbc);
    }
}

TEST(Sha256, NoLibraryOfALicenceThatDoesNotGoWithOursIsUsed)
{
    // OpenSSL 3 has the Apache licence.
    const auto visit = [](dl_phdr_info* info, std::size_t, void* found) {
        const std::string name = info->dlpi_name;
        if (name.find("libcrypto.") != std::string::npos ||
            name.find("libssl.") != std::string::npos)
        {
            *static_cast<std::string*>(found) += name + " ";
        }
        return 0;
    };
    std::string found;
    dl_iterate_phdr(visit, &found);
    EXPECT_EQ(found, "");
}

} // namespace ns3::rails
