// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_KEY_HELP_H
#define RAILS_KEY_HELP_H

#include "component-registry.h"

#include "ns3/type-id.h"

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ns3::rails
{

/// The parts of a help string.
struct KeyHelp
{
    std::string meaning;
    std::string source; //!< paper or code that defines the key, possibly empty

    /// Splits "Meaning. (Source)".
    static KeyHelp Split(const std::string& help);

    /// \return the first sentence of the meaning
    std::string GetFirstSentence() const;
};

/**
 * \param indent spaces before each line
 * \param width largest number of characters of a line, including the indent
 * \return the wrapped text, a newline after each line
 */
std::string Wrap(const std::string& text, std::size_t indent, std::size_t width = 96);

/// \return the allowed values of a key, without units, which the value beside it shows: "count: 1
/// to 64"
std::string DescribeBriefly(const ComponentKey& key);

/// \return the allowed values of a key, with units and range: "time (ps, ns, us, ms, s), at least
/// 1ns"
std::string DescribeAllowed(const ComponentKey& key);

/// \return the defaults of a component by key, with units; without required keys
nlohmann::ordered_json GetDefaults(TypeId id, TypeId base);

/// \return the default of a key for people, "(required)" without one
std::string FormatDefault(const nlohmann::ordered_json& defaults, const ComponentKey& key);

} // namespace ns3::rails

#endif // RAILS_KEY_HELP_H
