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
    const nlohmann::json frames = result.value("frames", nlohmann::json());
    const nlohmann::json amount = frames.is_number() ? frames : result.value("bytes", frames);
    return {result["engine"].is_string() ? result["engine"].get<std::string>() : "",
            amount.is_number() ? amount.get<double>() : 0};
}

} // namespace ns3::rails
