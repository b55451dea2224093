// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_CATALOGUE_H
#define RAILS_CATALOGUE_H

#include <stdexcept>
#include <string>

namespace ns3::rails
{

/// An unknown name; what() proposes the nearest one.
class UnknownNameError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// \return all sections and components with their types, one line each
std::string ListComponents();

/**
 * \param name a section ("switch"), a component by its key ("matrix", "transport.loss_recovery"), a
 * type ("rail-source", "balance.rails"), a TypeId, or else a key ("mtu", "balance.chunk")
 * \return keys with units, defaults, ranges, meaning and source, of everything with this name
 * \throws UnknownNameError
 */
std::string DescribeName(const std::string& name);

} // namespace ns3::rails

#endif // RAILS_CATALOGUE_H
