// SPDX-License-Identifier: GPL-2.0-only
#include "rails-run-size.h"

#include <nlohmann/json.hpp>

namespace ns3::rails
{

RunSize
ReadRunSize(const nlohmann::json& result)
{
    if (!result.is_object() || !result.contains("engine"))
    {
        return {};
    }
    nlohmann::json amount;
    for (const char* key : {"frames", "bytes", "tokens"})
    {
        amount = amount.is_number() ? amount : result.value(key, nlohmann::json());
    }
    return {result["engine"].is_string() ? result["engine"].get<std::string>() : "",
            amount.is_number() ? amount.get<double>() : 0};
}

} // namespace ns3::rails
