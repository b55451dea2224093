// SPDX-License-Identifier: GPL-2.0-only
#include "external-expert-policy.h"

#include "ns3/component-documentation.h"
#include "ns3/optional-accessor.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(ExternalExpertPolicy);

TypeId
ExternalExpertPolicy::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::ExternalExpertPolicy").SetParent<PlacementPolicy>(),
            "Placements by a user-defined program, which --policy-command NAME=COMMAND starts; "
            "it places experts once in a period.")
            .SetGroupName("Rails")
            .AddConstructor<ExternalExpertPolicy>()
            .AddAttribute("Name",
                          "Name by which --policy-command gives the program. Letters, digits, "
                          "'-', '_' and '.'.",
                          StringValue(""),
                          MakeStringAccessor(&ExternalExpertPolicy::m_name),
                          MakeStringChecker())
            .AddAttribute("Slots",
                          "Replicas that each GPU has room for besides as many experts as are at "
                          "home there. By default 1. (As of eplb.)",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<UintegerValue>(&ExternalExpertPolicy::m_slots),
                          MakeCountRange<uint32_t>(0, 1024))
            .AddAttribute("Period",
                          "Iterations from one placement to the next; the first one follows the "
                          "first iteration. (10, as of eplb.)",
                          UintegerValue(10),
                          MakeUintegerAccessor(&ExternalExpertPolicy::m_period),
                          MakeCountRange<uint32_t>(1, 1'000'000))
            .AddAttribute("Window",
                          "Iterations whose loads the program gets, at most. (10, as of eplb.)",
                          UintegerValue(10),
                          MakeUintegerAccessor(&ExternalExpertPolicy::m_window),
                          MakeCountRange<uint32_t>(1, LoadHistory::kLongestWindow));
    return tid;
}

void
ExternalExpertPolicy::Check(const ExpertSetting& setting) const
{
    PlacementPolicy::Check(setting);
    const bool isRight =
        !m_name.empty() && m_name.find_first_not_of("abcdefghijklmnopqrstuvwxyz"
                                                    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                    "0123456789-_.") == std::string::npos;
    if (!isRight)
    {
        throw ConfigurationError("name",
                                 std::string(m_name.empty() ? "an external policy needs a name"
                                                            : "this is no name of a program") +
                                     ", such as mine, of letters, digits, '-', '_' and '.': "
                                     "--policy-command mine=\"python3 mine.py\" then says which "
                                     "program it is");
    }
}

bool
ExternalExpertPolicy::DealsUnevenly() const
{
    return true;
}

SlotRule
ExternalExpertPolicy::GetSlotRule(const ExpertSetting&) const
{
    return {SlotUse::Replica, m_slots, 1};
}

std::string
ExternalExpertPolicy::DescribeOrigin() const
{
    return "experts are placed by an external program, '" + m_name +
           "': its command and files are part of the key, what else it reads is not";
}

void
ExternalExpertPolicy::SetMaker(ExternalPlannerMaker maker)
{
    m_maker = std::move(maker);
}

void
ExternalExpertPolicy::DoDispose()
{
    m_planner.reset();
    m_maker = nullptr;
    PlacementPolicy::DoDispose();
}

void
ExternalExpertPolicy::DoStart()
{
    m_planner.reset(); // its state belongs to another run
    m_clock.Start(GetSetting().layers, m_period);
}

ExternalPlanner&
ExternalExpertPolicy::GetPlanner()
{
    if (!m_maker)
    {
        throw ConfigurationError("", DescribeMissingProgram(m_name));
    }
    if (!m_planner)
    {
        m_planner = m_maker({m_name,
                             GetSetting(),
                             *GetSlots(GetSetting()),
                             ExpertPlacement::InOrder(GetSetting())});
    }
    return *m_planner;
}

std::optional<ExpertPlacement>
ExternalExpertPolicy::Place(uint32_t layer, const LoadHistory& history)
{
    if (!m_clock.IsDue(layer, history))
    {
        return std::nullopt;
    }
    history.GetMeanLoads(m_window); // records the length of history that it needs
    std::vector<std::vector<uint64_t>> loads;
    for (uint32_t age = 0; age < std::min(m_window, history.GetIterations()); ++age)
    {
        loads.push_back(history.GetLoads(age));
    }
    ExternalPlanner& planner = GetPlanner();
    std::optional<ExpertPlacement> placement = planner.Place(layer, loads, *GetPlacement(layer));
    if (placement)
    {
        if (const std::string fault = FindFault(*placement); !fault.empty())
        {
            throw ConfigurationError("",
                                     DescribeExternalFault(m_name,
                                                           "layer " + std::to_string(layer) +
                                                               ", line " +
                                                               std::to_string(planner.GetLines()),
                                                           fault));
        }
    }
    return placement;
}

/// \return what is wrong with an answer; empty when nothing is
std::string
ExternalExpertPolicy::FindFault(const ExpertPlacement& placement) const
{
    const ExpertSetting& setting = GetSetting();
    if (const std::string defect = placement.FindDefect(setting); !defect.empty())
    {
        return defect;
    }
    std::vector<uint32_t> held;
    for (const std::vector<uint32_t>& experts : placement.ListByGpu(setting.cluster.gpus))
    {
        held.push_back(static_cast<uint32_t>(experts.size()));
    }
    // If experts do not divide evenly, the first GPUs have one more at home.
    const uint32_t places = setting.GetHomes() + (setting.AreEven() ? 0 : 1) + *GetSlots(setting);
    const auto full = std::find_if(held.begin(), held.end(), [places](uint32_t experts) {
        return experts > places;
    });
    return full == held.end() ? ""
                              : "GPU " + std::to_string(full - held.begin()) + " would hold " +
                                    std::to_string(*full) + " experts and has room for " +
                                    std::to_string(places) + ": set slots, or place fewer there";
}

std::string
DescribeMissingProgram(const std::string& name)
{
    return DescribeExternalFault(name,
                                 "",
                                 "no program is given for it: say which one it is, as in "
                                 "--policy-command " +
                                     name + "=\"python3 " + name + ".py\"");
}

std::string
DescribeExternalFault(const std::string& name, const std::string& place, const std::string& fault)
{
    return "the external policy '" + name + "'" + (place.empty() ? "" : ", " + place) + ": " +
           fault;
}

} // namespace ns3::rails
