// SPDX-License-Identifier: GPL-2.0-only
#ifndef COMPONENT_PATH_H
#define COMPONENT_PATH_H

#include "component-registry.h"

#include "ns3/type-id.h"

#include <set>
#include <string>
#include <vector>

namespace ns3::rails
{

/// The path of a component in a descriptor, and the component's base class.
struct ComponentPath
{
    std::string path;    //!< "transport.congestion_control"
    TypeId base;         //!< class of the component, or base class of its types
    std::string meaning; //!< help text of the component
    bool isNamed{false}; //!< of list entries: a descriptor gives them as a map by names
};

/**
 * \return the sections and the components inside them, each after its outer component. The
 * recursion ends at a component inside a component of the same base.
 */
std::vector<ComponentPath> FindComponentPaths();

/// \return the entries of keys with lists of components, and the components inside these entries;
/// the path of an entry is the path of its key
std::vector<ComponentPath> FindEntryPaths();

/// A key by its dotted path, as in `--set balance.chunk=1MB` or an axis of a sweep.
struct DottedKey
{
    /// A component that has a key at this path.
    struct Owner
    {
        ComponentPath slot;
        ComponentType type;
        ComponentKey key;
    };

    std::string path; //!< "balance.chunk"
    std::vector<Owner> owners;

    /// \return `path`, and the paths with the alias of the key
    std::set<std::string> GetPaths() const;
};

/// \return the keys of all components by their paths, in the order of the sections; without the
/// sections themselves and `type`
std::vector<DottedKey> ListDottedKeys();

/// \return class of the component that is the value of a key, or base class of its types
TypeId GetInnerBase(const TypeId::AttributeInformation& attribute);

} // namespace ns3::rails

#endif // COMPONENT_PATH_H
