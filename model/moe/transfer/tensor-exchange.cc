// SPDX-License-Identifier: GPL-2.0-only
#include "tensor-exchange.h"

#include "server-exchange.h"

#include "ns3/group-transfer.h"

namespace ns3::rails
{

TensorExchange::TensorExchange(const TrainingContext& context, const Setting& setting)
    : RoutedExchange(context, setting, context.GetExpertTensor(), context.GetTensorParties())
{
}

uint64_t
TensorExchange::CountThere(uint32_t from, uint32_t, uint32_t) const
{
    return GetRouting(from)->arrived[GetContext().GetExperts().GetPlace(from)];
}

Operation
MakeTensorExchange(const TrainingContext& context, uint32_t layer, TokenWay way)
{
    Operation operation = MakeRoutedOperation<TensorExchange>(context,
                                                              context.GetTensorParties(),
                                                              1,
                                                              TrainingKind::ExpertTensor,
                                                              layer,
                                                              way);
    const uint32_t others = context.GetPlan().etp - 1;
    operation.estimate.bytes = context.CountGpus() * EstimateArrived(context) *
                               static_cast<double>(context.GetTokenBytes(way)) * others;
    operation.estimate.messages = others;
    const ClusterShape& shape = context.GetPlan().shape;
    const auto servers = DivideByServer(shape, context.GetExpertTensor().GetMembers(0)).size();
    operation.estimate.outside = GetOutsideOfExchange(others + 1, static_cast<double>(servers));
    return operation;
}

} // namespace ns3::rails
