// SPDX-License-Identifier: GPL-2.0-only
#ifndef POLICY_FIXTURES_H
#define POLICY_FIXTURES_H

#include "ns3/expert-policy.h"
#include "ns3/external-expert-policy.h"
#include "ns3/imbalance-token-load.h"
#include "ns3/object-factory.h"
#include "ns3/plan-figures.h"
#include "ns3/string.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

/// Keys of a policy and their values.
using PolicyKeys = std::vector<std::pair<std::string, std::string>>;

/// \return all kinds of policies that can be made and decide by themselves, by their names: new
/// ones are tested as they come
inline std::vector<std::string>
FindPolicies()
{
    const TypeId base = ExpertPolicy::GetTypeId();
    const std::string begin = "ns3::rails::";
    const std::string end = "ExpertPolicy";
    std::vector<std::string> names;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId id = TypeId::GetRegistered(i);
        if (id.IsChildOf(base) && id.HasConstructor() && id != ExternalExpertPolicy::GetTypeId())
        {
            const std::string name = id.GetName();
            names.push_back(name.substr(begin.size(), name.size() - begin.size() - end.size()));
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// \return one group of expert parallelism whose GPUs are in one NVLink domain
inline ExpertSetting
MakeOneServer(uint32_t gpus, uint32_t experts, uint32_t topK, uint32_t tokens)
{
    ExpertSetting setting;
    setting.cluster = {gpus, gpus, gpus, 450e9, 50e9, 400e12};
    setting.expertParallel = gpus;
    setting.experts = experts;
    setting.topK = topK;
    setting.tokens = tokens;
    setting.tokenBytes = 100;
    setting.weightBytes = 1'000'000;
    setting.gradientBytes = 2'000'000;
    setting.stateBytes = 6'000'000;
    setting.tokenFlops = 1e6;
    setting.otherForward = 1e-3;
    setting.otherBackward = 2e-3;
    return setting;
}

inline Ptr<ExpertPolicy>
MakePolicy(const std::string& type, const PolicyKeys& keys = {})
{
    ObjectFactory factory;
    factory.SetTypeId("ns3::rails::" + type + "ExpertPolicy");
    for (const auto& [key, value] : keys)
    {
        factory.Set(key, StringValue(value));
    }
    return factory.Create<ExpertPolicy>();
}

/// \return what a policy does with counts as the first that it sees
inline ExpertPlan
PlanOnce(const ExpertSetting& setting,
         const TokenCounts& counts,
         const std::string& type,
         const PolicyKeys& keys = {})
{
    const Ptr<ExpertPolicy> policy = MakePolicy(type, keys);
    policy->Check(setting);
    policy->Start(setting);
    return policy->Plan(0, counts);
}

/// \return counts of a workload of Megatron-LM's benchmark: all sources have the same
inline TokenCounts
DrawImbalance(const ExpertSetting& setting, const std::string& workload, uint32_t step)
{
    const auto load = CreateObject<ImbalanceTokenLoad>();
    load->SetAttribute("Workload", StringValue(workload));
    LoadPlace place;
    place.iteration = step;
    const uint32_t gpus = setting.cluster.gpus;
    return {gpus,
            setting.experts,
            load->Draw({gpus, setting.experts, setting.topK, setting.tokens}, place)};
}

/// Expert, GPU, and tokens that it computes there.
using Copy = std::tuple<uint32_t, uint32_t, uint64_t>;

/// \return what is computed away from the homes of experts
inline std::vector<Copy>
ListCopies(const ExpertPlan& plan)
{
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> tokens;
    for (const TokenRoute& route : plan.routes)
    {
        if (!plan.placement->Holds(route.expert, route.host))
        {
            tokens[{route.expert, route.host}] += route.tokens;
        }
    }
    std::vector<Copy> copies;
    for (const auto& [place, count] : tokens)
    {
        copies.emplace_back(place.first, place.second, count);
    }
    return copies;
}

} // namespace ns3::rails::test

#endif // POLICY_FIXTURES_H
