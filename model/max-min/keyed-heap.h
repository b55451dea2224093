// SPDX-License-Identifier: GPL-2.0-only
#ifndef KEYED_HEAP_H
#define KEYED_HEAP_H

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::rails
{

/**
 * A binary heap of numbers by key, least key first, ties by least number. A number is in the heap
 * at most once, and its key may change. A list of places by number is kept outside; several heaps
 * may share it when each number is in at most one of them.
 */
template <typename Key>
class KeyedHeap
{
  public:
    /// Place of a number outside of all heaps.
    static constexpr uint32_t kOutside = std::numeric_limits<uint32_t>::max();

    using Places = std::vector<uint32_t>;

    bool IsEmpty() const
    {
        return m_items.empty();
    }

    /// \return the number with the least key; the heap must not be empty
    uint32_t GetLeast() const
    {
        return m_items.front().number;
    }

    /// \return the least key; the heap must not be empty
    Key GetLeastKey() const
    {
        return m_items.front().key;
    }

    /// \return the key of a number, which must be in the heap
    Key GetKey(uint32_t number, const Places& places) const
    {
        return m_items[places[number]].key;
    }

    /// Inserts a number, or changes its key. \param places must have an entry for the number
    void Set(uint32_t number, Key key, Places& places)
    {
        if (places[number] == kOutside)
        {
            places[number] = static_cast<uint32_t>(m_items.size());
            m_items.emplace_back();
        }
        Settle(places[number], {key, number}, places);
    }

    /// Removes a number, which must be in the heap.
    void Remove(uint32_t number, Places& places)
    {
        const uint32_t place = places[number];
        places[number] = kOutside;
        const Item last = m_items.back();
        m_items.pop_back();
        if (last.number != number)
        {
            Settle(place, last, places);
        }
    }

    /// Removes all numbers.
    void Clear(Places& places)
    {
        for (const Item& item : m_items)
        {
            places[item.number] = kOutside;
        }
        m_items.clear();
    }

    /// Calls a function with all numbers whose keys pass a test, in no order. The test must be
    /// monotone: a key below a passing key passes, too.
    template <typename Test, typename Function>
    void ForEachBelow(Test isBelow, Function function) const
    {
        std::vector<std::size_t> places{0};
        while (!places.empty())
        {
            const std::size_t place = places.back();
            places.pop_back();
            if (place < m_items.size() && isBelow(m_items[place].key))
            {
                function(m_items[place].number);
                places.push_back(2 * place + 1);
                places.push_back(2 * place + 2);
            }
        }
    }

  private:
    struct Item
    {
        Key key;
        uint32_t number;

        bool operator<(const Item& other) const
        {
            return key < other.key || (key == other.key && number < other.number);
        }
    };

    void Put(std::size_t place, const Item& item, Places& places)
    {
        m_items[place] = item;
        places[item.number] = static_cast<uint32_t>(place);
    }

    /// Moves an item up or down from a free place to its position.
    void Settle(std::size_t place, const Item item, Places& places)
    {
        for (; place > 0 && item < m_items[(place - 1) / 2]; place = (place - 1) / 2)
        {
            Put(place, m_items[(place - 1) / 2], places);
        }
        const std::size_t size = m_items.size();
        for (std::size_t least = 2 * place + 1; least < size; least = 2 * place + 1)
        {
            if (least + 1 < size && m_items[least + 1] < m_items[least])
            {
                ++least;
            }
            if (!(m_items[least] < item))
            {
                break;
            }
            Put(place, m_items[least], places);
            place = least;
        }
        Put(place, item, places);
    }

    std::vector<Item> m_items;
};

} // namespace ns3::rails

#endif // KEYED_HEAP_H
