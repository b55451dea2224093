// SPDX-License-Identifier: GPL-2.0-only
#ifndef PSN_BITMAP_H
#define PSN_BITMAP_H

#include <boost/dynamic_bitset.hpp>
#include <cstdint>

namespace ns3::rails
{

/**
 * A set of packet sequence numbers within a sliding window, one bit per number of the window.
 */
class PsnBitmap
{
  public:
    /// \param window all members and all arguments of calls differ by less than this
    explicit PsnBitmap(uint32_t window);

    bool Contains(uint64_t psn) const;

    /// \return true when the number was not in the set
    bool Insert(uint64_t psn);

    /// \return true when the number was in the set
    bool Erase(uint64_t psn);

    /// \return number of members
    uint32_t GetSize() const
    {
        return m_size;
    }

  private:
    boost::dynamic_bitset<> m_bits;
    uint32_t m_size{0};
};

} // namespace ns3::rails

#endif // PSN_BITMAP_H
