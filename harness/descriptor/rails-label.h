// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_LABEL_H
#define RAILS_LABEL_H

#include "rails-diagnostic.h"
#include "rails-yaml-tree.h"

#include <optional>
#include <string>

namespace ns3::rails
{

/// What people call a value: `{type: rails, chunk: 1MB, label: RailS 1 MB}`. It changes nothing.
struct Label
{
    std::string text;
    Place place;
};

/// \return true for an entry of a map that is the map's label
bool IsLabel(const YamlEntry& entry);

/**
 * \param entry what IsLabel() accepts
 * \throws DescriptorError when it is no short text in one line
 */
Label ReadLabel(const YamlEntry& entry);

/**
 * Takes the label out of a value of an axis; of `{label: X, value: Y}` the value Y is left.
 * \param [in,out] value the value
 * \return its label, if it has one
 * \throws DescriptorError when the label is none, names nothing, or is the second one
 */
std::optional<Label> TakeLabel(YamlNode& value);

/**
 * \return the text with everything replaced that a shell or a file system may take amiss. Of other
 * scripts nothing would be left, so that a text with such letters has digits of its own at its end
 */
std::string MakeSafe(const std::string& text);

} // namespace ns3::rails

#endif // RAILS_LABEL_H
