// SPDX-License-Identifier: GPL-2.0-only
#include "planning-times.h"

#include "ns3/component-name.h"
#include "ns3/csv-file.h"
#include "ns3/rails-error.h"
#include "ns3/string.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace ns3::rails
{

namespace
{

constexpr const char* kHeader = "policy,experts,gpus,planning_ns,measured_on";
constexpr std::size_t kColumns = 5;

/// Adds the non-default keys of a type, after those of its parents.
void
AddKeys(const ExpertPolicy& policy, TypeId type, std::string& text)
{
    if (type == ExpertPolicy::GetTypeId())
    {
        return; // skips planning_time, which the table overrides
    }
    AddKeys(policy, type.GetParent(), text);
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        const TypeId::AttributeInformation attribute = type.GetAttribute(i);
        StringValue value;
        if (!policy.GetAttributeFailSafe(attribute.name, value))
        {
            continue; // not given
        }
        if (value.Get() != attribute.initialValue->SerializeToString(attribute.checker))
        {
            text += " " + MakeKeyName(attribute.name) + "=" + value.Get();
        }
    }
}

void
CheckHeader(CsvFile& file)
{
    std::string columns;
    if (file.NextRow())
    {
        for (std::size_t column = 0; column < file.GetColumns(); ++column)
        {
            columns += (column > 0 ? "," : "") + file.GetText(column);
        }
    }
    if (columns != kHeader)
    {
        file.FailRow("expected the columns " + std::string(kHeader) +
                     ", which ./rails index DIR --planning FILE writes");
    }
}

/// \return the time of a policy in a table
PlanningCharge
FindCharge(const std::string& path, const ExpertPolicy& policy, const ExpertSetting& setting)
{
    constexpr uint64_t most = std::numeric_limits<uint32_t>::max();
    constexpr uint64_t mostNs = uint64_t{1} << 50; // 13 days
    constexpr double ns = 1e-9;
    CsvFile file(path);
    CheckHeader(file);
    const std::string name = DescribePolicy(policy);
    std::optional<PlanningCharge> found;
    std::string others; // other sizes of the policy in the table
    while (file.NextRow())
    {
        if (file.GetColumns() != kColumns)
        {
            file.FailRow("expected 5 columns as in the header, found " +
                         std::to_string(file.GetColumns()));
        }
        const uint64_t experts = file.GetNumber(1, most);
        const uint64_t gpus = file.GetNumber(2, most);
        const double seconds = static_cast<double>(file.GetNumber(3, mostNs)) * ns;
        if (file.GetText(0) != name)
        {
            continue;
        }
        if (experts != setting.experts || gpus != setting.cluster.gpus)
        {
            others += (others.empty() ? "; it has those of " : ", ") + std::to_string(experts) +
                      " experts on " + std::to_string(gpus) + " GPUs";
        }
        else if (found)
        {
            file.FailRow("a second time of this policy, these experts and GPUs");
        }
        else
        {
            found = {seconds, "as measured on " + file.GetText(4)};
        }
    }
    if (!found)
    {
        file.FailFile("no planning time of '" + name + "' with " + std::to_string(setting.experts) +
                      " experts on " + std::to_string(setting.cluster.gpus) + " GPUs" + others +
                      ": let ./rails experts measure it there, and ./rails index DIR "
                      "--planning FILE write it");
    }
    return *found;
}

} // namespace

std::string
DescribePolicy(const ExpertPolicy& policy)
{
    const TypeId type = policy.GetInstanceTypeId();
    std::string text = MakeTypeName(type.GetName(), ExpertPolicy::GetTypeId().GetName());
    AddKeys(policy, type, text);
    std::replace_if(
        text.begin(),
        text.end(),
        [](char letter) { return letter == ',' || letter == '"' || letter == '\n'; },
        ';'); // a field of a plain CSV
    return text;
}

std::optional<PlanningCharge>
ChargePlanning(const PlanningRule& rule, const ExpertPolicy& policy, const ExpertSetting& setting)
{
    if (!rule.path)
    {
        return rule.seconds ? std::optional(
                                  PlanningCharge{*rule.seconds, "as " + rule.key + " says for all"})
                            : std::nullopt;
    }
    if (rule.seconds)
    {
        throw ConfigurationError(rule.pathKey,
                                 "not beside " + rule.key +
                                     ", which charges every policy with one time: leave out one "
                                     "of them");
    }
    if (policy.GetKnowledge() == ExpertKnowledge::Nothing || policy.GetTraits().isOracle)
    {
        return std::nullopt;
    }
    try
    {
        return FindCharge(*rule.path, policy, setting);
    }
    catch (const ConfigurationError& error)
    {
        throw ConfigurationError(rule.pathKey, error.what());
    }
}

} // namespace ns3::rails
