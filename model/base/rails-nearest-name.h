// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_NEAREST_NAME_H
#define RAILS_NEAREST_NAME_H

#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * \return the candidate that a user most likely meant (fewest letters inserted, deleted, changed or
 * exchanged with their neighbour, ignoring case); empty when no candidate is near
 */
std::string NearestName(const std::string& name, const std::vector<std::string>& candidates);

/**
 * The end of a message about an unknown name.
 * \return "; did you mean 'x'? Known: x, y, z", without the question when nothing is near
 */
std::string SuggestName(const std::string& name, const std::vector<std::string>& candidates);

/// \return the names with commas between them
std::string JoinNames(const std::vector<std::string>& names);

} // namespace ns3::rails

#endif // RAILS_NEAREST_NAME_H
