// SPDX-License-Identifier: GPL-2.0-only
#ifndef SANITIZED_H
#define SANITIZED_H

#include <gtest/gtest.h>

// Defined by AddressSanitizer's library; null without it.
extern "C" void __asan_init() __attribute__((weak));

namespace ns3::rails::test
{

/**
 * \return whether the tested library has AddressSanitizer compiled in: it is several times slower
 * then, and limits of memory mean nothing. A run-time check, as both builds share the objects of
 * the tests.
 */
inline bool
IsSanitized()
{
    return __asan_init != nullptr;
}

} // namespace ns3::rails::test

/// Skips a case of more than 2 s under sanitizers, which make it several times slower.
#define RAILS_LONG_CASE()                                                                          \
    if (ns3::rails::test::IsSanitized())                                                           \
    {                                                                                              \
        GTEST_SKIP() << "it takes long, and runs plain alone";                                     \
    }

#endif // SANITIZED_H
