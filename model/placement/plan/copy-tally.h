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
 * Adds up what copies of experts of a layer compute, plan by plan. The home of an expert is, in
 * each group of expert parallelism, the first GPU that holds it for good. Padding does not count.
 */
class CopyTally
{
  public:
    /**
     * \param setting that a plan was made for
     * \param plan of a micro-batch and of GPUs that are planned together
     * \param gpus their numbers, by that in the plan
     */
    void Add(const ExpertSetting& setting,
             const ExpertPlan& plan,
             const std::vector<uint32_t>& gpus);

    /// \return all copies by expert and GPU; it begins anew
    std::vector<ExpertCopy> Take();

  private:
    std::map<std::pair<uint32_t, uint32_t>, ExpertCopy> m_copies; //!< by expert and GPU
};

} // namespace ns3::rails

#endif // COPY_TALLY_H
