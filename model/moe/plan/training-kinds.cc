// SPDX-License-Identifier: GPL-2.0-only
#include "training-kinds.h"

namespace ns3::rails
{

const std::vector<std::string>&
GetTrainingKindNames()
{
    static const std::vector<std::string> names{"attention",
                                                "gate",
                                                "experts",
                                                "shared-experts",
                                                "dense",
                                                "head",
                                                "optimizer",
                                                "dispatch",
                                                "combine",
                                                "combine-backward",
                                                "dispatch-backward",
                                                "tensor",
                                                "context",
                                                "pipeline",
                                                "expert-tensor",
                                                "data",
                                                "expert-data",
                                                "expert-planning",
                                                "expert-counts",
                                                "expert-moves",
                                                "expert-weights",
                                                "expert-gradients",
                                                "reconfiguration",
                                                "launch"};
    return names;
}

bool
IsExchange(TrainingKind kind)
{
    return kind == TrainingKind::Dispatch || kind == TrainingKind::Combine ||
           kind == TrainingKind::CombineBackward || kind == TrainingKind::DispatchBackward;
}

Communicator
GetCommunicator(TrainingKind kind)
{
    switch (kind)
    {
    case TrainingKind::Combine:
    case TrainingKind::DispatchBackward:
        return Communicator::Combine; // both go from experts to tokens
    case TrainingKind::Tensor:
        return Communicator::Tensor;
    case TrainingKind::Context:
        return Communicator::Context;
    case TrainingKind::Pipeline:
        return Communicator::Pipeline;
    case TrainingKind::ExpertTensor:
        return Communicator::ExpertTensor;
    case TrainingKind::Data:
        return Communicator::Data;
    case TrainingKind::ExpertData:
        return Communicator::ExpertData;
    default:
        return Communicator::Dispatch;
    }
}

} // namespace ns3::rails
