// SPDX-License-Identifier: GPL-2.0-only
#ifndef COLLECTIVE_OPTIONS_H
#define COLLECTIVE_OPTIONS_H

#include "collective.h"

#include "ns3/object.h"

#include <string>

namespace ns3::rails
{

/// Help of the keys `algorithm` and `rings`, wherever they stand.
extern const char* const kAlgorithmHelp;
extern const char* const kRingsHelp;

/// \return what may be given for `algorithm`
Ptr<const AttributeChecker> MakeAlgorithmChecker();

/// \return what may be given for `rings`, of a UintegerValue
Ptr<const AttributeChecker> MakeRingsChecker();

/**
 * \param groups who does it
 * \param asked for
 * \throws ConfigurationError with the key when the groups cannot do it so
 */
void CheckCollective(const CollectiveGroups& groups, const CollectiveChoice& asked);

/// How GPUs do their collectives: `collectives` of a training.
class CollectiveOptions : public Object
{
  public:
    static TypeId GetTypeId();

    CollectiveChoice Get() const;

  private:
    CollectiveAlgorithm m_algorithm;
    uint32_t m_rings;
};

} // namespace ns3::rails

#endif // COLLECTIVE_OPTIONS_H
