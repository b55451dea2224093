// SPDX-License-Identifier: GPL-2.0-only
#ifndef COLLECTIVE_RECORD_H
#define COLLECTIVE_RECORD_H

#include <cstdint>
#include <string>

namespace ns3::rails
{

/// How a kind of traffic is done, for results.
struct CollectiveRecord
{
    uint16_t kind; //!< number among those of the program
    std::string algorithm;
    uint32_t rings;
    uint64_t bytes{0}; //!< of the smallest buffer; 0: not known
    /// A group has fewer NICs near its GPUs on one of its servers than on another, by whose NICs
    /// everything goes.
    bool isUneven{false};
};

} // namespace ns3::rails

#endif // COLLECTIVE_RECORD_H
