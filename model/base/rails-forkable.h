// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_FORKABLE_H
#define RAILS_FORKABLE_H

#include "ns3/object.h"

#include <utility>

namespace ns3::rails
{

/**
 * Implements Fork() of a component whose configured object is a prototype: a copy, with attributes
 * and state.
 * \tparam T the class that derives from this
 * \tparam Base the class that T extends, which declares Fork()
 */
template <typename T, typename Base>
class Forkable : public Base
{
  public:
    decltype(std::declval<const Base&>().Fork()) Fork() const override
    {
        return CopyObject<T>(Ptr<const T>(static_cast<const T*>(this)));
    }
};

} // namespace ns3::rails

#endif // RAILS_FORKABLE_H
