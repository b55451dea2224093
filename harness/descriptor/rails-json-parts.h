// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_JSON_PARTS_H
#define RAILS_JSON_PARTS_H

#include "ns3/rails-quantity.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace ns3::rails
{

/*
 * Parts of a JSON schema.
 */

/// \return a schema that one of some others must agree with; it alone when there is one
nlohmann::ordered_json MakeAnyOf(std::vector<nlohmann::ordered_json> choices);

/// A schema that a value has to meet only if it meets another.
nlohmann::ordered_json MakeCondition(nlohmann::ordered_json condition,
                                     nlohmann::ordered_json consequence);

/**
 * A schema of values of which some have one form and all others another. What is wrong with a value
 * is told by its own form, while of alternatives (anyOf) one learns only that none of them fits.
 */
nlohmann::ordered_json MakeChoice(nlohmann::ordered_json condition,
                                  nlohmann::ordered_json form,
                                  nlohmann::ordered_json otherForm);

/// \return a schema of lists
nlohmann::ordered_json MakeListSchema(nlohmann::ordered_json items);

/// \return a schema of texts; YAML may have taken one for something else
nlohmann::ordered_json MakeTextSchema();

nlohmann::ordered_json MakeWordSchema(const std::vector<std::string>& words);

nlohmann::ordered_json MakeCountSchema(uint64_t least, uint64_t most);

/**
 * \param dimension one with units
 * \param withZero whether zero is allowed
 * \param words those that are allowed, too
 */
nlohmann::ordered_json MakeQuantitySchema(Dimension dimension,
                                          bool withZero,
                                          const std::vector<std::string>& words);

} // namespace ns3::rails

#endif // RAILS_JSON_PARTS_H
