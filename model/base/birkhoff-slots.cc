// SPDX-License-Identifier: GPL-2.0-only
#include "birkhoff-slots.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace ns3::rails
{

namespace
{

constexpr uint32_t kNoServer = std::numeric_limits<uint32_t>::max();

/// Sums of a square.
struct SquareSums
{
    explicit SquareSums(const ByteSquare& square)
        : columns(square.size())
    {
        for (const std::vector<uint64_t>& row : square)
        {
            rows.push_back(std::accumulate(row.begin(), row.end(), uint64_t{0}));
            std::transform(row.begin(), row.end(), columns.begin(), columns.begin(), std::plus<>());
        }
    }

    uint64_t GetLargest() const
    {
        uint64_t largest = 0;
        for (std::size_t i = 0; i < rows.size(); ++i)
        {
            largest = std::max({largest, rows[i], columns[i]});
        }
        return largest;
    }

    std::vector<uint64_t> rows;
    std::vector<uint64_t> columns;
};

/// Finds a destination for every server among the entries of some size.
class SlotFinder
{
  public:
    SlotFinder(const ByteSquare& square, uint64_t least)
        : m_square(square),
          m_least(least),
          m_sources(square.size(), kNoServer)
    {
    }

    /// \return by server, its destination; empty without a perfect matching
    std::vector<uint32_t> Find()
    {
        for (uint32_t from = 0; from < m_square.size(); ++from)
        {
            m_isTried.assign(m_square.size(), false);
            if (!Place(from))
            {
                return {};
            }
        }
        std::vector<uint32_t> destinations(m_square.size());
        for (uint32_t to = 0; to < m_square.size(); ++to)
        {
            destinations[m_sources[to]] = to;
        }
        return destinations;
    }

  private:
    /// Finds a destination for a server by an augmenting path: other servers may change theirs.
    bool Place(uint32_t from)
    {
        for (uint32_t to = 0; to < m_square.size(); ++to)
        {
            if (m_square[from][to] < m_least || m_isTried[to])
            {
                continue;
            }
            m_isTried[to] = true;
            if (m_sources[to] == kNoServer || Place(m_sources[to]))
            {
                m_sources[to] = from;
                return true;
            }
        }
        return false;
    }

    const ByteSquare& m_square;
    uint64_t m_least;
    std::vector<uint32_t> m_sources; //!< by destination
    std::vector<bool> m_isTried;     //!< by destination
};

/// \return the perfect matching with the largest smallest entry; one must exist
BirkhoffSlot
FindWidest(const ByteSquare& square)
{
    std::vector<uint64_t> sizes;
    for (const std::vector<uint64_t>& row : square)
    {
        std::copy_if(row.begin(), row.end(), std::back_inserter(sizes), [](uint64_t bytes) {
            return bytes > 0;
        });
    }
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    // Entries of at least a size have a perfect matching up to some size, and none beyond it.
    const auto end = std::partition_point(sizes.begin(), sizes.end(), [&](uint64_t size) {
        return !SlotFinder(square, size).Find().empty();
    });
    const uint64_t widest = *(end - 1);
    return {SlotFinder(square, widest).Find(), widest};
}

} // namespace

ByteSquare
PadToEqualSums(ByteSquare square)
{
    const std::size_t servers = square.size();
    SquareSums sums(square);
    const uint64_t largest = sums.GetLargest();
    const auto pad = [&](std::size_t from, std::size_t to) {
        const uint64_t bytes = std::min(largest - sums.rows[from], largest - sums.columns[to]);
        square[from][to] += bytes;
        sums.rows[from] += bytes;
        sums.columns[to] += bytes;
    };
    for (std::size_t server = 0; server < servers; ++server)
    {
        pad(server, server);
    }
    for (std::size_t from = 0; from < servers; ++from)
    {
        for (std::size_t to = 0; to < servers; ++to)
        {
            pad(from, to);
        }
    }
    return square;
}

std::vector<BirkhoffSlot>
DecomposeIntoSlots(ByteSquare square)
{
    const SquareSums sums(square);
    uint64_t left = sums.GetLargest();
    const auto isEqual = [&](uint64_t sum) { return sum == left; };
    if (!std::all_of(sums.rows.begin(), sums.rows.end(), isEqual) ||
        !std::all_of(sums.columns.begin(), sums.columns.end(), isEqual))
    {
        throw std::invalid_argument("slots: rows and columns differ in their sums");
    }
    std::vector<BirkhoffSlot> slots;
    while (left > 0)
    {
        slots.push_back(FindWidest(square));
        const BirkhoffSlot& slot = slots.back();
        for (std::size_t from = 0; from < square.size(); ++from)
        {
            square[from][slot.destinations[from]] -= slot.bytes;
        }
        left -= slot.bytes;
    }
    return slots;
}

std::vector<uint64_t>
TakeSlot(const BirkhoffSlot& slot, ByteSquare& left)
{
    std::vector<uint64_t> taken;
    for (std::size_t from = 0; from < left.size(); ++from)
    {
        uint64_t& bytes = left[from][slot.destinations[from]];
        taken.push_back(std::min(slot.bytes, bytes));
        bytes -= taken.back();
    }
    return taken;
}

} // namespace ns3::rails
