// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_PREFETCH_H
#define RAILS_PREFETCH_H

#include <cstddef>

namespace ns3::rails
{

/**
 * Prefetches an object into the cache. The state of all queue pairs of a large cluster does not fit
 * the cache, but the next queue pairs are known early enough.
 *
 * \param object the object, possibly nullptr
 * \param bytes size of the object
 */
inline void
Prefetch(const void* object, std::size_t bytes)
{
    constexpr std::size_t kCacheLine = 64;
    for (std::size_t offset = 0; offset < bytes; offset += kCacheLine)
    {
        __builtin_prefetch(static_cast<const char*>(object) + offset);
    }
}

} // namespace ns3::rails

#endif // RAILS_PREFETCH_H
