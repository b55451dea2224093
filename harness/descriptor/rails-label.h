// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_LABEL_H
#define RAILS_LABEL_H

#include "rails-diagnostic.h"
#include "rails-yaml-tree.h"

#include <optional>
#include <string>

namespace ns3::rails
{

/// The user's name for a value, as in `{type: rails, chunk: 1MB, label: RailS 1 MB}`; no effect on
/// the run.
struct Label
{
    std::string text;
    Place place;
};

/// \return true for an entry of a map that is the map's label
bool IsLabel(const YamlEntry& entry);

/**
 * \param entry accepted by IsLabel()
 * \throws DescriptorError unless it is a short text of one line
 */
Label ReadLabel(const YamlEntry& entry);

/**
 * Removes the label from a value of an axis; `{label: X, value: Y}` becomes Y.
 * \return the label, if there is one
 * \throws DescriptorError for an invalid label, a label without a value, or a second label
 */
std::optional<Label> TakeLabel(YamlNode& value);

/**
 * \return the text with characters replaced that are special to a shell or a file system. A text
 * with letters of other scripts, which are all replaced, gets distinct digits at its end.
 */
std::string MakeSafe(const std::string& text);

} // namespace ns3::rails

#endif // RAILS_LABEL_H
