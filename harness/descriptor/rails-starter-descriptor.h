// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_STARTER_DESCRIPTOR_H
#define RAILS_STARTER_DESCRIPTOR_H

#include "rails-descriptor.h"

#include <string>

namespace ns3::rails
{

/// The types that a descriptor to start from has.
struct StarterChoice
{
    std::string topology{"rail"};
    std::string workload{"all-to-all"};
    std::string balance{"rails"};
};

/**
 * Makes a small experiment with its comments: what must be given, and everything else as a comment
 * with its default. A line of which `#` and no space is the beginning is a key to uncomment.
 * \param choice the types
 * \param check further checks of a descriptor, possibly none
 * \return the descriptor; it is valid, except that files it names are for the user to make
 * \throws UnknownNameError for a type that there is not
 * \throws DescriptorError when the types do not go together
 */
std::string MakeStarterDescriptor(const StarterChoice& choice, const ExperimentCheck& check);

} // namespace ns3::rails

#endif // RAILS_STARTER_DESCRIPTOR_H
