// SPDX-License-Identifier: GPL-2.0-only
#ifndef STREAM_HEADS_H
#define STREAM_HEADS_H

#include "graph-program.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * An item for each stream of each GPU of a program; GPUs may have different numbers of streams.
 * \tparam T type of the items
 */
template <typename T>
class StreamHeads
{
  public:
    explicit StreamHeads(const GraphProgram& program)
    {
        m_first.push_back(0);
        for (uint32_t gpu = 0; gpu < program.GetShape().GetGpus(); ++gpu)
        {
            m_first.push_back(m_first.back() + program.CountStreams(gpu));
        }
        m_items.resize(m_first.back());
    }

    /// \return number of streams of a GPU
    uint32_t Count(uint32_t gpu) const
    {
        return static_cast<uint32_t>(m_first[gpu + 1] - m_first[gpu]);
    }

    T& Get(uint32_t gpu, uint32_t stream)
    {
        return m_items[m_first[gpu] + stream];
    }

    const T& Get(uint32_t gpu, uint32_t stream) const
    {
        return m_items[m_first[gpu] + stream];
    }

    /// \return the items of all streams, GPU by GPU
    const std::vector<T>& GetAll() const
    {
        return m_items;
    }

  private:
    std::vector<std::size_t> m_first; //!< by GPU, its first item; the last element is the size
    std::vector<T> m_items;
};

} // namespace ns3::rails

#endif // STREAM_HEADS_H
