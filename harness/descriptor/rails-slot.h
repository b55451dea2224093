// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_SLOT_H
#define RAILS_SLOT_H

#include "rails-schema.h"

#include "ns3/type-id.h"

#include <set>
#include <string>
#include <vector>

namespace ns3::rails
{

/// A place in a descriptor where a component belongs.
struct Slot
{
    std::string path;    //!< "transport.congestion_control"
    TypeId base;         //!< class of the component, or of its types
    std::string meaning; //!< what belongs there
    bool isNamed{false}; //!< of the entries of a list: whether a descriptor gives them by names
};

/**
 * \return the sections and the components inside them, each behind the one that it is inside of. A
 * component that can hold its like is listed without what is inside its like.
 */
std::vector<Slot> FindSlots();

/// \return what the keys whose value is a list of components hold, with the components inside each;
/// their paths are those of the keys
std::vector<Slot> FindEntrySlots();

/// A key that can be named by its path: `--set balance.chunk=1MB`, or an axis of a sweep.
struct DottedKey
{
    /// A component that has the key at this place.
    struct Owner
    {
        Slot slot;
        ComponentType type;
        ComponentKey key;
    };

    std::string path; //!< "balance.chunk"
    std::vector<Owner> owners;

    /// \return its paths: this one, and others that end with the other name of the key
    std::set<std::string> GetPaths() const;
};

/// \return the keys of all components by their paths, in the order of the sections; the sections
/// themselves and `type` are not among them
std::vector<DottedKey> ListDottedKeys();

/// \return class of the component that a key holds, or of its types
TypeId GetInnerBase(const TypeId::AttributeInformation& attribute);

} // namespace ns3::rails

#endif // RAILS_SLOT_H
