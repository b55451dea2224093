// SPDX-License-Identifier: GPL-2.0-only
#ifndef GROUPED_POLICY_H
#define GROUPED_POLICY_H

#include "expert-policy.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Applies one policy object to several groups of GPUs, each planned separately. The policy sees
 * each layer of each group as a separate layer with its own history. GPUs are numbered within their
 * group.
 */
class GroupedPolicy
{
  public:
    /**
     * \param policy reset by Start()
     * \param setting of one group
     * \param groups number of groups
     */
    GroupedPolicy(Ptr<ExpertPolicy> policy, const ExpertSetting& setting, uint32_t groups);

    /// To be called first.
    void Start();

    /// \return the setting of the policy; its layers are those of all groups
    const ExpertSetting& GetSetting() const
    {
        return m_setting;
    }

    /// \return number of a group's layer for the policy, from 0
    uint32_t FindLayer(uint32_t group, uint32_t layer) const;

    /// To be called for each group and layer before each iteration, the first included.
    /// \return parameters of experts that move now
    std::vector<ExpertTransfer> BeginIteration(uint32_t group, uint32_t layer);

    /**
     * Adds the persistent hosts of a group.
     * \param group number of the group
     * \param layer of the group
     * \param members GPUs of the group
     * \param hosts GPUs by expert; the group's hosts are appended, each once
     */
    void AddHosts(uint32_t group,
                  uint32_t layer,
                  const std::vector<uint32_t>& members,
                  std::vector<std::vector<uint32_t>>& hosts) const;

    /// \return the plan of a group's layer in a micro-batch
    ExpertPlan Plan(uint32_t group, uint32_t layer, const TokenCounts& counts);

    /// Adds counts of a planned micro-batch to the history.
    void Remember(uint32_t group, uint32_t layer, const TokenCounts& counts);

    /// To be called when an iteration is over.
    void EndIteration();

    /// \return longest history that the policy has asked for, in iterations
    uint32_t GetLookBack() const;

  private:
    Ptr<ExpertPolicy> m_policy;
    ExpertSetting m_setting;
    uint32_t m_layers; //!< layers of one group
    std::vector<LoadHistory> m_histories;
};

} // namespace ns3::rails

#endif // GROUPED_POLICY_H
