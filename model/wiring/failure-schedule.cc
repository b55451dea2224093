// SPDX-License-Identifier: GPL-2.0-only
#include "failure-schedule.h"

#include "ns3/rails-nearest-name.h"

namespace ns3::rails
{

const char*
FailureEntry::GetTargetName() const
{
    switch (target)
    {
    case Target::Switch:
        return "switch";
    case Target::Nic:
        return "nic";
    case Target::Link:
        break;
    }
    return "link";
}

std::string
FailureEntry::DescribeTarget() const
{
    return std::string(GetTargetName()) + " " + JoinNames(names) +
           (cable ? " cable " + std::to_string(*cable) : "");
}

bool
FailureSchedule::IsEmpty() const
{
    return entries.empty() && random.IsEmpty();
}

bool
FailureDraw::IsEmpty() const
{
    return probability == 0 && switches == 0 && servers == 0;
}

} // namespace ns3::rails
