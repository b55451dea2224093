// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_SCHEMA_H
#define RAILS_SCHEMA_H

#include "rails-value-kind.h"

#include "ns3/component-name.h"
#include "ns3/object.h"
#include "ns3/type-id.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

/// What a descriptor asks for.
enum class ExperimentKind
{
    Simulation,
    ExpertStudy //!< of a policy of experts, on token counts alone
};

/// A section of a descriptor that is a component.
struct Section
{
    std::string name;       //!< its key
    std::string base;       //!< TypeId of the component, or of the base class of its types
    std::string meaning;    //!< of one with types; others say what they are themselves
    std::string standard{}; //!< TypeId of the type that it has when a descriptor names none, if any
    ExperimentKind kind{ExperimentKind::Simulation}; //!< of experiments that it is part of
};

/// \return the sections of a descriptor in the order in which they are printed
const std::vector<Section>& GetSections();

/// \return the base class of a section; aborts when the module lacks it
TypeId GetSectionBase(const Section& section);

/// \return the type of a section's component when a descriptor names none, if there is one
std::optional<TypeId> GetSectionStandard(const Section& section);

/// A key of a descriptor that belongs to no component.
struct PlainKey
{
    std::string path;    //!< "seed", "sweep.zip"
    std::string meaning; //!< with kind and default
};

/// \return the keys at the top of a descriptor that are no sections, and those that `sweep`
/// reserves
const std::vector<PlainKey>& GetPlainKeys();

/// One key of a component: an attribute of its TypeId or of a parent's, or of an object beside it.
struct ComponentKey
{
    std::string name; //!< as in a descriptor: `gpus_per_domain`
    TypeId::AttributeInformation attribute;
    TypeId owner;          //!< class that has the attribute, see GetHolder()
    const ValueKind* kind; //!< of the attribute
    std::string alias{};   //!< another name that a descriptor may use; empty without one

    /// \return true when its value is made of this
    bool Is(ValueKind::Shape shape) const
    {
        return kind->GetShape() == shape;
    }

    /// \return true when there need be nothing: the attribute is empty until it is set
    bool IsOptional() const
    {
        return dynamic_cast<const EmptyAttributeValue*>(PeekPointer(attribute.initialValue));
    }
};

/**
 * \return the keys of a component in the order in which they are set: parents' first, then as
 * declared, so that an attribute that presets others is declared before them; with the defaults
 * that they had when somebody first asked (those of new objects are ns-3's business). Remembered
 * until the process ends.
 */
const std::vector<ComponentKey>& GetComponentKeys(TypeId id);

/// \return a component, with the objects beside it that hold further keys of its own
Ptr<Object> CreateComponent(TypeId id);

/// \return the object that has the attribute of a key: the component or one beside it
Ptr<Object> GetHolder(const Object& component, const ComponentKey& key);

/// A class that can be named by `type:`.
struct ComponentType
{
    std::string name; //!< as in a descriptor: `rail-source`
    TypeId id;

    /// \return true when a descriptor may call it so: by its name, a former one, or that of its
    /// class
    bool IsCalled(const std::string& text) const;
};

/**
 * \param base a class
 * \return the registered classes derived from it (or itself) that can be created, by name; the
 * list stays valid, but a later one has also the classes that were registered in between
 */
const std::vector<ComponentType>& GetComponentTypes(TypeId base);

/// \return the names of the same, by alphabet
std::vector<std::string> GetComponentTypeNames(TypeId base);

/**
 * The end of a message about a type that is not known.
 * \return the nearest name, all of them, and how types of one's own are given
 */
std::string SuggestType(const std::string& name, TypeId base);

/// \return true when a component of this base is chosen by `type:`, false when there is one only
bool HasComponentTypes(TypeId base);

/// \return the name of a class among those of a base: its TypeId when the short name is taken
std::string GetComponentTypeName(TypeId id, TypeId base);

} // namespace ns3::rails

#endif // RAILS_SCHEMA_H
