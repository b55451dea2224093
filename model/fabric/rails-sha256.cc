// SPDX-License-Identifier: GPL-2.0-only
#include "rails-sha256.h"

#include <array>
#include <openssl/evp.h>
#include <stdexcept>

namespace ns3::rails
{

namespace
{

constexpr std::size_t kBufferBytes = 1 << 16;

void
Require(bool done)
{
    if (!done)
    {
        throw std::runtime_error("the SHA-256 of OpenSSL is not available");
    }
}

} // namespace

/// Keeps OpenSSL out of the header.
struct Sha256::Context
{
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> digest{EVP_MD_CTX_new(),
                                                                   EVP_MD_CTX_free};
};

Sha256::Sha256()
    : m_context(std::make_unique<Context>())
{
    EVP_MD_CTX* digest = m_context->digest.get();
    Require(digest && EVP_DigestInit_ex(digest, EVP_sha256(), nullptr) == 1);
}

Sha256::~Sha256() = default;

void
Sha256::Add(uint64_t number)
{
    for (unsigned shift = 0; shift < 64; shift += 8)
    {
        m_buffer.push_back(static_cast<unsigned char>(number >> shift));
    }
    if (m_buffer.size() >= kBufferBytes)
    {
        Flush();
    }
}

void
Sha256::Add(std::string_view text)
{
    Flush();
    Require(EVP_DigestUpdate(m_context->digest.get(), text.data(), text.size()) == 1);
}

std::string
Sha256::Finish()
{
    Flush();
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    unsigned length = 0;
    Require(EVP_DigestFinal_ex(m_context->digest.get(), digest.data(), &length) == 1);
    const std::string digits = "0123456789abcdef";
    std::string text;
    for (unsigned i = 0; i < length; ++i)
    {
        text += digits[digest[i] >> 4];
        text += digits[digest[i] & 0xf];
    }
    return text;
}

void
Sha256::Flush()
{
    Require(EVP_DigestUpdate(m_context->digest.get(), m_buffer.data(), m_buffer.size()) == 1);
    m_buffer.clear();
}

std::string
ComputeSha256(const std::string& text)
{
    Sha256 hash;
    hash.Add(text);
    return hash.Finish();
}

} // namespace ns3::rails
