// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_STARTER_DESCRIPTOR_H
#define RAILS_STARTER_DESCRIPTOR_H

#include "rails-descriptor.h"

#include <string>

namespace ns3::rails
{

/// The component types of a starter descriptor.
struct StarterChoice
{
    std::string topology{"rail"};
    std::string workload{"all-to-all"};
    std::string balance{"rails"};
};

/**
 * Generates a small commented experiment: the required keys, and every other key as a comment with
 * its default. A line that starts with `#` and no space is a key to uncomment.
 * \param check further checks of a descriptor, possibly none
 * \return the descriptor; it is valid once the user creates the files that it names
 * \throws UnknownNameError for an unknown type
 * \throws DescriptorError when the types do not fit each other
 */
std::string MakeStarterDescriptor(const StarterChoice& choice, const ExperimentCheck& check);

} // namespace ns3::rails

#endif // RAILS_STARTER_DESCRIPTOR_H
