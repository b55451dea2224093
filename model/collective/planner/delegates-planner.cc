// SPDX-License-Identifier: GPL-2.0-only
#include "delegates-planner.h"

#include "ns3/boolean.h"
#include "ns3/rails-about.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(DelegatesPlanner);

TypeId
DelegatesPlanner::GetTypeId()
{
    static TypeId tid =
        AddAbout(
            TypeId("ns3::rails::DelegatesPlanner").SetParent<RowPlanner>(),
            "What goes to a server that circuits lead to takes these, all else the NICs of the "
            "packet fabric, in parts as their rates. (MixNet, arXiv "
            "2501.03905, section 5.3)")
            .SetGroupName("Rails")
            .AddConstructor<DelegatesPlanner>()
            .AddAttribute("UsesCircuits",
                          "Whether circuits are taken at all; in balance.other false keeps what is "
                          "no exchange on the packet fabric. (MixNet, Table 3)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&DelegatesPlanner::m_usesCircuits),
                          MakeBooleanChecker());
    return tid;
}

/// \return pairs of NICs that what goes to a server takes
NicWays
DelegatesPlanner::FindWays(const ServerView& view, uint32_t to) const
{
    const auto circuits = view.circuits.find(to);
    if (m_usesCircuits && circuits != view.circuits.end())
    {
        return circuits->second;
    }
    NicWays ways;
    for (const uint16_t rail : view.GetRails(to))
    {
        ways.push_back({rail, rail});
    }
    if (ways.empty())
    {
        // Its NICs of the packet fabric are gone, so others pass things on.
        const auto rails = static_cast<uint16_t>(view.shape.nicsPerServer);
        for (uint16_t tx = 0; tx < rails; ++tx)
        {
            for (uint16_t rx = 0; rx < rails; ++rx)
            {
                if (view.Reaches(to, tx, rx))
                {
                    ways.push_back({tx, rx});
                }
            }
        }
    }
    return ways;
}

std::vector<Piece>
DelegatesPlanner::Plan(const ServerView& view)
{
    return SplitOverWays(view, [&](uint32_t to) { return FindWays(view, to); });
}

bool
DelegatesPlanner::UsesCircuits() const
{
    return m_usesCircuits;
}

bool
DelegatesPlanner::TakesDetours() const
{
    return true;
}

} // namespace ns3::rails
