// SPDX-License-Identifier: GPL-2.0-only
#ifndef COMPONENT_PLACES_H
#define COMPONENT_PLACES_H

#include "ns3/component-path.h"

#include <algorithm>
#include <vector>

namespace ns3::rails
{

/// \return the places for components, those in lists behind the others; a place that takes what one
/// before it takes is not among them
inline std::vector<ComponentPath>
FindPlaces()
{
    std::vector<ComponentPath> all = FindComponentPaths();
    const std::vector<ComponentPath> lists = FindEntryPaths();
    all.insert(all.end(), lists.begin(), lists.end());
    std::vector<ComponentPath> places;
    for (const ComponentPath& place : all)
    {
        if (std::none_of(places.begin(), places.end(), [&place](const ComponentPath& other) {
                return other.base == place.base;
            }))
        {
            places.push_back(place);
        }
    }
    return places;
}

} // namespace ns3::rails

#endif // COMPONENT_PLACES_H
