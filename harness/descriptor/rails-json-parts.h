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

/// \return a schema that accepts a value that any of `choices` accepts
nlohmann::ordered_json MakeAnyOf(std::vector<nlohmann::ordered_json> choices);

/// \return a schema that requires `consequence` of values that match `condition`
nlohmann::ordered_json MakeCondition(nlohmann::ordered_json condition,
                                     nlohmann::ordered_json consequence);

/**
 * \return a schema that requires `form` of values that match `condition`, and `otherForm` of all
 * others. Unlike anyOf, validators then report the error of the form that applies.
 */
nlohmann::ordered_json MakeChoice(nlohmann::ordered_json condition,
                                  nlohmann::ordered_json form,
                                  nlohmann::ordered_json otherForm);

/// \return a schema of lists
nlohmann::ordered_json MakeListSchema(nlohmann::ordered_json items);

/// \return a schema of texts, including scalars that YAML parses as another type
nlohmann::ordered_json MakeTextSchema();

nlohmann::ordered_json MakeWordSchema(const std::vector<std::string>& words);

nlohmann::ordered_json MakeCountSchema(uint64_t least, uint64_t most);

/**
 * \param dimension with units
 * \param withZero whether zero is allowed
 * \param words that are also allowed
 */
nlohmann::ordered_json MakeQuantitySchema(Dimension dimension,
                                          bool withZero,
                                          const std::vector<std::string>& words);

} // namespace ns3::rails

#endif // RAILS_JSON_PARTS_H
