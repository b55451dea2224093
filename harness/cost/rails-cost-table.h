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
    std::vector<std::string> fabrics;    //!< or descriptors; none: all that can be counted
    std::optional<uint32_t> servers;     //!< without it as many as MixNet's paper simulates
    std::string rate;                    //!< of a NIC, as 400Gbps; empty: all that have prices
    std::optional<uint32_t> opticalNics; //!< of a server; without it as many as the file says
    std::string prices;                  //!< a file of prices; empty: the one that is compiled in
    std::string rule; //!< "wiring" or "mixnet"; empty: that of descriptors, or that of names
};

/**
 * Fabrics that are named are counted by the rules of the file of prices, at each rate; descriptors
 * have a row for each topology, counted from its wiring or by the rule for its type.
 * \return a table: what each fabric is made of, what it costs, in all and for each GPU, and how
 * many times as much the first of them does \throws DescriptorError for what is wrong with the
 * question or a file
 */
std::string FormatCosts(const CostQuestion& question);

/// What `./rails cost` says: the table of FormatCosts(), and the same for programs.
struct CostAnswer
{
    std::string text;
    std::string json; //!< an object: `rule`, `prices`, `fabrics`, `notes`
};

/// \return both forms; it throws what FormatCosts() throws
CostAnswer AnswerCosts(const CostQuestion& question);

} // namespace ns3::rails

#endif // RAILS_COST_TABLE_H
