// SPDX-License-Identifier: GPL-2.0-only
#ifndef SANITIZED_H
#define SANITIZED_H

#include <gtest/gtest.h>

// Of AddressSanitizer's own library; without it, null.
extern "C" void __asan_init() __attribute__((weak));

namespace ns3::rails::test
{

/**
 * \return whether what is tested has checks of its memory compiled in: it is several times slower
 * then, and limits of memory mean nothing. The tests themselves are the same objects in both
 * builds, so it is found out as they run.
 */
inline bool
IsSanitized()
{
    return __asan_init != nullptr;
}

} // namespace ns3::rails::test

/// Begins a case that takes over 2 s, which sanitizers make several times as long: it is run plain
/// alone.
#define RAILS_LONG_CASE()                                                                          \
    if (ns3::rails::test::IsSanitized())                                                           \
    {                                                                                              \
        GTEST_SKIP() << "it takes long, and runs plain alone";                                     \
    }

#endif // SANITIZED_H
