// SPDX-License-Identifier: GPL-2.0-only
#ifndef LEVEL_HEAP_H
#define LEVEL_HEAP_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Resources by the rate at which they are full: the least first, of equal ones that of the lowest
 * number. Rates may only rise while they are here.
 */
class LevelHeap
{
  public:
    struct Level
    {
        double rate;
        uint32_t resource;

        bool operator<(const Level& other) const
        {
            return rate < other.rate || (rate == other.rate && resource < other.resource);
        }
    };

    /// Takes everything out.
    void Clear()
    {
        m_levels.clear();
    }

    /// To be followed by Build() once all are there.
    void Append(const Level& level)
    {
        m_levels.push_back(level);
    }

    void Build()
    {
        for (size_t index = m_levels.size() / 2; index > 0; --index)
        {
            Sink(index - 1);
        }
    }

    bool IsEmpty() const
    {
        return m_levels.empty();
    }

    const Level& GetLeast() const
    {
        return m_levels.front();
    }

    void RemoveLeast()
    {
        m_levels.front() = m_levels.back();
        m_levels.pop_back();
        Sink(0);
    }

    /**
     * The resource with the least rate has a higher one.
     * \return whether its rate is still the least
     */
    bool RaiseLeast(double rate)
    {
        const uint32_t resource = m_levels.front().resource;
        m_levels.front().rate = rate;
        Sink(0);
        return m_levels.front().resource == resource;
    }

  private:
    void Sink(size_t index)
    {
        const size_t size = m_levels.size();
        if (index >= size)
        {
            return;
        }
        const Level sinking = m_levels[index];
        for (size_t least = 2 * index + 1; least < size; least = 2 * index + 1)
        {
            if (least + 1 < size && m_levels[least + 1] < m_levels[least])
            {
                ++least;
            }
            if (!(m_levels[least] < sinking))
            {
                break;
            }
            m_levels[index] = m_levels[least];
            index = least;
        }
        m_levels[index] = sinking;
    }

    std::vector<Level> m_levels;
};

} // namespace ns3::rails

#endif // LEVEL_HEAP_H
