// SPDX-License-Identifier: GPL-2.0-only
#ifndef GOAL_WORKLOAD_H
#define GOAL_WORKLOAD_H

#include "rails-workload.h"

#include "ns3/goal-program.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rails
{

/// `goal`: what a file in the GOAL format says, a rank on a GPU.
class GoalWorkload : public Workload
{
  public:
    static TypeId GetTypeId();

    void Check(const WorkloadSetting& setting) const override;
    std::shared_ptr<const GraphProgram> MakeProgram(const WorkloadSetting& setting) override;
    double EstimateBytes(const WorkloadSetting& setting) const override;
    double EstimateMessages(const WorkloadSetting& setting) const override;

  private:
    /// What a look at the file tells.
    struct Size
    {
        uint64_t ranks{0};
        double bytes{0};
        double messages{0};
        bool namesNics{false};
    };

    Size Measure() const;
    std::shared_ptr<const GoalProgram> MakeGoalProgram(const ClusterShape& shape) const;

    std::string m_path;
    uint32_t m_stride;
};

} // namespace ns3::rails

#endif // GOAL_WORKLOAD_H
