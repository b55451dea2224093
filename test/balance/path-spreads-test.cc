// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/object-factory.h"
#include "ns3/path-selector.h"
#include "ns3/port-selector.h"

#include <gtest/gtest.h>
#include <map>
#include <string>

namespace ns3::rails::test
{

namespace
{

using Spreads = std::map<std::string, PathSpread>;

/// \return how each component of a kind spreads what it sends, but for those that adapt
template <typename Selector>
Spreads
FindSpreads()
{
    const std::string prefix = "ns3::rails::";
    Spreads spreads;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (!type.IsChildOf(Selector::GetTypeId()) || !type.HasConstructor())
        {
            continue;
        }
        const PathSpread spread =
            ObjectFactory(type.GetName()).Create<Selector>()->GetTraits().spread;
        if (spread != PathSpread::Adaptive)
        {
            spreads[type.GetName().substr(prefix.size())] = spread;
        }
    }
    return spreads;
}

TEST(PathSpreads, OfHostsAreKnownWhereNothingThatComesBackCounts)
{
    EXPECT_EQ(FindSpreads<PathSelector>(),
              (Spreads{{"FlowPathSelector", PathSpread::OnePath},
                       {"SubflowPathSelector", PathSpread::OnePath},
                       {"SprayPathSelector", PathSpread::Even},
                       {"DestinationRotationPathSelector", PathSpread::Routes}}));
}

TEST(PathSpreads, OfSwitchesAreKnownWhereNoQueueCounts)
{
    EXPECT_EQ(FindSpreads<PortSelector>(),
              (Spreads{{"EcmpPortSelector", PathSpread::OnePath},
                       {"RandomPortSelector", PathSpread::Even},
                       {"RoundRobinPortSelector", PathSpread::Even},
                       {"OfanPortSelector", PathSpread::Weighted}}));
}

} // namespace

} // namespace ns3::rails::test
