// SPDX-License-Identifier: GPL-2.0-only
#include "phase-list.h"

#include "ns3/rails-quantity.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <istream>
#include <iterator>
#include <ostream>
#include <sstream>

namespace ns3::rails
{

namespace
{

bool
ParsePhase(const std::string& text, Phase& phase)
{
    const size_t colon = text.find(':');
    if (!Phase::ParseKind(boost::algorithm::trim_copy(text.substr(0, colon)), phase.kind) ||
        phase.IsTraffic() != (colon == std::string::npos))
    {
        return false;
    }
    if (phase.IsTraffic())
    {
        return true;
    }
    try
    {
        phase.duration = ParseTime(boost::algorithm::trim_copy(text.substr(colon + 1)));
        return true;
    }
    catch (const QuantityError&)
    {
        return false; // the stream's way to say so
    }
}

} // namespace

const std::vector<std::string>&
Phase::GetKindNames()
{
    static const std::vector<std::string> names{"dispatch", "combine", "compute", "gap"};
    return names;
}

const std::string&
Phase::GetName() const
{
    return GetKindNames()[static_cast<size_t>(kind)];
}

bool
Phase::ParseKind(const std::string& name, PhaseKind& kind)
{
    const std::vector<std::string>& names = GetKindNames();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
    {
        return false;
    }
    kind = static_cast<PhaseKind>(found - names.begin());
    return true;
}

std::ostream&
operator<<(std::ostream& os, const PhaseList& list)
{
    const char* separator = "";
    os << "[";
    for (const Phase& phase : list.Get())
    {
        os << separator << phase.GetName();
        if (!phase.IsTraffic())
        {
            os << ": " << FormatTime(phase.duration);
        }
        separator = ", ";
    }
    return os << "]";
}

std::istream&
operator>>(std::istream& is, PhaseList& list)
{
    // Reads to the end in any case: ns-3 aborts the process when something is left.
    std::string text(std::istreambuf_iterator<char>(is), {});
    boost::algorithm::trim_if(text, boost::algorithm::is_any_of("[] "));
    std::vector<std::string> items;
    if (!text.empty())
    {
        boost::algorithm::split(items, text, boost::algorithm::is_any_of(","));
    }
    std::vector<Phase> phases(items.size());
    for (size_t i = 0; i < items.size(); ++i)
    {
        if (!ParsePhase(items[i], phases[i]))
        {
            is.setstate(std::ios::failbit | std::ios::eofbit);
            return is;
        }
    }
    list = PhaseList(std::move(phases));
    is.clear(std::ios::eofbit);
    return is;
}

ATTRIBUTE_VALUE_IMPLEMENT(PhaseList);

Ptr<const AttributeChecker>
MakePhaseListChecker()
{
    return MakeSimpleAttributeChecker<PhaseListValue, PhaseListChecker>(
        "ns3::rails::PhaseListValue",
        "list of dispatch, combine, compute: time, gap: time");
}

} // namespace ns3::rails
