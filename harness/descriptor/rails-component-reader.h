// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_COMPONENT_READER_H
#define RAILS_COMPONENT_READER_H

#include "rails-diagnostic.h"
#include "rails-schema.h"
#include "rails-yaml-tree.h"

#include "ns3/component-list.h"
#include "ns3/object.h"

#include <map>
#include <string>

namespace ns3::rails
{

/// Makes a component, with the components inside it, from what a descriptor says of it.
class ComponentReader
{
  public:
    /**
     * \param folder folder that paths in the descriptor are relative to
     * \param diagnostics takes what is wrong
     */
    ComponentReader(std::string folder, DiagnosticList& diagnostics);

    /**
     * \param base class of the component, or of its types
     * \param path its key, from the top of the descriptor: "transport.congestion_control"
     * \param node what the descriptor says of it; nullptr when it says nothing
     * \param place where the component belongs, for what is missing
     * \param standard what it is when the descriptor says nothing, possibly none
     * \return the component; none when something is wrong or nothing was asked for
     */
    Ptr<Object> Read(TypeId base,
                     const std::string& path,
                     const YamlNode* node,
                     const Place& place,
                     Ptr<Object> standard = nullptr);

    /// \return the labels of the components that were read, by key
    const std::map<std::string, std::string>& GetLabels() const;

  private:
    Ptr<Object> Construct(TypeId base,
                          const std::string& path,
                          const YamlNode* node,
                          const Place& place,
                          Ptr<Object> standard);
    Ptr<Object> ConstructType(TypeId base, const std::string& path, const YamlNode& type);
    bool CheckKeys(const Object& component,
                   const std::string& name,
                   TypeId base,
                   const std::string& path,
                   const YamlNode& node);
    void AddLabel(const std::string& path, const YamlEntry& entry);
    bool SetKeys(Object& component,
                 const std::string& path,
                 const YamlNode* node,
                 const Place& place);
    std::string FindOtherNumber(const Object& component,
                                const ComponentKey& key,
                                const YamlNode& value) const;
    Ptr<AttributeValue> ReadValue(const Object& component,
                                  const ComponentKey& key,
                                  const std::string& path,
                                  const YamlEntry* entry,
                                  const Place& place);
    Ptr<AttributeValue> ReadList(const ComponentListChecker& checker,
                                 const std::string& path,
                                 const YamlNode& node);
    Ptr<Object> ReadEntry(const ComponentListChecker& checker,
                          const std::string& path,
                          const YamlNode& node);
    void Fill(Object& component,
              const std::string& name,
              TypeId base,
              const std::string& path,
              const YamlNode& node);
    void CheckRules(const Object& component, const YamlNode& node);

    std::string m_folder;
    DiagnosticList& m_diagnostics;
    std::map<std::string, std::string> m_labels;
};

} // namespace ns3::rails

#endif // RAILS_COMPONENT_READER_H
