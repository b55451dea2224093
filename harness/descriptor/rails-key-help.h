// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_KEY_HELP_H
#define RAILS_KEY_HELP_H

#include "rails-schema.h"

#include "ns3/type-id.h"

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ns3::rails
{

/// What a help string says.
struct KeyHelp
{
    std::string meaning;
    std::string source; //!< where it comes from, possibly empty

    /// Cuts "Meaning. (Source)" in two.
    static KeyHelp Split(const std::string& help);

    /// \return the first sentence of the meaning
    std::string GetFirstSentence() const;
};

/**
 * \param text words
 * \param indent spaces before each line
 * \param width most letters of a line, the spaces included
 * \return the text in lines, a newline behind each
 */
std::string Wrap(const std::string& text, std::size_t indent, std::size_t width = 96);

/// \return what a key allows, without units, which the value beside it shows: "count: 1 to 64"
std::string DescribeBriefly(const ComponentKey& key);

/// \return what a key allows, with units and range: "time (ps, ns, us, ms, s), at least 1ns"
std::string DescribeAllowed(const ComponentKey& key);

/// \return the keys of a component that nothing was said about, with their values and units;
/// without those that must be given
nlohmann::ordered_json GetDefaults(TypeId id, TypeId base);

/// \return the default of a key for people, "(required)" without one
std::string FormatDefault(const nlohmann::ordered_json& defaults, const ComponentKey& key);

} // namespace ns3::rails

#endif // RAILS_KEY_HELP_H
