// SPDX-License-Identifier: GPL-2.0-only
#ifndef SUBFLOW_PATH_SELECTOR_H
#define SUBFLOW_PATH_SELECTOR_H

#include "path-selector.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * Several queue pairs share each message evenly, each with a path of its own, as the subflows of
 * MPTCP do: `balance.host: subflow`. (arXiv 2507.21372, Table 2)
 */
class SubflowPathSelector : public PathSelector
{
  public:
    static TypeId GetTypeId();

    Ptr<PathSelector> Fork() override;
    void Choose(TimePs now, Frame& frame) override;
    PathSpread GetSpread() const override;
    uint32_t GetSubflows() const override;

  private:
    uint32_t m_count{0};
};

} // namespace ns3::rails

#endif // SUBFLOW_PATH_SELECTOR_H
