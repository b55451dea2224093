// SPDX-License-Identifier: GPL-2.0-only
#include "rails-fingerprint.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <openssl/evp.h>
#include <stdexcept>
#include <tuple>

namespace ns3::rails
{

namespace
{

/// SHA-256 of a stream of numbers.
class Hasher
{
  public:
    Hasher()
        : m_context(EVP_MD_CTX_new(), EVP_MD_CTX_free)
    {
        Require(m_context && EVP_DigestInit_ex(m_context.get(), EVP_sha256(), nullptr) == 1);
        m_buffer.reserve(kBufferBytes);
    }

    void Add(uint64_t number)
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

    std::string Finish()
    {
        Flush();
        std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
        unsigned length = 0;
        Require(EVP_DigestFinal_ex(m_context.get(), digest.data(), &length) == 1);
        const std::string digits = "0123456789abcdef";
        std::string text;
        for (unsigned i = 0; i < length; ++i)
        {
            text += digits[digest[i] >> 4];
            text += digits[digest[i] & 0xf];
        }
        return text;
    }

  private:
    static constexpr std::size_t kBufferBytes = 1 << 16;

    static void Require(bool done)
    {
        if (!done)
        {
            throw std::runtime_error("the SHA-256 of OpenSSL is not available");
        }
    }

    void Flush()
    {
        Require(EVP_DigestUpdate(m_context.get(), m_buffer.data(), m_buffer.size()) == 1);
        m_buffer.clear();
    }

    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> m_context;
    std::vector<unsigned char> m_buffer;
};

/// \return pointers to the records in order of a key
template <typename Record, typename Key>
std::vector<const Record*>
Sort(const std::vector<Record>& records, Key&& key)
{
    std::vector<const Record*> sorted;
    sorted.reserve(records.size());
    for (const Record& record : records)
    {
        sorted.push_back(&record);
    }
    std::sort(sorted.begin(), sorted.end(), [&](const Record* left, const Record* right) {
        return key(*left) < key(*right);
    });
    return sorted;
}

} // namespace

std::string
ComputeFingerprint(const std::vector<MessageRecord>& messages, const std::vector<PortRecord>& ports)
{
    Hasher hasher;
    hasher.Add(messages.size());
    const auto byId = [](const MessageRecord& message) { return message.id; };
    for (const MessageRecord* message : Sort(messages, byId))
    {
        hasher.Add(static_cast<uint64_t>(message->start));
        hasher.Add(static_cast<uint64_t>(message->end));
    }
    hasher.Add(ports.size());
    const auto byAddress = [](const PortRecord& port) { return std::tuple(port.node, port.port); };
    for (const PortRecord* port : Sort(ports, byAddress))
    {
        hasher.Add(port->bytes);
        hasher.Add(port->marks);
        hasher.Add(port->pauses);
        hasher.Add(static_cast<uint64_t>(port->pausedPs));
        hasher.Add(port->drops);
    }
    return hasher.Finish();
}

} // namespace ns3::rails
