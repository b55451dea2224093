// SPDX-License-Identifier: GPL-2.0-only
#ifndef UEC_MIXED_PATH_SELECTOR_H
#define UEC_MIXED_PATH_SELECTOR_H

#include "entropy-ring.h"
#include "uec-bitmap-path-selector.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * An entropy that came back without a mark, oldest first; when there is none, what `uec-bitmap`
 * would take: `balance.host: uec-mixed`. Each such entropy is used again once.
 */
class UecMixedPathSelector : public UecBitmapPathSelector
{
  public:
    static TypeId GetTypeId();

    Ptr<PathSelector> Fork() override;
    void Start(TimePs now, const PathContext& context) override;
    void OnFeedback(TimePs now, const PathFeedback& feedback) override;

  protected:
    uint32_t TakeIndex() override;

  private:
    uint32_t m_ringSize{0};
    EntropyRing m_ring; // of numbers from 0 to GetPaths() - 1
};

} // namespace ns3::rails

#endif // UEC_MIXED_PATH_SELECTOR_H
