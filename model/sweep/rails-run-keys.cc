// SPDX-License-Identifier: GPL-2.0-only
#include "rails-run-keys.h"

#include "ns3/rails-effective-config.h"
#include "ns3/rails-sha256.h"
#include "ns3/rails-version.h"

#include <fstream>
#include <ios>
#include <iterator>
#include <nlohmann/json.hpp>

namespace ns3::rails
{

std::string
RunKeys::Compute(const Experiment& experiment)
{
    nlohmann::json identity;
    identity["config"] = nlohmann::json::parse(experiment.effective);
    identity["config"].erase("name");
    identity["module"] = GetVersionInfo().module;
    identity["ns3"] = GetVersionInfo().ns3;
    identity["files"] = nlohmann::json::array();
    for (const std::string& file : FindInputFiles(experiment))
    {
        identity["files"].push_back(GetDigest(file));
    }
    return ComputeSha256(identity.dump());
}

const std::string&
RunKeys::GetDigest(const std::string& file)
{
    const auto [digest, isNew] = m_digests.emplace(file, "");
    if (isNew)
    {
        std::ifstream stream(file, std::ios::binary);
        digest->second = ComputeSha256({std::istreambuf_iterator<char>(stream), {}});
    }
    return digest->second;
}

} // namespace ns3::rails
