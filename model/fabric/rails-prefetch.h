// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_PREFETCH_H
#define RAILS_PREFETCH_H

#include <cstddef>

namespace ns3::rails
{

/**
 * Asks the processor to bring an object near, for a use that comes soon but not now. The state of
 * the queue pairs of a large cluster does not fit the cache; which queue pair is next is known in
 * time.
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
