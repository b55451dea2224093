// SPDX-License-Identifier: GPL-2.0-only
#ifndef UEC_OBLIVIOUS_PATH_SELECTOR_H
#define UEC_OBLIVIOUS_PATH_SELECTOR_H

#include "uec-path-selector.h"

namespace ns3::rails
{

/// Walks over all entropies, whatever becomes of the frames: `balance.host: uec-oblivious`.
class UecObliviousPathSelector : public UecPathSelector
{
  public:
    static TypeId GetTypeId();

    Ptr<PathSelector> Fork() override;
    void Choose(TimePs now, Frame& frame) override;
};

} // namespace ns3::rails

#endif // UEC_OBLIVIOUS_PATH_SELECTOR_H
