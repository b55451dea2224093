// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_OVERRIDE_H
#define RAILS_OVERRIDE_H

#include "rails-yaml-tree.h"

#include <string>
#include <vector>

namespace ns3::rails
{

/// A value that replaces a descriptor's value: `--set transport.mtu=1024B`, or a value of an axis.
struct Override
{
    std::string key; //!< dotted path from the top of the descriptor
    Place place;     //!< where the key was given
    YamlNode value;

    /**
     * Reads the argument of `--set`.
     * \param text KEY=VALUE, the value in YAML
     * \throws DescriptorError
     */
    static Override Parse(const std::string& text);

    /**
     * Sets the value in a descriptor. A new `type` clears its component first: keys of the old type
     * do not carry over.
     * \param [in,out] root the descriptor
     * \throws DescriptorError when the path leads through a value without keys
     */
    void Apply(YamlNode& root) const;

    /// \return true when this must be applied before `other`, as it may clear the component of
    /// `other`
    bool IsBefore(const Override& other) const;

    /// \return the key; for "COMPONENT.type" the key of the component
    std::string GetTarget() const;
};

/// \return the parts of a dotted path
std::vector<std::string> SplitPath(const std::string& path);

/// \return true when a key is inside the component or section of another key
bool IsInside(const std::string& key, const std::string& outer);

} // namespace ns3::rails

#endif // RAILS_OVERRIDE_H
