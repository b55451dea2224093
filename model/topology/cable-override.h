// SPDX-License-Identifier: GPL-2.0-only
#ifndef CABLE_OVERRIDE_H
#define CABLE_OVERRIDE_H

#include "ns3/data-rate.h"
#include "ns3/key-rule.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/rails-wiring.h"
#include "ns3/value-list.h"

#include <optional>
#include <vector>

namespace ns3::rails
{

/// Links with a separate rate or delay: an entry of `topology.cables`.
class CableOverride : public Object, public KeyRules
{
  public:
    static TypeId GetTypeId();

    std::vector<KeyRule> GetKeyRules() const override;
    void CheckValues() const override;

    /**
     * Sets the rate and delay of the links.
     * \throws ConfigurationError when the wiring has no such links
     */
    void Apply(Wiring& wiring) const;

  private:
    NameList m_link;
    std::optional<DataRate> m_rate;
    std::optional<Time> m_delay;
};

} // namespace ns3::rails

#endif // CABLE_OVERRIDE_H
