// SPDX-License-Identifier: GPL-2.0-only
#ifndef COLLECTIVE_RECORD_H
#define COLLECTIVE_RECORD_H

#include <cstdint>
#include <string>

namespace ns3::rails
{

/// Algorithm of a kind of collective, for results.
struct CollectiveRecord
{
    uint16_t kind; //!< number of the traffic kind in the program
    std::string algorithm;
    uint32_t rings;
    uint64_t bytes{0}; //!< of the smallest buffer; 0: not known
    /// The GPUs of a group have fewer local NICs on one server than on another, and all its bytes
    /// pass both servers.
    bool isUneven{false};
};

} // namespace ns3::rails

#endif // COLLECTIVE_RECORD_H
