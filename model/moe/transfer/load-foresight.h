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

/// What a group expects of a layer before its tokens are routed: from what went there in
/// micro-batches before, and what goes to the layer before.
class LoadForesight
{
  public:
    /// \param context the training; has to live as long
    explicit LoadForesight(const TrainingContext& context);

    /// \return by member of a GPU's group, the share of the tokens that is expected to go there
    const std::vector<double>& GetShares(uint32_t gpu, const SlotPlace& place, uint32_t layer);

  private:
    std::vector<double> Foresee(uint32_t gpu, const SlotPlace& place, uint32_t layer) const;
    std::vector<double> FindShares(uint32_t gpu, LoadPlace place, uint32_t layer) const;

    /// What members of a group ask for one after the other.
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
