// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAINING_PLAN_H
#define TRAINING_PLAN_H

#include "compute-model.h"
#include "moe-model.h"
#include "rank-map.h"
#include "token-load.h"

#include "ns3/cluster-shape.h"

#include <cstdint>

namespace ns3::rails
{

/// All that says what a training does, in plain numbers.
struct TrainingPlan
{
    ClusterShape shape{};
    ModelDimensions model{}; //!< with as many layers as are run
    RankMap attention{{}};   //!< axes tp, cp, dp, pp
    RankMap experts{{}};     //!< axes etp, ep, edp, pp
    uint32_t tp{1};
    uint32_t cp{1};
    uint32_t dp{1};
    uint32_t pp{1};
    uint32_t ep{1};
    uint32_t etp{1};
    uint32_t edp{1};
    uint32_t chunks{1};        //!< of layers on a GPU
    uint32_t microbatches{1};  //!< of an iteration
    uint32_t sequences{1};     //!< of a micro-batch
    uint32_t sequence{1};      //!< tokens
    uint64_t elementBytes{2};  //!< of activations and parameters
    uint64_t gradientBytes{4}; //!< of an element of a gradient
    bool deduplicates{false};  //!< a token travels once to each server, and once to each GPU
    bool recomputes{false};    //!< a layer goes forward again before it goes back
    uint32_t iterations{1};
    Ptr<ComputeModel> compute{};
    Ptr<TokenLoad> load{};

    /// \return tokens of a micro-batch on the GPUs of a tensor-parallel group together
    double GetGroupTokens() const
    {
        return static_cast<double>(sequences) * sequence / cp;
    }

    /// \return tokens of a micro-batch that a GPU has by itself
    uint32_t GetTokens() const
    {
        return sequences * sequence / (cp * tp);
    }

    /// \return what a group of expert parallelism has to route
    LoadShape GetLoadShape() const
    {
        LoadShape load{ep, model.experts, model.topK, GetTokens()};
        if (model.topGroups < model.expertGroups)
        {
            load.groups = model.expertGroups;
            load.topGroups = model.topGroups;
        }
        load.firstLayer = model.denseLayers;
        return load;
    }
};

} // namespace ns3::rails

#endif // TRAINING_PLAN_H
