// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_SECTION_MEMORY_H
#define RAILS_SECTION_MEMORY_H

#include "rails-yaml-tree.h"

#include "ns3/object.h"

#include <map>
#include <string>
#include <unordered_map>

namespace ns3::rails
{

/// The objects of one section of a descriptor.
struct ReadSection
{
    Ptr<Object> component;
    std::map<std::string, std::string> labels; //!< of the component and of inner components, by key
    std::string resolvedConfig;                //!< all keys with their values, as JSON
    std::string sorted;                        //!< resolvedConfig with sorted keys
};

/// A cache of sections by their text in the descriptor: most points of a sweep have equal text for
/// most sections.
class SectionMemory
{
  public:
    /**
     * \param name of the section
     * \param node its value in the descriptor; nullptr when absent
     * \return a cache key, which does not depend on source positions
     */
    static std::string MakeKey(const std::string& name, const YamlNode* node);

    /// \return the section with a key; nullptr when it is not cached
    const ReadSection* Find(const std::string& key) const;

    /// Adds a valid section. \return the cached section
    const ReadSection& Add(const std::string& key, ReadSection section);

  private:
    std::unordered_map<std::string, ReadSection> m_sections;
};

} // namespace ns3::rails

#endif // RAILS_SECTION_MEMORY_H
