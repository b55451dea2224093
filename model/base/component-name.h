// SPDX-License-Identifier: GPL-2.0-only
#ifndef COMPONENT_NAME_H
#define COMPONENT_NAME_H

#include <string>

namespace ns3::rails
{

/// \return `gpus_per_domain` for `GpusPerDomain`
std::string MakeKeyName(const std::string& attributeName);

/// \return `least-outstanding` for ns3::rails::LeastOutstandingBalancer and base
/// ns3::rails::Balancer
std::string MakeTypeName(const std::string& typeIdName, const std::string& baseName);

} // namespace ns3::rails

#endif // COMPONENT_NAME_H
