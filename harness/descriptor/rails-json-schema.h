// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_JSON_SCHEMA_H
#define RAILS_JSON_SCHEMA_H

#include <nlohmann/json_fwd.hpp>

namespace ns3::rails
{

/**
 * \return a JSON Schema (draft 2020-12) of descriptors from the registered components, for editors.
 * It is as strict as the reader of descriptors, except for three limits of schemas: values that
 * contradict each other, most ranges of values with units, and the notation of numbers.
 */
nlohmann::ordered_json MakeJsonSchema();

} // namespace ns3::rails

#endif // RAILS_JSON_SCHEMA_H
