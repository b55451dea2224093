// SPDX-License-Identifier: GPL-2.0-only
#ifndef COMPONENT_REGISTRY_H
#define COMPONENT_REGISTRY_H

#include "rails-value-kind.h"

#include "ns3/component-name.h"
#include "ns3/object.h"
#include "ns3/type-id.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

/// The kind of an experiment.
enum class ExperimentKind
{
    Simulation,
    ExpertStudy //!< an expert placement policy on token counts, without a network
};

/// A section of a descriptor that is a component.
struct Section
{
    std::string name;       //!< its key
    std::string base;       //!< TypeId of the component, or of the base class of its types
    std::string meaning;    //!< of a component with types; others have their own documentation
    std::string standard{}; //!< TypeId of the default type; empty without a default
    ExperimentKind kind{ExperimentKind::Simulation}; //!< kind of the experiments with this section
};

/// \return the sections of a descriptor, in the order of the effective configuration
const std::vector<Section>& GetSections();

/// \return the base class of a section; aborts when it is not registered
TypeId GetSectionBase(const Section& section);

/// \return the default type of a section's component, if there is one
std::optional<TypeId> GetSectionStandard(const Section& section);

/// A key outside of all components.
struct PlainKey
{
    std::string path;    //!< "seed", "sweep.zip"
    std::string meaning; //!< text with kind and default
};

/// \return the top-level keys that are no sections, and the reserved keys of `sweep`
const std::vector<PlainKey>& GetPlainKeys();

/// One key of a component: an attribute of its TypeId, of a parent, or of an aggregated object.
struct ComponentKey
{
    std::string name; //!< in a descriptor: `gpus_per_domain`
    TypeId::AttributeInformation attribute;
    TypeId owner;          //!< class that declares the attribute, see GetHolder()
    const ValueKind* kind; //!< of the attribute
    std::string alias{};   //!< second name in descriptors, or empty

    /// \return true when the value has this shape
    bool Is(ValueKind::Shape shape) const
    {
        return kind->GetShape() == shape;
    }

    /// \return true for a key without a value by default
    bool IsOptional() const
    {
        return dynamic_cast<const EmptyAttributeValue*>(PeekPointer(attribute.initialValue));
    }
};

/**
 * \return the keys of a component in the order in which the reader sets them: keys of parents
 * first, then in declaration order. So an attribute that presets others must be declared before
 * them. The defaults are those at the first call, which caches the list until the process ends.
 */
const std::vector<ComponentKey>& GetComponentKeys(TypeId id);

/// \return a new component, aggregated with the objects that have its further keys
Ptr<Object> CreateComponent(TypeId id);

/// \return the object with the attribute of a key: the component or an aggregated one
Ptr<Object> GetHolder(const Object& component, const ComponentKey& key);

/// A class that a descriptor selects by `type:`.
struct ComponentType
{
    std::string name; //!< in a descriptor: `rail-source`
    TypeId id;

    /// \return true for its name, a former name, and its class name
    bool IsCalled(const std::string& text) const;
};

/**
 * \param base a class
 * \return the registered classes that derive from it (or itself) and have a constructor, sorted by
 * name. The list stays valid; a later call also returns classes registered since.
 */
const std::vector<ComponentType>& GetComponentTypes(TypeId base);

/// \return the names of GetComponentTypes(), sorted
std::vector<std::string> GetComponentTypeNames(TypeId base);

/**
 * \return the end of a message about an unknown type: the nearest name, all names, and how to load
 * user-defined components
 */
std::string SuggestType(const std::string& name, TypeId base);

/// \return true when `type:` selects a component of this base, false when there is only one class
bool HasComponentTypes(TypeId base);

/// \return the name of a class among the types of a base; its TypeId name when two short names
/// collide
std::string GetComponentTypeName(TypeId id, TypeId base);

} // namespace ns3::rails

#endif // COMPONENT_REGISTRY_H
