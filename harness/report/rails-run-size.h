// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RUN_SIZE_H
#define RAILS_RUN_SIZE_H

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ns3::rails
{

/// How large a run is; only runs of the same engine can be compared.
struct RunSize
{
    std::string engine; //!< its type: "frames"
    /// What its duration grows with: data frames where the engine moves frames, otherwise bytes of
    /// payload; of a study of experts' policies tokens. 0 when nobody can tell.
    double amount{0};
};

/// \return the size of a run, from its result.json; without an engine when it is no result
RunSize ReadRunSize(const nlohmann::json& result);

} // namespace ns3::rails

#endif // RAILS_RUN_SIZE_H
