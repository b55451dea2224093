// SPDX-License-Identifier: GPL-2.0-only
#include "rails-sha256.h"

#include <gcrypt.h>
#include <stdexcept>

namespace ns3::rails
{

namespace
{

constexpr std::size_t kBufferBytes = 1 << 16;

/// Initialises libgcrypt, once in a process. \return true on success
bool
InitialiseGcrypt()
{
    if (!gcry_check_version(GCRYPT_VERSION))
    {
        return false; // older than the version compiled against
    }
    // Another library of the process may have initialised libgcrypt.
    if (!gcry_control(GCRYCTL_INITIALIZATION_FINISHED_P))
    {
        gcry_control(GCRYCTL_DISABLE_SECMEM, 0); // there are no secrets here
        gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    }
    return true;
}

gcry_md_hd_t
OpenDigest()
{
    static const bool isReady = InitialiseGcrypt(); // once, also with several threads
    gcry_md_hd_t digest = nullptr;
    if (!isReady || gcry_md_open(&digest, GCRY_MD_SHA256, 0) != 0)
    {
        throw std::runtime_error("the SHA-256 of libgcrypt is not available");
    }
    return digest;
}

} // namespace

/// Keeps libgcrypt out of the header.
struct Sha256::Context
{
    std::unique_ptr<gcry_md_handle, decltype(&gcry_md_close)> digest{OpenDigest(), gcry_md_close};
};

Sha256::Sha256()
    : m_context(std::make_unique<Context>())
{
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
    gcry_md_write(m_context->digest.get(), text.data(), text.size());
}

std::string
Sha256::Finish()
{
    Flush();
    const unsigned char* digest = gcry_md_read(m_context->digest.get(), GCRY_MD_SHA256);
    const unsigned length = gcry_md_get_algo_dlen(GCRY_MD_SHA256);
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
    gcry_md_write(m_context->digest.get(), m_buffer.data(), m_buffer.size());
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
