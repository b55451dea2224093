// SPDX-License-Identifier: GPL-2.0-only
#ifndef EVEN_PARTS_H
#define EVEN_PARTS_H

#include <cstdint>

namespace ns3::rails
{

/**
 * \param bytes length of a buffer
 * \param parts number of even parts; the first bytes % parts of them are one byte longer
 * \param part number of a part
 * \return bytes of the part
 */
inline uint64_t
GetPart(uint64_t bytes, uint32_t parts, uint32_t part)
{
    return bytes / parts + (part < bytes % parts ? 1 : 0);
}

} // namespace ns3::rails

#endif // EVEN_PARTS_H
