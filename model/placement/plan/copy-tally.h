// SPDX-License-Identifier: GPL-2.0-only
#ifndef COPY_TALLY_H
#define COPY_TALLY_H

#include "expert-plan.h"

#include "ns3/expert-copy.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * Sums the tokens that hosts of a layer's experts compute, over plans. The home of an expert in an
 * expert-parallel group is its first host there. Padding does not count.
 */
class CopyTally
{
  public:
    /**
     * \param setting of the plan
     * \param plan of a micro-batch and of GPUs that are planned together
     * \param gpus numbers in the cluster of the plan's GPUs
     */
    void Add(const ExpertSetting& setting,
             const ExpertPlan& plan,
             const std::vector<uint32_t>& gpus);

    /// \return token counts by expert and GPU since the last Take()
    std::vector<ExpertCopy> Take();

  private:
    std::map<std::pair<uint32_t, uint32_t>, ExpertCopy> m_copies; //!< by expert and GPU
};

} // namespace ns3::rails

#endif // COPY_TALLY_H
