// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_PATH_SELECTOR_H
#define FLOW_PATH_SELECTOR_H

#include "path-selector.h"

namespace ns3::rails
{

/// One path for all frames of a queue pair (per-flow ECMP): `balance.host: flow`, the default.
class FlowPathSelector : public Forkable<FlowPathSelector, PathSelector>
{
  public:
    static TypeId GetTypeId();

    FlowPathSelector()
    {
        m_traits.isShared = true;
        m_traits.spread = PathSpread::OnePath;
    }

    void Choose(TimePs now, Frame& frame) override;
};

} // namespace ns3::rails

#endif // FLOW_PATH_SELECTOR_H
