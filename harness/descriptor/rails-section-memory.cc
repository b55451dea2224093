// SPDX-License-Identifier: GPL-2.0-only
#include "rails-section-memory.h"

#include <cstddef>
#include <utility>

namespace ns3::rails
{

namespace
{

/// A limit, as each of thousands of values of one section is used once, and a training takes
/// kilobytes.
constexpr std::size_t kMost = 1000;

void
AddText(const std::string& text, std::string& key)
{
    key += std::to_string(text.size());
    key += ':';
    key += text;
}

void
AddNode(const YamlNode& node, std::string& key)
{
    switch (node.kind)
    {
    case YamlNode::Kind::Null:
        key += '-';
        return;
    case YamlNode::Kind::Scalar:
        key += node.quoted ? '"' : '=';
        AddText(node.text, key);
        return;
    case YamlNode::Kind::List:
        key += '[';
        for (const YamlNode& item : node.items)
        {
            AddNode(item, key);
        }
        key += ']';
        return;
    case YamlNode::Kind::Map:
        key += '{';
        for (const YamlEntry& entry : node.entries)
        {
            AddText(entry.key, key);
            AddNode(entry.value, key);
        }
        key += '}';
        return;
    }
}

} // namespace

std::string
SectionMemory::MakeKey(const std::string& name, const YamlNode* node)
{
    std::string key = name;
    if (node)
    {
        AddNode(*node, key);
    }
    return key;
}

const ReadSection*
SectionMemory::Find(const std::string& key) const
{
    const auto found = m_sections.find(key);
    return found == m_sections.end() ? nullptr : &found->second;
}

const ReadSection&
SectionMemory::Add(const std::string& key, ReadSection section)
{
    if (m_sections.size() >= kMost)
    {
        m_sections.clear();
    }
    return m_sections.insert_or_assign(key, std::move(section)).first->second;
}

} // namespace ns3::rails
