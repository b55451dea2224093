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

/// A section of a descriptor as it was read.
struct ReadSection
{
    Ptr<Object> component;
    std::map<std::string, std::string> labels; //!< of it and of components inside it, by key
    std::string effective;                     //!< all keys with their values, as JSON
    std::string sorted;                        //!< the same with keys by the alphabet
};

/// Sections that were read, by what the descriptor says of them: of a sweep most points say the
/// same of most sections.
class SectionMemory
{
  public:
    /**
     * \param name of the section
     * \param node what the descriptor says of it; nullptr when it says nothing
     * \return what it is known by, wherever it was written
     */
    static std::string MakeKey(const std::string& name, const YamlNode* node);

    /// \return the section with a key; nullptr when it was not read yet, or long ago
    const ReadSection* Find(const std::string& key) const;

    /// Remembers a section that is right. \return it
    const ReadSection& Add(const std::string& key, ReadSection section);

  private:
    std::unordered_map<std::string, ReadSection> m_sections;
};

} // namespace ns3::rails

#endif // RAILS_SECTION_MEMORY_H
