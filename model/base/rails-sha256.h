// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_SHA256_H
#define RAILS_SHA256_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::rails
{

/// Incremental SHA-256, by libgcrypt.
class Sha256
{
  public:
    /// \throws std::runtime_error when libgcrypt cannot be used
    Sha256();
    ~Sha256();
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;

    /// Adds a number as 8 bytes, the lowest first.
    void Add(uint64_t number);

    /// Adds the bytes of a text.
    void Add(std::string_view text);

    /// \return the digest in hexadecimal digits; nothing can be added afterwards
    std::string Finish();

  private:
    struct Context;

    void Flush();

    std::unique_ptr<Context> m_context;
    std::vector<unsigned char> m_buffer;
};

/// \return the SHA-256 of a text in hexadecimal digits
std::string ComputeSha256(const std::string& text);

} // namespace ns3::rails

#endif // RAILS_SHA256_H
