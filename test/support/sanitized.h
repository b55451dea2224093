// SPDX-License-Identifier: GPL-2.0-only
#ifndef SANITIZED_H
#define SANITIZED_H

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

#endif // SANITIZED_H
