// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_SETTING_H
#define EXPERT_SETTING_H

#include "cluster-view.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::rails
{

/// Planning time charged per layer.
struct PlanningCharge
{
    double seconds{0};
    std::string rule; //!< source of the time, in words
};

/**
 * Constant input of an expert policy. Experts are assigned in order to the GPUs of an
 * expert-parallel group; several groups hold the same experts. If experts do not divide evenly, the
 * first GPUs hold one more.
 */
struct ExpertSetting
{
    ClusterView cluster;
    uint32_t expertParallel{1}; //!< GPUs of an expert-parallel group; divides the number of GPUs
    uint32_t experts{1};        //!< experts of a layer; see AreEven()
    uint32_t topK{1};           //!< experts that a token goes to
    uint32_t expertGroups{1};   //!< groups of experts in the gate
    uint32_t tokens{1};         //!< mean tokens of a GPU in a micro-batch
    uint32_t sequence{1};       //!< tokens of a sequence
    uint32_t hidden{0};         //!< width of the model
    uint32_t layers{1};         //!< layers with experts
    uint32_t microbatches{1};   //!< micro-batches of an iteration

    uint64_t tokenBytes{0};    //!< bytes of a token in dispatch or combine
    uint64_t weightBytes{0};   //!< parameters of an expert
    uint64_t gradientBytes{0}; //!< gradients of an expert
    uint64_t stateBytes{0};    //!< optimizer states of an expert, all hosts together
    double tokenFlops{0};      //!< floating-point operations of a token at an expert, forward
    double otherForward{0};    //!< seconds of computing outside of experts, forward
    double otherBackward{0};   //!< seconds of computing outside of experts, backward

    std::optional<PlanningCharge> planning{}; //!< overrides the planning time of policies

    /// Slots of a GPU from a memory budget (FitSlots()); overrides the policy's own.
    std::optional<uint32_t> slots{};

    /// \return whether each GPU has equally many experts by default
    bool AreEven() const
    {
        return experts % expertParallel == 0;
    }

    /// \return least experts of a GPU by default
    uint32_t GetHomes() const
    {
        return experts / expertParallel;
    }

    /// \return number of expert-parallel groups
    uint32_t GetGroups() const
    {
        return cluster.gpus / expertParallel;
    }

    /// \return the default GPU of an expert in the first group
    uint32_t GetHome(uint32_t expert) const
    {
        const uint32_t homes = GetHomes();
        const uint32_t beyond = experts % expertParallel * (homes + 1); // on GPUs with one more
        return expert < beyond ? expert / (homes + 1)
                               : experts % expertParallel + (expert - beyond) / homes;
    }

    /// \return mean token-expert pairs that a GPU computes
    double GetMeanLoad() const
    {
        return static_cast<double>(tokens) * topK;
    }
};

} // namespace ns3::rails

#endif // EXPERT_SETTING_H
