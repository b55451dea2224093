// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_SETTING_H
#define EXPERT_SETTING_H

#include "cluster-view.h"

#include <cstdint>
#include <optional>

namespace ns3::rails
{

/**
 * What a policy of experts is told once, before anything is routed. Experts are dealt to the GPUs
 * of a group of expert parallelism in order; several groups side by side hold the same experts.
 * Where they cannot be dealt evenly, the first GPUs hold one more.
 */
struct ExpertSetting
{
    ClusterView cluster;
    uint32_t expertParallel{1}; //!< GPUs that hold all experts together: a divisor of the GPUs
    uint32_t experts{1};        //!< of a layer; see AreEven()
    uint32_t topK{1};           //!< experts that a token goes to
    uint32_t expertGroups{1};   //!< groups of experts that the gate knows
    uint32_t tokens{1};         //!< of each GPU in a micro-batch, in the mean
    uint32_t sequence{1};       //!< tokens that follow each other, of these
    uint32_t hidden{0};         //!< width of the model
    uint32_t layers{1};         //!< with experts
    uint32_t microbatches{1};   //!< of an iteration

    uint64_t tokenBytes{0};    //!< of a token on its way to an expert
    uint64_t weightBytes{0};   //!< of an expert
    uint64_t gradientBytes{0}; //!< of an expert
    uint64_t stateBytes{0};    //!< of an expert's optimizer, on all GPUs that hold it together
    double tokenFlops{0};      //!< operations of a token at an expert, forward
    double otherForward{0};    //!< seconds that the rest of a layer computes, forward
    double otherBackward{0};   //!< seconds that the rest of a layer computes, backward

    /// Seconds that planning a layer takes whoever plans, in place of what policies declare.
    std::optional<double> planning{};

    /// Slots of a GPU that a budget of memory leaves (FitSlots()), in place of what policies say.
    std::optional<uint32_t> slots{};

    /// \return whether each GPU holds as many experts before any policy comes
    bool AreEven() const
    {
        return experts % expertParallel == 0;
    }

    /// \return experts that each GPU holds at least before any policy comes
    uint32_t GetHomes() const
    {
        return experts / expertParallel;
    }

    /// \return groups of expert parallelism
    uint32_t GetGroups() const
    {
        return cluster.gpus / expertParallel;
    }

    /// \return the GPU of the first group that holds an expert before any policy comes
    uint32_t GetHome(uint32_t expert) const
    {
        const uint32_t homes = GetHomes();
        const uint32_t beyond = experts % expertParallel * (homes + 1); // of GPUs with one more
        return expert < beyond ? expert / (homes + 1)
                               : experts % expertParallel + (expert - beyond) / homes;
    }

    /// \return pairs of a token and an expert that a GPU computes in the mean
    double GetMeanLoad() const
    {
        return static_cast<double>(tokens) * topK;
    }
};

} // namespace ns3::rails

#endif // EXPERT_SETTING_H
