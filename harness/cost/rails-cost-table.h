// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_COST_TABLE_H
#define RAILS_COST_TABLE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

/// The options of `./rails cost`.
struct CostOptions
{
    /// Names of fabrics, or descriptor files; empty: all fabrics with rules.
    std::vector<std::string> fabrics;
    std::optional<uint32_t> servers;     //!< default: as many as MixNet's paper simulates
    std::string rate;                    //!< of a NIC, such as 400Gbps; empty: all with prices
    std::optional<uint32_t> opticalNics; //!< of a server; default: the file of prices
    std::string prices;                  //!< a file of prices; empty: the compiled-in file
    /// "wiring" or "mixnet"; empty: wiring for descriptors, mixnet for names of fabrics.
    std::string rule;
};

/**
 * Fabrics given by name are counted by the rules of the file of prices, at each rate. A descriptor
 * has a row for each topology, counted from its wiring or by the rule for its type.
 * \return a table: devices of each fabric, cost in total and per GPU (US dollars), and the cost
 * relative to the first fabric
 * \throws DescriptorError for an error in the question or a file
 */
std::string FormatCosts(const CostOptions& question);

/// The answer of `./rails cost` in two forms.
struct CostReport
{
    std::string text; //!< the table of FormatCosts()
    std::string json; //!< an object: `rule`, `prices`, `fabrics`, `notes`
};

/// \throws DescriptorError like FormatCosts()
CostReport AnswerCosts(const CostOptions& question);

} // namespace ns3::rails

#endif // RAILS_COST_TABLE_H
