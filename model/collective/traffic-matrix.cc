// SPDX-License-Identifier: GPL-2.0-only
#include "traffic-matrix.h"

#include <algorithm>
#include <array>
#include <memory>
#include <openssl/evp.h>
#include <stdexcept>

namespace ns3::rails
{

namespace
{

/// SHA-256 over a sequence of 64-bit numbers.
class Digest
{
  public:
    Digest()
        : m_context(EVP_MD_CTX_new(), EVP_MD_CTX_free)
    {
        Require(m_context && EVP_DigestInit_ex(m_context.get(), EVP_sha256(), nullptr) == 1);
    }

    void Add(uint64_t number)
    {
        std::array<unsigned char, 8> bytes;
        for (unsigned char& byte : bytes)
        {
            byte = number & 0xff;
            number >>= 8;
        }
        Require(EVP_DigestUpdate(m_context.get(), bytes.data(), bytes.size()) == 1);
    }

    std::string GetHex()
    {
        std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
        unsigned int length = 0;
        Require(EVP_DigestFinal_ex(m_context.get(), digest.data(), &length) == 1);
        static constexpr char kDigits[] = "0123456789abcdef";
        std::string hex;
        for (unsigned int i = 0; i < length; ++i)
        {
            hex += kDigits[digest[i] >> 4];
            hex += kDigits[digest[i] & 0xf];
        }
        return hex;
    }

  private:
    static void Require(bool done)
    {
        if (!done)
        {
            throw std::runtime_error("OpenSSL cannot compute SHA-256");
        }
    }

    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> m_context;
};

} // namespace

TrafficMatrix::TrafficMatrix(ClusterShape shape)
    : m_shape(shape),
      m_rows(shape.GetGpus())
{
}

const ClusterShape&
TrafficMatrix::GetShape() const
{
    return m_shape;
}

void
TrafficMatrix::Add(uint32_t source, uint32_t destination, uint64_t bytes)
{
    if (source >= m_rows.size() || destination >= m_rows.size())
    {
        throw std::logic_error("traffic matrix: GPU out of range");
    }
    std::vector<Demand>& row = m_rows[source];
    if (!row.empty() && destination <= row.back().destination)
    {
        throw std::logic_error("traffic matrix: destinations out of order");
    }
    if (bytes > 0 && source != destination)
    {
        row.push_back({destination, bytes});
    }
}

const std::vector<Demand>&
TrafficMatrix::GetRow(uint32_t source) const
{
    return m_rows.at(source);
}

TrafficMatrix
TrafficMatrix::Transpose() const
{
    TrafficMatrix transpose(m_shape);
    for (uint32_t source = 0; source < m_rows.size(); ++source)
    {
        for (const Demand& demand : m_rows[source])
        {
            transpose.Add(demand.destination, source, demand.bytes);
        }
    }
    return transpose;
}

uint64_t
TrafficMatrix::GetTotalBytes() const
{
    uint64_t total = 0;
    for (const std::vector<Demand>& row : m_rows)
    {
        for (const Demand& demand : row)
        {
            total += demand.bytes;
        }
    }
    return total;
}

uint64_t
TrafficMatrix::GetBusiestSourceBytes() const
{
    uint64_t busiest = 0;
    for (const std::vector<Demand>& row : m_rows)
    {
        uint64_t sum = 0;
        for (const Demand& demand : row)
        {
            sum += demand.bytes;
        }
        busiest = std::max(busiest, sum);
    }
    return busiest;
}

std::string
TrafficMatrix::GetHash() const
{
    Digest digest;
    digest.Add(m_shape.domains);
    digest.Add(m_shape.gpusPerDomain);
    for (uint32_t source = 0; source < m_rows.size(); ++source)
    {
        for (const Demand& demand : m_rows[source])
        {
            digest.Add(source);
            digest.Add(demand.destination);
            digest.Add(demand.bytes);
        }
    }
    return digest.GetHex();
}

} // namespace ns3::rails
