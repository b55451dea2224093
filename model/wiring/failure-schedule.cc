// SPDX-License-Identifier: GPL-2.0-only
#include "failure-schedule.h"

#include "ns3/rails-nearest-name.h"

#include <algorithm>

namespace ns3::rails
{

bool
FailureEntry::IsOfGpus() const
{
    return target == Target::Gpu || target == Target::Server;
}

const char*
FailureEntry::GetTargetName() const
{
    switch (target)
    {
    case Target::Switch:
        return "switch";
    case Target::Nic:
        return "nic";
    case Target::Gpu:
        return "gpu";
    case Target::Server:
        return "server";
    case Target::Link:
        break;
    }
    return "link";
}

std::string
FailureEntry::DescribeTarget() const
{
    return std::string(GetTargetName()) + " " +
           (IsOfGpus() ? std::to_string(number) : JoinNames(names)) +
           (cable ? " cable " + std::to_string(*cable) : "");
}

bool
FailureSchedule::IsEmpty() const
{
    return random.IsEmpty() &&
           std::all_of(entries.begin(), entries.end(), [](const FailureEntry& entry) {
               return entry.IsOfGpus();
           });
}

bool
FailureDraw::IsEmpty() const
{
    return probability == 0 && switches == 0 && servers == 0;
}

} // namespace ns3::rails
