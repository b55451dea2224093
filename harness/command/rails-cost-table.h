// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_COST_TABLE_H
#define RAILS_COST_TABLE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

/// What `./rails cost` is asked.
struct CostQuestion
{
    std::vector<std::string> fabrics;    //!< none: all that can be counted
    uint32_t servers{128};               //!< as many as the paper of MixNet simulates
    std::string rate;                    //!< of a NIC, as 400Gbps; empty: all that have prices
    std::optional<uint32_t> opticalNics; //!< of a server; without it as many as the file says
    std::string prices;                  //!< a file of prices; empty: the one that is compiled in
};

/**
 * \return a table: what each fabric is made of at each rate, what it costs, in all and for each
 * GPU, and how many times as much the first of them does \throws DescriptorError for what is wrong
 * with the question or the file
 */
std::string FormatCosts(const CostQuestion& question);

} // namespace ns3::rails

#endif // RAILS_COST_TABLE_H
