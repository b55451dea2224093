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

/// Cables with a rate or a delay of their own: an entry of `topology.cables`.
class CableOverride : public Object, public KeyRules
{
  public:
    static TypeId GetTypeId();

    std::vector<KeyRule> GetKeyRules() const override;
    void CheckValues() const override;

    /**
     * Gives the cables their rate and delay.
     * \throws ConfigurationError when there are no such cables
     */
    void Apply(Wiring& wiring) const;

  private:
    NameList m_link;
    std::optional<DataRate> m_rate;
    std::optional<Time> m_delay;
};

} // namespace ns3::rails

#endif // CABLE_OVERRIDE_H
