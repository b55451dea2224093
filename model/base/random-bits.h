// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANDOM_BITS_H
#define RANDOM_BITS_H

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::rails
{

/**
 * An ns-3 random stream as a uniform random bit generator, so that Boost.Random draws from it. Only
 * the stream's uniform numbers in (0, 1) are used (MRG32k3a, the same in every ns-3 version): how
 * ns-3 turns them into other distributions has changed from version to version.
 */
class RandomBits
{
  public:
    using result_type = uint32_t;

    /// \param stream the ns-3 stream to draw from
    explicit RandomBits(Ptr<UniformRandomVariable> stream)
        : m_stream(stream)
    {
    }

    static constexpr result_type min()
    {
        return 0;
    }

    static constexpr result_type max()
    {
        return std::numeric_limits<result_type>::max();
    }

    result_type operator()()
    {
        return static_cast<result_type>(m_stream->GetValue(0.0, 1.0) * 4294967296.0);
    }

    /// \return a uniform number in [0, 1)
    double GetUniform()
    {
        return m_stream->GetValue(0.0, 1.0);
    }

  private:
    Ptr<UniformRandomVariable> m_stream;
};

/// \return the numbers 0 to count - 1 in random order
std::vector<uint32_t> RandomPermutation(uint32_t count, RandomBits& bits);

} // namespace ns3::rails

#endif // RANDOM_BITS_H
