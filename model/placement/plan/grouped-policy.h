// SPDX-License-Identifier: GPL-2.0-only
#ifndef GROUPED_POLICY_H
#define GROUPED_POLICY_H

#include "expert-policy.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Leads a policy through groups of GPUs, each of which is planned by itself. All groups share one
 * policy object, which sees each layer of each group as a layer of its own, with a history of its
 * own. GPUs have the numbers that they have in their group.
 */
class GroupedPolicy
{
  public:
    /**
     * \param policy is started anew with Start()
     * \param setting of one group
     * \param groups as many alike
     */
    GroupedPolicy(Ptr<ExpertPolicy> policy, const ExpertSetting& setting, uint32_t groups);

    /// To be called first.
    void Start();

    /// \return what the policy is told, the layers of all groups included
    const ExpertSetting& GetSetting() const;

    /// \return number of a group's layer as the policy counts, from 0
    uint32_t FindLayer(uint32_t group, uint32_t layer) const;

    /// To be called for each group and layer before each iteration, the first included.
    /// \return parameters of experts that move now
    std::vector<ExpertTransfer> BeginIteration(uint32_t group, uint32_t layer);

    /**
     * \param group whose GPUs are added
     * \param layer of the group
     * \param members of the group, all GPUs by their numbers in it
     * \param hosts by expert, to which GPUs that hold it for good are added, each once
     */
    void AddHosts(uint32_t group,
                  uint32_t layer,
                  const std::vector<uint32_t>& members,
                  std::vector<std::vector<uint32_t>>& hosts) const;

    /// \return what is done with what the gate of a group's layer has decided in a micro-batch
    ExpertPlan Plan(uint32_t group, uint32_t layer, const TokenCounts& counts);

    /// Takes counts of a micro-batch that was planned into the history.
    void Remember(uint32_t group, uint32_t layer, const TokenCounts& counts);

    /// To be called when an iteration is over.
    void EndIteration();

    /// \return over how many iterations the policy has looked back, at most
    uint32_t GetLookBack() const;

  private:
    Ptr<ExpertPolicy> m_policy;
    ExpertSetting m_setting;
    uint32_t m_layers; //!< of a group
    std::vector<LoadHistory> m_histories;
};

} // namespace ns3::rails

#endif // GROUPED_POLICY_H
