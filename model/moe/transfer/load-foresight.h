// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOAD_FORESIGHT_H
#define LOAD_FORESIGHT_H

#include "ns3/slot-place.h"
#include "ns3/training-context.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::rails
{

/// Predicts the loads of a group in a layer before its tokens are routed. The prediction uses
/// earlier micro-batches and the current loads of the layer before.
class LoadForesight
{
  public:
    /// \param context must outlive this object
    explicit LoadForesight(const TrainingContext& context);

    /// \return predicted share of the tokens of a GPU's group that each member gets, by member
    const std::vector<double>& GetShares(uint32_t gpu, const SlotPlace& place, uint32_t layer);

  private:
    std::vector<double> Foresee(uint32_t gpu, const SlotPlace& place, uint32_t layer) const;
    std::vector<double> FindShares(uint32_t gpu, LoadPlace place, uint32_t layer) const;

    /// Cache of a group: its members request the same prediction one after the other.
    struct Latest
    {
        LoadPlace place;
        std::vector<double> shares;
    };

    const TrainingContext& m_context;
    std::map<uint32_t, Latest> m_latest; //!< by group
};

} // namespace ns3::rails

#endif // LOAD_FORESIGHT_H
