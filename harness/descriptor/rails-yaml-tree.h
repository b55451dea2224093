// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_YAML_TREE_H
#define RAILS_YAML_TREE_H

#include "rails-diagnostic.h"

#include <string>
#include <vector>

namespace ns3::rails
{

struct YamlEntry;

/**
 * A value of a descriptor with its source position. Scalars stay text, as their meaning depends on
 * the declared dimension of the key.
 */
struct YamlNode
{
    /// What a node holds.
    enum class Kind
    {
        Null,
        Scalar,
        List,
        Map
    };

    Kind kind{Kind::Null};
    Place place;
    std::string text;               //!< of a scalar
    bool quoted{false};             //!< the scalar was written in quotes
    std::vector<YamlNode> items;    //!< of a list
    std::vector<YamlEntry> entries; //!< of a map, in the order written; keys differ

    /// \return the entry of a map with this key, or nullptr
    const YamlEntry* Find(const std::string& key) const;
    YamlEntry* Find(const std::string& key);

    /// Removes an entry of a map, if there is one.
    void Remove(const std::string& key);

    /// \return a description for messages: "nothing", "'abc'", "a list", "a map"
    std::string Describe() const;
};

/// One key of a map with its value.
struct YamlEntry
{
    std::string key;
    Place place; //!< of the key
    YamlNode value;
};

/**
 * Reads one YAML document.
 * \param text the document
 * \param source its name, for messages
 * \param hasLines false for the value of an option, whose places have no lines
 * \throws DescriptorError for text that is not one well-formed document, duplicate keys,
 * indentation by tabs, YAML tags, and text that is not UTF-8
 */
YamlNode ParseYaml(const std::string& text, const std::string& source, bool hasLines = true);

/**
 * \return the text of a file
 * \throws DescriptorError when it cannot be read, or is too large for a descriptor
 */
std::string ReadDescriptorFile(const std::string& path);

} // namespace ns3::rails

#endif // RAILS_YAML_TREE_H
