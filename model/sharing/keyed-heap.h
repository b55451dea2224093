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
 * Numbers by a key, that with the least key first, of equal ones the least number. A number is in
 * it once, and its key may change. Where a number stands is kept outside, in a list by number that
 * several heaps may share of which each number is in one at most.
 */
template <typename Key>
class KeyedHeap
{
  public:
    /// In the list of places: the number is in no heap.
    static constexpr uint32_t kOutside = std::numeric_limits<uint32_t>::max();

    using Places = std::vector<uint32_t>;

    bool IsEmpty() const
    {
        return m_items.empty();
    }

    /// \return the number with the least key; there must be one
    uint32_t GetLeast() const
    {
        return m_items.front().number;
    }

    /// \return the least key; there must be one
    Key GetLeastKey() const
    {
        return m_items.front().key;
    }

    /// \return the key of a number that is there
    Key GetKey(uint32_t number, const Places& places) const
    {
        return m_items[places[number]].key;
    }

    /// Puts a number in, or changes its key. \param places long enough for it
    void Set(uint32_t number, Key key, Places& places)
    {
        if (places[number] == kOutside)
        {
            places[number] = static_cast<uint32_t>(m_items.size());
            m_items.emplace_back();
        }
        Settle(places[number], {key, number}, places);
    }

    /// Takes a number out that is there.
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

    /// Takes all out.
    void Clear(Places& places)
    {
        for (const Item& item : m_items)
        {
            places[item.number] = kOutside;
        }
        m_items.clear();
    }

    /// Calls a function with all numbers of whose keys another says yes, in no order; it has to say
    /// yes of all keys below one of which it does.
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

    /// Puts an item where it belongs, from a place on that is free.
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
