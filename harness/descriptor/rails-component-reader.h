// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_COMPONENT_READER_H
#define RAILS_COMPONENT_READER_H

#include "component-registry.h"
#include "rails-diagnostic.h"
#include "rails-yaml-tree.h"

#include "ns3/component-list.h"
#include "ns3/object.h"

#include <map>
#include <string>

namespace ns3::rails
{

/// Creates a component, with the components inside it, from its node in a descriptor.
class ComponentReader
{
  public:
    /**
     * \param folder base of relative paths in the descriptor
     * \param diagnostics takes the errors
     */
    ComponentReader(std::string folder, DiagnosticList& diagnostics);

    /**
     * \param base class of the component, or base class of its types
     * \param path dotted path from the top of the descriptor: "transport.congestion_control"
     * \param node its value in the descriptor; nullptr when absent
     * \param place for errors about missing keys
     * \param standard default component when `node` is absent, or nullptr
     * \return the component; nullptr after an error, or when there is neither a node nor a default
     */
    Ptr<Object> Read(TypeId base,
                     const std::string& path,
                     const YamlNode* node,
                     const Place& place,
                     Ptr<Object> standard = nullptr);

    /// \return the labels of the components read so far, by key
    const std::map<std::string, std::string>& GetLabels() const
    {
        return m_labels;
    }

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
