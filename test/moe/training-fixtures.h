// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAINING_FIXTURES_H
#define TRAINING_FIXTURES_H

#include "ns3/compute-model.h"
#include "ns3/moe-model.h"
#include "ns3/object-factory.h"
#include "ns3/parallel-layout.h"
#include "ns3/synthetic-token-load.h"
#include "ns3/training-plan.h"
#include "ns3/uinteger.h"

#include <map>
#include <string>

namespace ns3::rails::test
{

/// \param name as in a published model: "Mixtral-8x7b"
inline Ptr<MoeModel>
MakeModel(const std::string& name)
{
    return ObjectFactory("ns3::rails::" + name + "MoeModel").Create<MoeModel>();
}

/// \param degrees by attribute: {"Tp", 2}
inline Ptr<ParallelLayout>
MakeLayout(const std::map<std::string, uint32_t>& degrees)
{
    const auto layout = CreateObject<ParallelLayout>();
    for (const auto& [name, value] : degrees)
    {
        layout->SetAttribute(name, UintegerValue(value));
    }
    return layout;
}

/// \return a training with times of given kind and loads of the usual kind
inline TrainingPlan
MakePlan(const ClusterShape& shape,
         const ModelDimensions& model,
         const std::map<std::string, uint32_t>& degrees,
         Ptr<ComputeModel> compute)
{
    const Ptr<ParallelLayout> layout = MakeLayout(degrees);
    const uint32_t gpus = shape.GetGpus();
    layout->Check(gpus);
    const RankMaps maps = layout->MakeMaps(gpus);
    TrainingPlan plan;
    plan.shape = shape;
    plan.model = model;
    plan.attention = maps.attention;
    plan.experts = maps.experts;
    plan.tp = layout->GetTp();
    plan.cp = layout->GetCp();
    plan.dp = layout->GetDp(gpus);
    plan.pp = layout->GetPp();
    plan.ep = layout->GetEp();
    plan.etp = layout->GetEtp();
    plan.edp = layout->GetEdp(gpus);
    plan.chunks = layout->GetVpp();
    plan.compute = compute;
    const auto load = CreateObject<SyntheticTokenLoad>();
    load->AssignStreams(1);
    load->Start();
    plan.load = load;
    return plan;
}

} // namespace ns3::rails::test

#endif // TRAINING_FIXTURES_H
